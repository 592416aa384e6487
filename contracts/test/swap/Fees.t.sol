// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {IRouter, World} from "../world/World.sol";
import {Puppet} from "../models/Puppet.sol";
import {HookedToken} from "../models/Tokens.sol";

/// Fees are exact: floor(amount·bps / 10,000), the sell fee before the route, the buy fee after it.
contract FeesTest is World {
    address private a;
    address private b;
    address private w;
    address private pair;
    address private pool;

    function setUp() public override {
        super.setUp();
        (a, b, w) = (address(tokenA), address(tokenB), address(wrapped));
        pair = _pair(a, 1e24, b, 2e24);
        pool = _pool(a, b, 3000, 2000, 1e24);
    }

    function test_fuzz_bothFeesExact(uint256 amount, uint16 sellBps, uint16 buyBps, bool throughV3) public {
        amount = within(amount, 1e12, 1e22);
        sellBps = uint16(within(sellBps, 0, 5000));
        buyBps = uint16(within(buyBps, 1, 5000));
        address target = throughV3 ? pool : pair;
        uint256 sellFee = amount * sellBps / 10_000;
        uint256 gross =
            throughV3 ? _quotePool(a, b, 3000, amount - sellFee) : _quotePair(target, a, amount - sellFee);
        uint256 buyFee = gross * buyBps / 10_000;
        bytes memory route = bytes.concat(
            Routes.tokens(a, b),
            throughV3 ? Routes.v3(_way(a, b), 0x01, 0, target) : Routes.v2(_way(a, b), 0x01, 0, target)
        );
        eq(_swap(amount, gross - buyFee, Terms.fees(sellBps, buyBps, FEES), route), gross - buyFee, "paid");
        eq(tokenA.balanceOf(USER), 1e30 - amount, "spent");
        eq(tokenA.balanceOf(FEES), sellFee, "sell fee");
        eq(tokenB.balanceOf(FEES), buyFee, "buy fee");
        eq(tokenB.balanceOf(USER), 1e30 + gross - buyFee, "received");
        _holdsNothing();
    }

    function test_fuzz_nativeFeesStayNative(uint256 amount, uint16 sellBps, uint16 buyBps) public {
        amount = within(amount, 1, 1e22);
        sellBps = uint16(within(sellBps, 0, 4999));
        buyBps = uint16(within(buyBps, 0, 4999));
        uint256 sellFee = amount * sellBps / 10_000;
        bytes memory wrap =
            bytes.concat(Routes.tokens(NATIVE, w), Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, w));
        vm.prank(USER);
        uint256 got = router.swap{value: amount}(amount, 1, OTHER, Terms.fees(sellBps, 0, FEES), wrap);
        eq(FEES.balance, sellFee, "sell fee in native");
        eq(got, amount - sellFee, "the rest is wrapped");

        uint256 before = USER.balance;
        bytes memory unwrap = bytes.concat(Routes.tokens(w, NATIVE), Routes.step(Routes.WRAP, 0, 0x01, 0, w));
        uint256 buyFee = amount * buyBps / 10_000;
        _swap(amount, amount - buyFee, Terms.fees(0, buyBps, FEES), unwrap);
        eq(FEES.balance, sellFee + buyFee, "buy fee in native");
        eq(USER.balance - before, amount - buyFee, "the rest is paid");
        _holdsNothing();
    }

    function test_feeRecipientMayBeTheRecipient() public {
        uint256 gross = _quotePair(pair, a, 1e20);
        bytes memory route = bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x01, 0, pair));
        uint256 net = gross - gross * 100 / 10_000;
        eq(_swap(1e20, net, Terms.fees(0, 100, USER), route), net, "the minimum counts the payout alone");
        eq(tokenB.balanceOf(USER), 1e30 + gross, "both arrive");
    }

    function test_theMinimumIsNetOfTheBuyFee() public {
        uint256 gross = _quotePair(pair, a, 1e20);
        bytes memory route = bytes.concat(Routes.tokens(a, b), Routes.v2(_way(a, b), 0x01, 0, pair));
        uint256 net = gross - gross * 100 / 10_000;
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "min return not reached"));
        _swap(1e20, net + 1, Terms.fees(0, 100, FEES), route);
    }

    /// Fees and output go out under the lock: what the router holds then is the taker's, and a swap could claim it.
    function test_whoIsPaidCannotSwap() public {
        HookedToken bought = new HookedToken();
        address pairAH = pairs.createPair(a, address(bought));
        tokenA.mint(pairAH, 1e24);
        bought.mint(pairAH, 1e24);
        (bool ready,) = pairAH.call(abi.encodeWithSignature("mint(address)", address(this)));
        yes(ready, "the pair is ready");
        bytes4 moved = bytes4(keccak256("tokensMoved(address,address,uint256)"));
        bytes memory nested = abi.encodeCall(IRouter.swap, (1, 1, OTHER, Terms.PLAIN, Routes.tokens(b, address(bought))));
        Puppet[2] memory hooks;
        for (uint256 index = 0; index < 2; ++index) {
            hooks[index] = new Puppet();
            hooks[index].thenCall(moved, address(router), nested, false);
            vm.prank([FEES, USER][index]);
            bought.setHook(address(hooks[index]));
        }
        bytes memory step = Routes.v2(_way(a, address(bought)), 0x01, 0, pairAH);
        _swap(1e18, 1, Terms.fees(0, 100, FEES), bytes.concat(Routes.tokens(a, address(bought)), step));
        for (uint256 index = 0; index < 2; ++index) {
            eq(uint32(bytes4(hooks[index].lastFailure())), uint32(Reentered.selector), "refused by the lock");
        }
    }

    function test_hugeAmountsDoNotOverflowTheFee() public {
        tokenA.mint(USER, type(uint256).max - tokenA.totalSupply());
        uint256 amount = tokenA.balanceOf(USER);
        uint256 fee = amount / 10_000 * 5000 + amount % 10_000 * 5000 / 10_000;
        // Nothing can sell the rest; the refusal shows that the fee was taken and the rest offered to the next step.
        bytes memory route = bytes.concat(Routes.tokens(a, b), Routes.step(0x63, 0, 0x01, 0, a));
        vm.expectRevert(abi.encodeWithSelector(UnknownKind.selector, 0x63));
        _swap(amount, 1, Terms.fees(5000, 0, FEES), route);
        vm.expectRevert(abi.encodeWithSelector(LeftOver.selector, a, amount - fee));
        _swap(amount, 1, Terms.fees(5000, 0, FEES), Routes.tokens(a, b));
    }

    function test_refusedFees() public {
        bytes memory route = Routes.tokens(a, b);
        _refuse(abi.encodeWithSelector(FeeTooHigh.selector, 5001, 5000), Terms.fees(5001, 0, FEES), route);
        _refuse(abi.encodeWithSelector(BadFeeRecipient.selector, address(0)), Terms.fees(1, 0, address(0)), route);
        _refuse(abi.encodeWithSelector(BadFeeRecipient.selector, address(0)), Terms.fees(0, 1, address(0)), route);
        _refuse(
            abi.encodeWithSelector(BadFeeRecipient.selector, address(router)),
            Terms.fees(0, 1, address(router)),
            route
        );
        bytes memory swaps = bytes.concat(route, Routes.v2(_way(a, b), 0x01, 0, pair));
        _refuse(abi.encodeWithSelector(FeeTooHigh.selector, 5001, 5000), Terms.fees(0, 5001, FEES), swaps);
        bytes memory direct =
            bytes.concat(route, Routes.v2(_way(a, b) | Routes.TO_RECIPIENT, 0x01, 0, pair));
        _refuse(abi.encodeWithSelector(BadDirectPayout.selector, 1), Terms.fees(0, 1, FEES), direct);
    }

    function test_aFeeRecipientThatRefusesNative() public {
        bytes memory wrap =
            bytes.concat(Routes.tokens(NATIVE, w), Routes.step(Routes.WRAP, Routes.ZERO_FOR_ONE, 0x01, 0, w));
        address refuses = address(tokenA);
        vm.expectRevert(abi.encodeWithSelector(NativeRefused.selector, refuses, 100));
        vm.prank(USER);
        router.swap{value: 10_000}(10_000, 1, OTHER, Terms.fees(100, 0, refuses), wrap);
    }

    function _refuse(bytes memory reason, uint256 terms, bytes memory route) private {
        vm.expectRevert(reason);
        _swap(1e20, 1, terms, route);
    }
}
