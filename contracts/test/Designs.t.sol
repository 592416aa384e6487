// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../Errors.sol";
import {Crossings} from "./Crossings.sol";
import {Routes, Terms} from "./Routes.sol";
import {vm} from "./Vm.sol";
import {
    CurveModel,
    DodoModel,
    LiquidityBookModel,
    MaverickModel,
    Priced,
    SolidlyModel,
    WooModel
} from "./models/Pools.sol";
import {BalancerV2Model, BalancerV3Model} from "./models/Vaults.sol";

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

    function test_balancerV2() public {
        BalancerV2Model vault = new BalancerV2Model();
        vault.setRate(8e17);
        _stock(address(vault));
        vm.deal(address(vault), 1e24);
        bytes32 pool = vault.POOL();
        uint256 out = AMOUNT * 8e17 / 1e18;
        _alone(bytes.concat(Routes.step(Routes.BALANCER_V2, 0, 0x01, 0, address(vault)), pool), out);
        _alone(bytes.concat(Routes.step(Routes.BALANCER_V2, DIRECT, 0x01, 0, address(vault)), pool), out);
        _behind(bytes.concat(Routes.step(Routes.BALANCER_V2, DIRECT, 0x12, 0, address(vault)), pool), 8e17);
        _before(bytes.concat(Routes.step(Routes.BALANCER_V2, Routes.TO_NEXT, 0x01, 0, address(vault)), pool), out);

        bytes memory step = bytes.concat(Routes.step(Routes.BALANCER_V2, 0, 0x01, 0, address(vault)), pool);
        vm.prank(USER);
        uint256 got =
            router.swap{value: AMOUNT}(AMOUNT, 1, address(0), Terms.PLAIN, bytes.concat(Routes.tokens(NATIVE, b), step));
        eq(got, out, "native in");
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, NATIVE), step)), out, "native out");
        _holdsNothing();
    }

    function _balancerV3(BalancerV3Model vault, uint8 flags, uint8 path) private pure returns (bytes memory) {
        return bytes.concat(Routes.step(8, flags, path, 0, address(vault)), bytes20(address(0xb001)));
    }

    function test_balancerV3() public {
        BalancerV3Model vault = new BalancerV3Model();
        vault.setRate(12e17);
        _stock(address(vault));
        vault.sync(a);
        vault.sync(b);
        vault.sync(c);
        uint256 out = AMOUNT * 12e17 / 1e18;
        _alone(_balancerV3(vault, 0, 0x01), out);
        _alone(_balancerV3(vault, DIRECT, 0x01), out);
        _behind(_balancerV3(vault, 0, 0x12), 12e17);
        _behind(_balancerV3(vault, DIRECT, 0x12), 12e17);
        _before(_balancerV3(vault, Routes.TO_NEXT, 0x01), out);
        vault.setTakes(999);
        vm.expectRevert(abi.encodeWithSelector(PartialFill.selector, address(0xb001), 1e18, 999e15));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _balancerV3(vault, DIRECT, 0x01)));
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

    function test_maverickV1() public {
        (MaverickModel ab, MaverickModel cb) = (new MaverickModel(a, b), new MaverickModel(c, b));
        _stock(address(ab));
        _stock(address(cb));
        _bothWays(14, ab, cb, 14e17);
    }
}
