// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IZiSwapModel} from "../models/IZiSwap.sol";
import {MaverickModel, SolidlyModel} from "../models/Pools.sol";
import {Puppet} from "../models/Puppet.sol";
import {PlainToken} from "../models/Tokens.sol";

/// Pools of iZiSwap: in both directions, paid by the user and by the router, to the router, to the recipient and to the next
/// pool; and what may be asked for in their callback.
contract IZiSwapTest is Crossings {
    bytes4 private constant X2Y = 0x857f812f;
    bytes4 private constant Y2X = 0x2c481252;
    bytes4 private constant X2Y_CALLBACK = bytes4(keccak256("swapX2YCallback(uint256,uint256,bytes)"));
    bytes4 private constant Y2X_CALLBACK = bytes4(keccak256("swapY2XCallback(uint256,uint256,bytes)"));
    bytes4 private constant V3_CALLBACK = 0xfa461e33;
    uint256 private constant RATE = 8e17;
    uint256 private constant PAID = 512;
    int24 private constant FAR = 7;

    IZiSwapModel private ab;
    IZiSwapModel private cb;
    Puppet private pool;

    function setUp() public override {
        super.setUp();
        (ab, cb, pool) = (new IZiSwapModel(a, b), new IZiSwapModel(c, b), new Puppet());
        _stock(address(ab));
        _stock(address(cb));
        _stock(address(pool));
        ab.setRate(RATE);
        cb.setRate(RATE);
    }

    /// As far as a point: down where tokenX is sold, else up.
    function _stepTo(int24 far, uint8 flags, uint8 path, address target) private pure returns (bytes memory) {
        int24 limit = flags & Routes.ZERO_FOR_ONE == 0 ? far : -far;
        return bytes.concat(Routes.step(26, flags, path, 0, target), bytes3(uint24(limit)));
    }

    function _step(uint8 flags, uint8 path, address target) private pure returns (bytes memory) {
        return _stepTo(FAR, flags, path, target);
    }

    /// What a pool of the model pays: it leaves out what is less than a grain.
    function _paid(uint256 amount) private view returns (uint256) {
        return (amount - amount % ab.GRAIN()) * RATE / 1e18;
    }

    function test_iziswap() public {
        uint256 out = _paid(AMOUNT);
        _alone(_step(_way(a, b), 0x01, address(ab)), out);
        _alone(_step(_way(a, b) | DIRECT, 0x01, address(ab)), out);
        _before(_step(_way(a, b) | Routes.TO_NEXT, 0x01, address(ab)), out);
    }

    /// Exactly the amount goes to the pool, what it does not ask for too; who pays is the user, or the router behind a pair.
    function test_iziswapInBothDirections() public {
        _sells(a, b);
        _sells(b, a);
        _sellsBehindAPair(c, b, cb);
        _sellsBehindAPair(b, c, cb);
    }

    function _sells(address sold, address bought) private {
        uint256 held = PlainToken(sold).balanceOf(address(ab));
        uint256 left = PlainToken(sold).balanceOf(USER);
        bytes memory route = bytes.concat(Routes.tokens(sold, bought), _step(_way(sold, bought), 0x01, address(ab)));
        yes(AMOUNT % ab.GRAIN() != 0, "something is not asked for");
        eq(_swap(AMOUNT, route), _paid(AMOUNT), "paid");
        eq(PlainToken(sold).balanceOf(address(ab)), held + AMOUNT, "the pool has all of it");
        eq(PlainToken(sold).balanceOf(USER), left - AMOUNT, "and no more");
        _holdsNothing();
    }

    function _sellsBehindAPair(address sold, address bought, IZiSwapModel last) private {
        address pair = sold == b ? pairAB : _pair(a, 1e24, sold, 1e24);
        uint256 middle = _quotePair(pair, a, AMOUNT);
        uint256 held = PlainToken(sold).balanceOf(address(last));
        bytes memory first = Routes.v2(_way(a, sold), 0x01, 0, pair);
        bytes memory second = _step(_way(sold, bought) | DIRECT, 0x12, address(last));
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, sold, bought), first, second)), _paid(middle), "paid");
        eq(PlainToken(sold).balanceOf(address(last)), held + middle, "the pool has all of it");
        _holdsNothing();
    }

    /// Memory that one step has written to is not what the next one sends: both calls have words of nothing.
    function test_otherStepsBehindIZiSwap() public {
        MaverickModel maverick = new MaverickModel(b, c);
        SolidlyModel solidly = new SolidlyModel(b, c);
        _stock(address(maverick));
        _stock(address(solidly));
        solidly.sync();
        bytes memory first = bytes.concat(Routes.tokens(a, b, c), _step(_way(a, b), 0x01, address(ab)));
        bytes memory second = Routes.step(14, Routes.ZERO_FOR_ONE, 0x12, 0, address(maverick));
        eq(_swap(AMOUNT, bytes.concat(first, second)), _paid(AMOUNT), "Maverick fills");
        second = Routes.step(Routes.SOLIDLY, _way(b, c), 0x12, 0, address(solidly));
        eq(_swap(AMOUNT, bytes.concat(first, second)), _paid(AMOUNT), "Solidly fills");
    }

    /// At its last point the pool has taken half, and would keep the other half for half of the price.
    function test_anIZiSwapPoolThatRunsOut() public {
        for (uint256 index = 0; index < 2; ++index) {
            (address sold, address bought) = index == 0 ? (a, b) : (b, a);
            bytes memory step = _stepTo(FAR - 1, _way(sold, bought), 0x01, address(ab));
            uint256 held = PlainToken(sold).balanceOf(address(ab));
            (bool done, bytes memory reason) = _try(USER, AMOUNT, bytes.concat(Routes.tokens(sold, bought), step));
            eq(PlainToken(sold).balanceOf(address(ab)), held, "the pool has gained nothing");
            yes(!done, "refused");
            bytes memory wanted = abi.encodeWithSelector(PartialFill.selector, address(ab), AMOUNT, AMOUNT / 2);
            eq(uint256(keccak256(reason)), uint256(keccak256(wanted)), "by name");
        }
    }

    function _try(address who, uint256 amount, bytes memory route) private returns (bool, bytes memory) {
        vm.prank(who);
        return address(router).call(abi.encodeCall(router.swap, (amount, 1, address(0), Terms.PLAIN, route)));
    }

    /// The pool pays, makes these demands, and answers that it took this much.
    function _plan(bytes4 swap, uint256 took, bytes memory demand, bool strict) private {
        pool.onCall(swap, swap == X2Y ? abi.encode(took, PAID) : abi.encode(PAID, took));
        pool.thenCall(swap, b, abi.encodeCall(PlainToken.transfer, (address(router), PAID)), true);
        if (demand.length > 0) pool.thenCall(swap, address(router), demand, strict);
    }

    function _demand(bytes4 callback, uint256 x, uint256 y, address token, address payer, uint256 amount)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(callback, x, y, abi.encode(token, payer, amount));
    }

    function _ownDemand() private view returns (bytes memory) {
        return _demand(X2Y_CALLBACK, AMOUNT, PAID, a, USER, AMOUNT);
    }

    /// Sells A to the puppet, whose direction is what the step says.
    function _toPuppet(uint8 way) private view returns (bytes memory) {
        return bytes.concat(Routes.tokens(a, b), _step(way, 0x01, address(pool)));
    }

    /// A thousandth may go unasked, less a little: 2^-10 of the amount, rounded down.
    function test_howMuchMayGoUnasked() public {
        for (uint256 index = 0; index < 2; ++index) {
            (bytes4 swap, uint8 way) = index == 0 ? (X2Y, Routes.ZERO_FOR_ONE) : (Y2X, 0);
            uint256 least = AMOUNT - (AMOUNT >> 10);
            for (uint256 which = 0; which < 4; ++which) {
                uint256 took = [least, AMOUNT, least - 1, AMOUNT + 1][which];
                (uint256 x, uint256 y) = index == 0 ? (took, PAID) : (PAID, took);
                _plan(swap, took, _demand(index == 0 ? X2Y_CALLBACK : Y2X_CALLBACK, x, y, a, USER, AMOUNT), true);
                uint256 before = tokenA.balanceOf(USER);
                bool fine = which < 2;
                if (!fine) vm.expectRevert(abi.encodeWithSelector(PartialFill.selector, address(pool), AMOUNT, took));
                eq(_swap(AMOUNT, _toPuppet(way)), fine ? PAID : 0, "what the other word says");
                eq(before - tokenA.balanceOf(USER), fine ? AMOUNT : 0, "all or nothing");
            }
        }
    }

    function test_anIZiSwapPoolThatNeverAsks() public {
        _plan(X2Y, AMOUNT, "", false);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(pool)));
        _swap(AMOUNT, _toPuppet(Routes.ZERO_FOR_ONE));
    }

    /// Both amounts count only by an answer of two words.
    function test_anIZiSwapPoolThatAnswersTooLittle() public {
        for (uint256 length = 63; length <= 64; ++length) {
            bytes memory both = abi.encode(AMOUNT, PAID);
            assembly ("memory-safe") {
                mstore(both, length)
            }
            pool.onCall(X2Y, both);
            pool.thenCall(X2Y, b, abi.encodeCall(PlainToken.transfer, (address(router), PAID)), true);
            pool.thenCall(X2Y, address(router), _ownDemand(), true);
            if (length < 64) vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(pool)));
            eq(_swap(AMOUNT, _toPuppet(Routes.ZERO_FOR_ONE)), length < 64 ? 0 : PAID, "two words");
        }
    }

    /// A demand for anything but the debt takes nothing, and the debt itself is paid once.
    function test_aDemandForAnythingElse() public {
        bytes[6] memory others = [
            _demand(X2Y_CALLBACK, AMOUNT, PAID, a, OTHER, AMOUNT),
            _demand(X2Y_CALLBACK, AMOUNT, PAID, b, USER, AMOUNT),
            _demand(X2Y_CALLBACK, AMOUNT + 1, PAID, a, USER, AMOUNT + 1),
            _demand(X2Y_CALLBACK, 1, PAID, a, USER, 1),
            _demand(Y2X_CALLBACK, PAID, AMOUNT, c, USER, AMOUNT),
            _ownDemand()
        ];
        _plan(X2Y, AMOUNT, others[0], false);
        for (uint256 index = 1; index < others.length; ++index) pool.thenCall(X2Y, address(router), others[index], false);
        pool.thenCall(X2Y, address(router), _ownDemand(), false);
        uint256 ofB = tokenB.balanceOf(USER);
        (bool done,) = _try(USER, AMOUNT, _toPuppet(Routes.ZERO_FOR_ONE));
        eq(1e30 - tokenA.balanceOf(USER), AMOUNT, "paid once");
        eq(tokenB.balanceOf(USER), ofB + PAID, "nothing else is taken");
        eq(tokenC.balanceOf(USER), 1e30, "of no token");
        yes(done, "the swap goes on");
        eq(pool.failures(), 6, "all others are refused, the second of its own too");
        eq(uint32(bytes4(pool.lastFailure())), uint32(CallbackRefused.selector), "by name");
    }

    /// Anybody may call the fallback with the words of a debt, while a swap runs and while none does.
    function test_aStrangerAsks() public {
        Puppet stranger = new Puppet();
        stranger.onCall(0x12345678, "");
        stranger.thenCall(0x12345678, address(router), _ownDemand(), false);
        (bool called,) = address(stranger).call(hex"12345678");
        eq(tokenA.balanceOf(address(stranger)), 0, "nothing while no swap runs");
        _plan(X2Y, AMOUNT, "", false);
        pool.thenCall(X2Y, address(stranger), hex"12345678", true);
        pool.thenCall(X2Y, address(router), _ownDemand(), true);
        (bool done,) = _try(USER, AMOUNT, _toPuppet(Routes.ZERO_FOR_ONE));
        eq(tokenA.balanceOf(address(stranger)), 0, "nor from within a swap");
        yes(called && done && stranger.failures() == 2, "both are refused");
    }

    /// The debts of v3, Maverick and iZiSwap are one payment in the same words: either callback pays it, and only once.
    function test_aDebtAskedByBothCallbacks() public {
        bytes memory asV3 = abi.encodeWithSelector(V3_CALLBACK, int256(AMOUNT), -int256(1), abi.encode(a, USER));
        _plan(X2Y, AMOUNT, asV3, true);
        pool.thenCall(X2Y, address(router), _ownDemand(), false);
        eq(_swap(AMOUNT, _toPuppet(Routes.ZERO_FOR_ONE)), PAID, "asked as v3's");
        pool.onCall(0x128acb08, abi.encode(-int256(PAID), -int256(PAID)));
        pool.thenCall(0x128acb08, b, abi.encodeCall(PlainToken.transfer, (address(router), PAID)), true);
        pool.thenCall(0x128acb08, address(router), _ownDemand(), true);
        pool.thenCall(0x128acb08, address(router), asV3, false);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, b), Routes.v3(0, 0x01, 0, address(pool)))), PAID, "as iZiSwap's");
        eq(tokenA.balanceOf(USER), 1e30 - 2 * AMOUNT, "exactly");
        eq(pool.failures(), 2, "once each");
    }

    /// The pool's argument is a uint128: what does not fit is refused, not cut off.
    function test_amountsFrom2To128On() public {
        tokenA.mint(USER, 1 << 140);
        tokenA.mint(address(ab), 1 << 130);
        tokenB.mint(address(ab), 1 << 130);
        bytes memory route = bytes.concat(Routes.tokens(a, b), _step(_way(a, b), 0x01, address(ab)));
        for (uint256 index = 0; index < 3; ++index) {
            uint256 amount = [uint256(1) << 128, (1 << 128) + AMOUNT, 1 << 139][index];
            vm.expectRevert();
            _swap(amount, route);
        }
        eq(_swap(type(uint128).max, route), _paid(type(uint128).max), "the largest that fits");
    }
}
