// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Routes, Terms} from "./Routes.sol";
import {Skeletons} from "./Skeletons.sol";
import {Assertions, vm} from "./Vm.sol";
import {IRouter} from "./World.sol";
import {PlainToken} from "./models/Tokens.sol";

/// Owes somebody tokens, and pays when it is asked to, as an open order of theirs elsewhere would be filled.
contract Escrow {
    uint256 public paid;

    function fill(PlainToken token, address to, uint256 amount) external {
        token.transfer(to, amount);
        paid += amount;
    }
}

/// An honest taker. It swaps through every kind of pool while these lie about what they take, move their prices, re-enter
/// the router, ask for more, and fill another order of the taker's while it swaps. Where a pool is hostile the router
/// keeps custody, as the server has it (rule 8); each call starts from the same state.
contract Taker is Skeletons {
    uint256 private constant ONE_ORDER = 1e18;
    // Permits by signature are the attacker's own; they are no kind of pool.
    uint256 public constant KINDS = SKELETONS - 2;

    uint256[33] public calls;
    uint256[33] public successes;
    string public broken;
    Escrow private escrow;

    function setUp() public override {
        super.setUp();
        escrow = new Escrow();
        tokenB.mint(address(escrow), 1e30);
    }

    function _routeOf(uint256 seed) private pure returns (uint256 which) {
        which = seed % KINDS;
        return which < FIRST_SIGNED ? which : which + 2;
    }

    /// Half of the time a pool is honest at a price that has moved; else it takes or pulls another amount than it should.
    function _models(uint256 seed) private {
        uint256 rate = 5e17 + uint64(seed) % 1e18;
        uint256 takes = (seed >> 64) % 2 == 0 ? 1000 : 999 + (seed >> 65) % 3;
        solidly.setRate(rate);
        curve.setRate(rate);
        curve.setPulls(takes);
        vault2.setRate(rate);
        vault2.setTakes(takes);
        vault3.setRate(rate);
        vault3.setTakes(takes);
        manager.setRate(rate);
        manager.setTakes(takes);
        maverick.setRate(rate);
        dodo.setRate(rate);
        book.setRate(rate);
        oldBook.setRate(rate);
        woo.setRate(rate);
        converter.setPulls(takes);
    }

    /// The hostile pool fills another order of the taker's as well, to make its own payment look larger.
    function _hostileToo(uint256 seed, uint256 amount) private {
        _arm(seed, amount, USER);
        bytes memory fills = abi.encodeCall(Escrow.fill, (tokenB, USER, amount));
        evil.thenCall(V3_SWAP, address(escrow), fills, false);
        evil.thenCall(V2_SWAP, address(escrow), fills, false);
    }

    function take(uint256 seed, uint256 amount) external {
        uint256 state = vm.snapshotState();
        uint256 which = _routeOf(seed);
        bool orders = which >= FIRST_SIGNED && which < FIRST_HOSTILE;
        amount = orders ? ONE_ORDER : within(amount, 1e6, 1e21);
        _models(uint256(keccak256(abi.encode(seed))));
        bool hostile = which >= FIRST_HOSTILE;
        if (hostile) _hostileToo(seed >> 8, amount);
        bool done = _swapAsUser(which, amount, !hostile && (seed >> 16) % 2 == 0, (seed >> 17) % 4);
        string memory found = broken;
        vm.revertToState(state);
        // What was counted is undone with the rest.
        calls[which] += 1;
        if (done) successes[which] += 1;
        if (bytes(found).length > 0) broken = found;
    }

    struct Before {
        uint256 sold;
        uint256 bought;
        uint256 attacker;
        uint256 router;
        uint256 paid;
    }

    function _bought(uint256 which) private view returns (address) {
        if (which == 3) return w;
        if (which == 4 || which == 12) return c;
        return which == 6 ? NATIVE : b;
    }

    function _swapAsUser(uint256 which, uint256 amount, bool direct, uint256 part) private returns (bool done) {
        (address sold, address bought) = (_sold(which), _bought(which));
        uint256 minimum = amount * (part + 1) / 8;
        Before memory was = Before(
            _wealth(sold, USER), _wealth(bought, USER), _others(), _inRouter(), escrow.paid()
        );
        bytes memory data =
            abi.encodeCall(IRouter.swap, (amount, minimum, address(0), Terms.PLAIN, _skeleton(which, direct)));
        vm.prank(USER);
        (done,) = address(router).call{value: sold == NATIVE ? amount : 0}(data);
        if (!done) {
            if (_wealth(sold, USER) != was.sold) broken = "a failure took something";
            return false;
        }
        if (was.sold - _wealth(sold, USER) > amount) broken = "more was taken than was sold";
        uint256 filled = escrow.paid() - was.paid;
        if (_wealth(bought, USER) - was.bought < minimum + filled) broken = "the route itself paid less than the minimum";
        // A hostile pool may leave its own tokens in the router.
        if (which < FIRST_HOSTILE && _inRouter() != was.router) broken = "something stayed in the router";
        if (_inRouter() < was.router) broken = "something that lay in the router was taken";
        if (_others() < was.attacker) broken = "somebody else paid";
        if (_granted()) broken = "an allowance stands";
    }

    /// What bystanders hold, who have approved the router too.
    function _others() private view returns (uint256 sum) {
        for (uint256 index = 0; index < 4; ++index) {
            sum += _wealth([a, b, c, w][index], ATTACKER);
        }
    }

    function _granted() private view returns (bool) {
        address[9] memory spenders = [
            address(curve),
            address(vault2),
            address(vault3),
            address(dodo),
            address(shares),
            address(converter),
            address(manager),
            address(evil),
            settler
        ];
        for (uint256 which = 0; which < spenders.length; ++which) {
            for (uint256 index = 0; index < 3; ++index) {
                if (PlainToken([a, b, c][index]).allowance(address(router), spenders[which]) != 0) return true;
            }
        }
        return false;
    }

    function routeOf(uint256 index) external pure returns (uint256) {
        return _routeOf(index);
    }
}

/// Whatever pools do, a taker gets its minimum from the route or keeps its tokens.
contract TakersTest is Assertions {
    Taker private taker;

    struct Selected {
        address target;
        bytes4[] selectors;
    }

    function setUp() public {
        taker = new Taker();
        taker.setUp();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(taker);
    }

    function targetSelectors() external view returns (Selected[] memory selected) {
        selected = new Selected[](1);
        selected[0].target = address(taker);
        selected[0].selectors = new bytes4[](1);
        selected[0].selectors[0] = Taker.take.selector;
    }

    function invariant_aTakerGetsItsMinimumOrKeepsItsTokens() external view {
        eq(bytes(taker.broken()).length, 0, taker.broken());
    }

    /// In long sequences, of every kind a tenth and more succeeds.
    function afterInvariant() external view {
        for (uint256 index = 0; index < taker.KINDS(); ++index) {
            uint256 which = taker.routeOf(index);
            if (taker.calls(which) < 100) continue;
            if (taker.successes(which) * 10 < taker.calls(which)) revert NotOften(which, taker.successes(which));
        }
    }

    /// Guards the invariant against passing because nothing ever succeeds: of every kind, a tenth and more does.
    function test_everyKindSucceedsOften() external {
        uint256 kinds = taker.KINDS();
        for (uint256 index = 0; index < kinds * 20; ++index) {
            uint256 seed = uint256(keccak256(abi.encode(index)));
            taker.take(seed - seed % kinds + index % kinds, 1e18);
        }
        eq(bytes(taker.broken()).length, 0, taker.broken());
        for (uint256 index = 0; index < kinds; ++index) {
            uint256 which = taker.routeOf(index);
            yes(taker.calls(which) > 0, "every kind is called");
            if (taker.successes(which) * 10 < taker.calls(which)) revert NotOften(which, taker.successes(which));
        }
    }

    error NotOften(uint256 which, uint256 successes);
}
