// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {World} from "../world/World.sol";
import {PlainToken} from "../models/Tokens.sol";

/// What a route pays, to the unit, against the pools' own rules.
contract SwapTest is World {
    address private a;
    address private b;
    address private c;
    address private w;
    address private pairAB;
    address private pairAC;
    address private pairAW;
    address private pairBC;
    address private pairBW;
    address private poolAB;
    address private poolAW;
    address private poolBC;
    address private poolBW;

    function setUp() public override {
        super.setUp();
        (a, b, c, w) = (address(tokenA), address(tokenB), address(tokenC), address(wrapped));
        pairAB = _pair(a, 1e24, b, 2e24);
        pairAC = _pair(a, 1e24, c, 1e24);
        pairAW = _pair(a, 1e24, w, 2e24);
        pairBC = _pair(b, 3e24, c, 1e24);
        pairBW = _pair(b, 2e24, w, 1e24);
        poolAB = _pool(a, b, 3000, 2000, 1e24);
        poolAW = _pool(a, w, 3000, 2000, 1e24);
        poolBC = _pool(b, c, 500, 2000, 1e24);
        poolBW = _pool(b, w, 3000, 2000, 1e24);
    }

    function test_fuzz_v2PaysTheFormula(uint256 amount, uint256 reserveIn, uint256 reserveOut, bool direct) public {
        reserveIn = within(reserveIn, 1e6, 1e28);
        reserveOut = within(reserveOut, 1e6, 1e28);
        amount = within(amount, reserveIn / 1e3 + 1, reserveIn);
        address token = address(new PlainToken());
        address pair = _pair(a, reserveIn, token, reserveOut);
        uint256 wanted = _quotePair(pair, a, amount);
        vm.assume(wanted > 0);
        uint8 flags = _way(a, token) | (direct ? Routes.TO_RECIPIENT : 0);
        uint256 paid = _swap(amount, bytes.concat(Routes.tokens(a, token), Routes.v2(flags, 0x01, 0, pair)));
        eq(paid, wanted, "returned");
        eq(PlainToken(token).balanceOf(USER), wanted, "received");
        eq(tokenA.balanceOf(USER), 1e30 - amount, "spent");
        _holdsNothing();
    }

    function test_fuzz_v3PaysTheQuoter(uint256 amount, uint128 liquidity, bool direct, bool reverse) public {
        liquidity = uint128(within(liquidity, 1e18, 1e27));
        amount = within(amount, 1e6, uint256(liquidity) / 10);
        address token = address(new PlainToken());
        _give(token, USER, 1e30);
        vm.prank(USER);
        PlainToken(token).approve(address(router), type(uint256).max);
        address pool = _pool(a, token, 3000, 100, liquidity);
        (address sold, address bought) = reverse ? (token, a) : (a, token);
        uint256 wanted = _quotePool(sold, bought, 3000, amount);
        uint8 flags = _way(sold, bought) | (direct ? Routes.TO_RECIPIENT : 0);
        uint256 paid = _swap(amount, bytes.concat(Routes.tokens(sold, bought), Routes.v3(flags, 0x01, 0, pool)));
        eq(paid, wanted, "paid");
        _holdsNothing();
    }

    function test_fuzz_splitOverV2AndV3(uint256 amount, uint32 share) public {
        amount = within(amount, 1e15, 1e22);
        share = uint32(within(share, 1e6, type(uint32).max - 1e6));
        uint256 first = amount * share >> 32;
        uint256 wanted = _quotePair(pairAB, a, first) + _quotePool(a, b, 3000, amount - first);
        uint8 flags = _way(a, b) | Routes.TO_RECIPIENT;
        uint256 paid = _swap(
            amount,
            bytes.concat(
                Routes.tokens(a, b), Routes.v2(flags, 0x01, share, pairAB), Routes.v3(flags, 0x01, 0, poolAB)
            )
        );
        eq(paid, wanted, "paid");
        eq(tokenA.balanceOf(USER), 1e30 - amount, "spent");
        _holdsNothing();
    }

    function test_fuzz_hopsThroughPrefundedPairs(uint256 amount) public {
        amount = within(amount, 1e12, 1e24);
        (address first, address second) = (pairAB, pairBC);
        uint256 wanted = _quotePair(second, b, _quotePair(first, a, amount));
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c),
            Routes.v2(_way(a, b) | Routes.TO_NEXT, 0x01, 0, first),
            Routes.v2(_way(b, c) | Routes.PREFUNDED | Routes.TO_RECIPIENT, 0x12, 0, second)
        );
        eq(_swap(amount, route), wanted, "paid");
        _holdsNothing();
    }

    function test_fuzz_hopsThroughTheRouter(uint256 amount) public {
        amount = within(amount, 1e12, 1e22);
        (address first, address second) = (poolAB, poolBC);
        uint256 wanted = _quotePool(b, c, 500, _quotePool(a, b, 3000, amount));
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c),
            Routes.v3(_way(a, b), 0x01, 0, first),
            Routes.v3(_way(b, c) | Routes.TO_RECIPIENT, 0x12, 0, second)
        );
        eq(_swap(amount, route), wanted, "paid");
        _holdsNothing();
    }

    function test_fuzz_v3FundsThePairBehindIt(uint256 amount) public {
        amount = within(amount, 1e12, 1e22);
        (address first, address second) = (poolAB, pairBC);
        uint256 wanted = _quotePair(second, b, _quotePool(a, b, 3000, amount));
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c),
            Routes.v3(_way(a, b) | Routes.TO_NEXT, 0x01, 0, first),
            Routes.v2(_way(b, c) | Routes.PREFUNDED | Routes.TO_RECIPIENT, 0x12, 0, second)
        );
        eq(_swap(amount, route), wanted, "paid");
        _holdsNothing();
    }

    function test_fuzz_nativeIn(uint256 amount, bool throughV3) public {
        amount = within(amount, 1e12, 1e21);
        address target = throughV3 ? poolBW : pairBW;
        uint256 wanted = throughV3 ? _quotePool(w, b, 3000, amount) : _quotePair(target, w, amount);
        uint8 flags = _way(w, b) | Routes.TO_RECIPIENT;
        bytes memory route = bytes.concat(
            Routes.tokens(NATIVE, w, b),
            Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, w),
            throughV3 ? Routes.v3(flags, 0x12, 0, target) : Routes.v2(flags, 0x12, 0, target)
        );
        uint256 before = USER.balance;
        vm.prank(USER);
        eq(router.swap{value: amount}(amount, 1, address(0), Terms.PLAIN, route), wanted, "paid");
        eq(before - USER.balance, amount, "spent");
        _holdsNothing();
    }

    function test_fuzz_nativeOut(uint256 amount, bool throughV3) public {
        amount = within(amount, 1e12, 1e21);
        address target = throughV3 ? poolAW : pairAW;
        uint256 wanted = throughV3 ? _quotePool(a, w, 3000, amount) : _quotePair(target, a, amount);
        uint8 flags = _way(a, w);
        bytes memory route = bytes.concat(
            Routes.tokens(a, w, NATIVE),
            throughV3 ? Routes.v3(flags, 0x01, 0, target) : Routes.v2(flags, 0x01, 0, target),
            Routes.step(Routes.WRAP, 0, 0x12, 0, w)
        );
        uint256 before = USER.balance;
        eq(_swap(amount, route), wanted, "paid");
        eq(USER.balance - before, wanted, "received");
        _holdsNothing();
    }

    function test_fuzz_wrapAndUnwrap(uint256 amount) public {
        amount = within(amount, 1, 1e22);
        uint256 nativeBefore = USER.balance;
        uint256 wrappedBefore = wrapped.balanceOf(USER);
        bytes memory wrap =
            bytes.concat(Routes.tokens(NATIVE, w), Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, w));
        vm.prank(USER);
        eq(router.swap{value: amount}(amount, amount, address(0), Terms.PLAIN, wrap), amount, "wrapped");
        eq(wrapped.balanceOf(USER) - wrappedBefore, amount, "got wrapped");
        bytes memory unwrap = bytes.concat(Routes.tokens(w, NATIVE), Routes.step(Routes.WRAP, 0, 0x01, 0, w));
        eq(_swap(amount, amount, Terms.PLAIN, unwrap), amount, "unwrapped");
        eq(USER.balance, nativeBefore, "native is back");
        _holdsNothing();
    }

    function test_fuzz_threeWaySplitThatMerges(uint256 amount, uint32 first, uint32 second) public {
        amount = within(amount, 1e15, 1e22);
        first = uint32(within(first, 1e8, type(uint32).max - 1e8));
        second = uint32(within(second, 1e8, type(uint32).max - 1e8));
        (address direct, address left, address right, address last) = (pairAC, pairAB, poolAB, pairBC);
        uint256 one = amount * first >> 32;
        uint256 two = (amount - one) * second >> 32;
        uint256 middle = _quotePair(left, a, two) + _quotePool(a, b, 3000, amount - one - two);
        uint256 wanted = _quotePair(direct, a, one) + _quotePair(last, b, middle);
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c),
            Routes.v2(_way(a, c) | Routes.TO_RECIPIENT, 0x02, first, direct),
            Routes.v2(_way(a, b), 0x01, second, left),
            Routes.v3(_way(a, b), 0x01, 0, right),
            Routes.v2(_way(b, c) | Routes.TO_RECIPIENT, 0x12, 0, last)
        );
        eq(_swap(amount, route), wanted, "paid");
        eq(tokenA.balanceOf(USER), 1e30 - amount, "spent");
        _holdsNothing();
    }

    function test_recipientIsPaid() public {
        address pair = pairAB;
        uint256 wanted = _quotePair(pair, a, 1e20);
        bytes memory route =
            bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b) | Routes.TO_RECIPIENT, 0x01, 0, pair));
        vm.prank(USER);
        eq(router.swap(1e20, wanted, OTHER, Terms.PLAIN, route), wanted, "paid");
        eq(tokenB.balanceOf(OTHER), wanted, "received");
    }

    function test_slippageSaysMinReturn() public {
        address pair = pairAB;
        uint256 wanted = _quotePair(pair, a, 1e20);
        bytes memory route = bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x01, 0, pair));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "min return not reached"));
        _swap(1e20, wanted + 1, Terms.PLAIN, route);
    }
}
