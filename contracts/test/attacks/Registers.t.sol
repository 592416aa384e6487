// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {Skeletons} from "../world/Skeletons.sol";
import {vm} from "../world/Vm.sol";
import {IRouter} from "../world/World.sol";
import {Puppet} from "../models/Puppet.sol";
import {PlainToken} from "../models/Tokens.sol";

/// Claims that would wrap a register around: what a register does not count stays in the router, where the next caller
/// can have it.
contract RegistersTest is Skeletons {
    bytes4 private constant SELL_BASE = bytes4(keccak256("sellBase(address)"));
    uint256 private constant AMOUNT = 1e18;

    /// Half of the user's A goes to an honest pair; what follows takes one part of a hundred off what it paid.
    function _userSells(bytes memory hostile, address liar) private {
        uint256 state = vm.snapshotState();
        bytes memory honest = Routes.v2(_way(a, b), 0x01, Routes.HALF, pairAB);
        vm.prank(USER);
        (bool done, bytes memory answer) = address(router).call(
            abi.encodeCall(
                IRouter.swap, (AMOUNT, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(a, b), honest, hostile))
            )
        );
        eq(_sweep(), 0, "nothing was left for the next caller");
        yes(!done, "the swap is refused");
        bytes memory reason = abi.encodeWithSelector(BadAnswer.selector, liar);
        eq(uint256(keccak256(answer)), uint256(keccak256(reason)), "by name");
        vm.revertToState(state);
    }

    /// A pool of the attacker's claims all that lies in the router of B, and the router pays it out.
    function _sweep() private returns (uint256 loot) {
        loot = tokenB.balanceOf(address(router));
        if (loot == 0) return 0;
        Puppet broom = new Puppet();
        broom.onCall(SELL_BASE, abi.encode(loot));
        bytes memory step = Routes.step(9, Routes.ZERO_FOR_ONE, 0x01, 0, address(broom));
        uint256 before = tokenB.balanceOf(ATTACKER);
        vm.prank(ATTACKER);
        router.swap(1, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(c, b), step));
        return tokenB.balanceOf(ATTACKER) - before;
    }

    function test_aPoolThatClaimsLessThanNothing() public {
        uint256 part = _quotePair(pairAB, a, AMOUNT / 2) / 100;
        evil.onCall(SELL_BASE, abi.encode(type(uint256).max - part + 1));
        _userSells(Routes.step(9, Routes.ZERO_FOR_ONE, 0x01, 0, address(evil)), address(evil));
    }

    /// Of a v3 pool every claim is below 2^255, so it takes two of them.
    function test_poolsThatClaimLessThanNothingTogether() public {
        uint256 part = _quotePair(pairAB, a, AMOUNT / 2) / 100;
        Puppet second = new Puppet();
        _claims(evil, (1 << 255) - 1);
        _claims(second, (1 << 255) + 1 - part);
        bytes memory steps = bytes.concat(
            Routes.v3(Routes.ZERO_FOR_ONE, 0x01, Routes.HALF, address(evil)),
            Routes.v3(Routes.ZERO_FOR_ONE, 0x01, 0, address(second))
        );
        _userSells(steps, address(second));
    }

    function _claims(Puppet pool, uint256 claim) private {
        pool.onCall(V3_SWAP, abi.encode(int256(0), -int256(claim)));
        bytes memory ask = abi.encodeWithSelector(V3_CALLBACK, int256(AMOUNT / 4), -int256(1), abi.encode(a, USER));
        pool.thenCall(V3_SWAP, address(router), ask, true);
    }

    /// The largest sum that fits is no claim to refuse: a hostile token can have that much of itself.
    function test_theLargestSumThatFits() public {
        PlainToken endless = new PlainToken();
        endless.mint(address(router), type(uint256).max);
        Puppet rest = new Puppet();
        evil.onCall(SELL_BASE, abi.encode(type(uint256).max - 5));
        rest.onCall(SELL_BASE, abi.encode(uint256(5)));
        bytes memory steps = bytes.concat(
            Routes.step(9, Routes.ZERO_FOR_ONE, 0x01, Routes.HALF, address(evil)),
            Routes.step(9, Routes.ZERO_FOR_ONE, 0x01, 0, address(rest))
        );
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, address(endless)), steps)), type(uint256).max, "paid");
    }
}
