// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {
    CurveModel,
    DodoModel,
    LiquidityBookModel,
    LiquidityBookOldModel,
    MaverickModel,
    Priced,
    SolidlyModel,
    WooModel
} from "../models/Pools.sol";
import {Puppet} from "../models/Puppet.sol";

/// Every design beside Uniswap's that has a price of its own.
contract DesignsTest is Crossings {
    function test_solidly() public {
        SolidlyModel ab = new SolidlyModel(a, b);
        SolidlyModel bc = new SolidlyModel(b, c);
        ab.setRate(9e17);
        bc.setRate(11e17);
        _stock(address(ab));
        _stock(address(bc));
        ab.sync();
        bc.sync();
        uint256 out = AMOUNT * 9 / 10;
        _alone(Routes.step(Routes.SOLIDLY, _way(a, b), 0x01, 0, address(ab)), out);
        _alone(Routes.step(Routes.SOLIDLY, _way(a, b) | DIRECT, 0x01, 0, address(ab)), out);
        _behind(Routes.step(Routes.SOLIDLY, _way(b, c) | DIRECT, 0x12, 0, address(bc)), 11e17);
        _before(Routes.step(Routes.SOLIDLY, _way(a, b) | Routes.TO_NEXT, 0x01, 0, address(ab)), out);
        bytes memory funds = Routes.v2(_way(a, b) | Routes.TO_NEXT, 0x01, 0, pairAB);
        bytes memory last =
            Routes.step(Routes.SOLIDLY, _way(b, c) | Routes.PREFUNDED | DIRECT, 0x12, 0, address(bc));
        uint256 wanted = _quotePair(pairAB, a, AMOUNT) * 11 / 10;
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, b, c), funds, last)), wanted, "prefunded");
    }

    function _curve(uint8 path, uint8 i, uint8 j, uint8 variant) private view returns (bytes memory) {
        return bytes.concat(Routes.step(Routes.CURVE, 0, path, 0, address(curve)), bytes1(i), bytes1(j), bytes1(variant));
    }

    CurveModel private curve;

    function _makeCurve(address x, address y, address z) private {
        address[] memory coins = new address[](3);
        (coins[0], coins[1], coins[2]) = (x, y, z);
        curve = new CurveModel(coins);
        curve.setRate(95e16);
        _stock(address(curve));
        vm.deal(address(curve), 1e24);
    }

    function test_curveInAllVariants() public {
        _makeCurve(a, b, c);
        uint256 out = AMOUNT * 95e16 / 1e18;
        _alone(_curve(0x01, 0, 1, 0), out);
        _alone(_curve(0x01, 0, 1, 1), out);
        _behind(_curve(0x12, 1, 2, 0), 95e16);
        _behind(_curve(0x12, 1, 2, 1), 95e16);
        _behind(_curve(0x12, 0, 1, 2), 95e16);
        _behind(_curve(0x12, 0, 1, 3), 95e16);
        _alone(_curve(0x01, 0, 1, 4), out);
        _behind(_curve(0x12, 1, 2, 4), 95e16);
        for (uint8 variant = 5; variant < 8; ++variant) {
            vm.expectRevert(abi.encodeWithSelector(UnknownVariant.selector, variant));
            _swap(AMOUNT, bytes.concat(Routes.tokens(a, b), _curve(0x01, 0, 1, variant)));
        }
    }

    function test_curveWithNativeCoins() public {
        _makeCurve(NATIVE, b, c);
        bytes memory sells = bytes.concat(Routes.tokens(NATIVE, b), _curve(0x01, 0, 1, 0));
        vm.prank(USER);
        uint256 out = router.swap{value: AMOUNT}(AMOUNT, 1, address(0), Terms.PLAIN, sells);
        eq(out, AMOUNT * 95e16 / 1e18, "native in");
        uint256 before = USER.balance;
        out = _swap(AMOUNT, bytes.concat(Routes.tokens(b, NATIVE), _curve(0x01, 1, 0, 1)));
        eq(out, AMOUNT * 95e16 / 1e18, "native out");
        eq(USER.balance - before, out, "received");
        _holdsNothing();
    }

    function test_aPoolThatPullsTooLittle() public {
        _makeCurve(a, b, c);
        curve.setPulls(999);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(curve)));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _curve(0x01, 0, 1, 0)));
    }

    function test_aPoolThatPullsTooMuch() public {
        _makeCurve(a, b, c);
        curve.setPulls(1001);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: allowance"));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _curve(0x01, 0, 1, 0)));
    }

    function test_designsThatPayTheRouterAlone() public {
        _makeCurve(a, b, c);
        bytes memory step = _curve(0x01, 0, 1, 0);
        step[1] = bytes1(DIRECT);
        vm.expectRevert(abi.encodeWithSelector(BadDirectPayout.selector, 1));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), step));
    }

    function test_dodoV1SellsBaseAlone() public {
        DodoModel ab = new DodoModel(a, b);
        ab.setRate(7e17);
        _stock(address(ab));
        _alone(Routes.step(10, Routes.ZERO_FOR_ONE, 0x01, 0, address(ab)), AMOUNT * 7e17 / 1e18);
        vm.expectRevert(abi.encodeWithSelector(UnknownVariant.selector, 0));
        _swap(1e18, bytes.concat(Routes.tokens(b, a), Routes.step(10, 0, 0x01, 0, address(ab))));
    }

    function test_wooFi() public {
        WooModel pool = new WooModel();
        pool.setRate(13e17);
        _stock(address(pool));
        pool.sync(a);
        pool.sync(b);
        pool.sync(c);
        uint256 out = AMOUNT * 13e17 / 1e18;
        _alone(Routes.step(13, 0, 0x01, 0, address(pool)), out);
        _alone(Routes.step(13, DIRECT, 0x01, 0, address(pool)), out);
        _behind(Routes.step(13, DIRECT, 0x12, 0, address(pool)), 13e17);
        _before(Routes.step(13, Routes.TO_NEXT, 0x01, 0, address(pool)), out);
    }

    /// Pools of two tokens that are alike to the router: A→B with the direction set, C→B without.
    function _bothWays(uint8 kind, Priced ab, Priced cb, uint256 rate) private {
        ab.setRate(rate);
        cb.setRate(rate);
        (address onward, address back) = (address(ab), address(cb));
        uint256 out = AMOUNT * rate / 1e18;
        _alone(Routes.step(kind, Routes.ZERO_FOR_ONE, 0x01, 0, onward), out);
        _alone(Routes.step(kind, Routes.ZERO_FOR_ONE | DIRECT, 0x01, 0, onward), out);
        _behind(Routes.step(kind, DIRECT, 0x12, 0, back), rate);
        _before(Routes.step(kind, Routes.ZERO_FOR_ONE | Routes.TO_NEXT, 0x01, 0, onward), out);
    }

    function test_dodoV2() public {
        (DodoModel ab, DodoModel cb) = (new DodoModel(a, b), new DodoModel(c, b));
        _stock(address(ab));
        _stock(address(cb));
        ab.sync();
        cb.sync();
        _bothWays(9, ab, cb, 7e17);
    }

    function test_liquidityBook() public {
        (LiquidityBookModel ab, LiquidityBookModel cb) = (new LiquidityBookModel(a, b), new LiquidityBookModel(c, b));
        _stock(address(ab));
        _stock(address(cb));
        ab.sync();
        cb.sync();
        _bothWays(12, ab, cb, 6e17);
    }

    function test_liquidityBookOfTheFirstVersion() public {
        LiquidityBookOldModel ab = new LiquidityBookOldModel(a, b);
        LiquidityBookOldModel cb = new LiquidityBookOldModel(c, b);
        _stock(address(ab));
        _stock(address(cb));
        ab.sync();
        cb.sync();
        _bothWays(12, ab, cb, 6e17);
    }

    /// Neither version answers less than a word; words beyond the second are nobody's.
    function test_liquidityBooksThatAnswerOtherwise() public {
        Puppet pair = new Puppet();
        bytes memory route =
            bytes.concat(Routes.tokens(a, b), Routes.step(12, Routes.ZERO_FOR_ONE, 0x01, 0, address(pair)));
        bytes4 swap = bytes4(keccak256("swap(bool,address)"));
        pair.onCall(swap, new bytes(31));
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, address(pair)));
        _swap(1e18, route);
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, OTHER));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), Routes.step(12, 0, 0x01, 0, OTHER)));
        // More than a word and less than two is the newer answer; what it claims and has not paid fails.
        pair.onCall(swap, bytes.concat(abi.encode(uint256(7) << 128), new bytes(31)));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: balance"));
        _swap(1e18, route);
        pair.thenCall(swap, b, abi.encodeWithSignature("transfer(address,uint256)", address(router), 7), true);
        tokenB.mint(address(pair), 21);
        eq(_swap(1e18, route), 7, "one word and some");
        pair.onCall(swap, abi.encode(uint256(9) << 128, uint256(7), uint256(5)));
        pair.thenCall(swap, b, abi.encodeWithSignature("transfer(address,uint256)", address(router), 7), true);
        eq(_swap(1e18, route), 7, "two words and some");
        // Of the newer answer the other half is nothing to who sells Y.
        pair.onCall(swap, abi.encode((uint256(9) << 128) + 7));
        pair.thenCall(swap, b, abi.encodeWithSignature("transfer(address,uint256)", address(router), 7), true);
        eq(_swap(1e18, bytes.concat(Routes.tokens(a, b), Routes.step(12, 0, 0x01, 0, address(pair)))), 7, "X alone");
        _holdsNothing();
    }

    function test_maverickV1() public {
        (MaverickModel ab, MaverickModel cb) = (new MaverickModel(a, b), new MaverickModel(c, b));
        _stock(address(ab));
        _stock(address(cb));
        _bothWays(14, ab, cb, 14e17);
    }
}
