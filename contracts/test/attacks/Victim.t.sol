// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Terms} from "../world/Routes.sol";
import {Skeletons} from "../world/Skeletons.sol";
import {Assertions, vm} from "../world/Vm.sol";
import {IRouter} from "../world/World.sol";

/// Hostile callers: working and spoilt routes over real and hostile pools, any terms, callbacks out of the blue.
contract Attacker is Skeletons {
    uint256 public succeeded;
    uint256 public overspent;
    uint256 public leftBehind;

    function attack(uint256 seed, uint256 amount) external {
        amount = within(amount, 1e6, 1e21);
        uint256 which = (seed >> 4) % SKELETONS;
        address sold = _sold(which);
        _arm(seed >> 8, amount, ATTACKER);
        bytes memory route = _spoil(_skeleton(which, seed % 2 == 0), seed >> 16);
        uint256 before = _wealth(sold, ATTACKER);
        uint256 left = _inRouter() + (which >= FIRST_HOSTILE ? _ofEvil() : 0);
        vm.prank(ATTACKER);
        (bool done,) = address(router).call{value: sold == NATIVE ? amount : 0}(
            abi.encodeCall(IRouter.swap, (amount, 1, address(0), _terms(seed), route))
        );
        if (!done) return;
        succeeded += 1;
        uint256 rest = _wealth(sold, ATTACKER);
        if (before > rest && before - rest > amount) overspent += 1;
        // A hostile pool may leave its own tokens in the router, or take what it left there; nothing else may stay.
        if (_inRouter() > left) leftBehind += 1;
    }

    /// A callback out of the blue, with the victim named as payer.
    function callback(uint256 seed, uint256 amount) external {
        bytes memory data = abi.encode([a, b, c, w][seed % 4], seed % 2 == 0 ? USER : address(router));
        vm.prank([pairAB, poolAB, poolBC, address(evil)][(seed >> 8) % 4]);
        (bool done,) =
            address(router).call(abi.encodeWithSelector(bytes4(uint32(seed >> 16)), amount, -int256(1), data));
        if (done) overspent += 1;
    }

    function victimLost() external view returns (bool) {
        return _userLost();
    }

    function _terms(uint256 seed) private pure returns (uint256) {
        if (seed % 5 != 0) return Terms.PLAIN;
        return Terms.fees((seed >> 16) % 5100, (seed >> 32) % 5100, seed % 3 == 0 ? USER : ATTACKER);
    }
}

/// A user with endless approvals loses nothing, whatever others do with the router.
contract VictimTest is Assertions {
    Attacker private attacker;

    struct Selected {
        address target;
        bytes4[] selectors;
    }

    function setUp() public {
        attacker = new Attacker();
        attacker.setUp();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(attacker);
    }

    function targetSelectors() external view returns (Selected[] memory selected) {
        selected = new Selected[](1);
        selected[0].target = address(attacker);
        selected[0].selectors = new bytes4[](2);
        selected[0].selectors[0] = Attacker.attack.selector;
        selected[0].selectors[1] = Attacker.callback.selector;
    }

    function invariant_theVictimLosesNothing() external view {
        yes(!attacker.victimLost(), "victim lost");
        eq(attacker.overspent(), 0, "payments above the amount, or out of the blue");
        eq(attacker.leftBehind(), 0, "swaps that left something in the router");
    }

    /// Guards the invariant against passing because nothing ever succeeds.
    function test_manyHostileSwapsSucceed() external {
        for (uint256 index = 0; index < 400; ++index) {
            attacker.attack(uint256(keccak256(abi.encode(index))), 1e18);
        }
        yes(attacker.succeeded() > 50, "hostile swaps that succeed");
        yes(!attacker.victimLost(), "victim lost");
    }
}
