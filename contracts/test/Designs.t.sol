// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../Errors.sol";
import {Routes, Terms} from "./Routes.sol";
import {vm} from "./Vm.sol";
import {World} from "./World.sol";
import {ConverterModel} from "./models/Converter.sol";
import {
    BalancerV2Model,
    BalancerV3Model,
    CurveModel,
    DodoModel,
    LiquidityBookModel,
    MaverickModel,
    SolidlyModel,
    VaultModel,
    WooModel
} from "./models/Pools.sol";

/// Every design beside Uniswap's: sold by the user and out of the router, paid to the router and to the recipient,
/// between two pairs. A route is pair A→B, design B→C, or design A→B alone.
contract DesignsTest is World {
    uint256 private constant AMOUNT = 3e18 + 7;
    uint8 private constant DIRECT = Routes.TO_RECIPIENT;

    address private a;
    address private b;
    address private c;
    address private pairAB;

    function setUp() public override {
        super.setUp();
        (a, b, c) = (address(tokenA), address(tokenB), address(tokenC));
        pairAB = _pair(a, 1e24, b, 1e24);
    }

    function _stock(address pool) private {
        tokenA.mint(pool, 1e24);
        tokenB.mint(pool, 1e24);
        tokenC.mint(pool, 1e24);
    }

    /// Sells A for B by the step alone: the user pays.
    function _alone(bytes memory step, uint256 wanted) private {
        uint256 state = vm.snapshotState();
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, b), step)), wanted, "alone");
        eq(tokenA.balanceOf(USER), 1e30 - AMOUNT, "spent");
        _holdsNothing();
        vm.revertToState(state);
    }

    /// Sells A for B by the pair, B for C by the step: the router pays.
    function _behind(bytes memory step, uint256 rate) private {
        uint256 state = vm.snapshotState();
        uint256 middle = _quotePair(pairAB, a, AMOUNT);
        bytes memory first = Routes.v2(_way(a, b), 0x01, 0, pairAB);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, b, c), first, step)), middle * rate / 1e18, "behind");
        _holdsNothing();
        vm.revertToState(state);
    }

    /// Sells A for B by the step, which pays the pair that sells B for C.
    function _before(bytes memory step, uint256 middle) private {
        uint256 state = vm.snapshotState();
        address pairBC = _pair(b, 1e24, c, 1e24);
        uint256 wanted = _quotePair(pairBC, b, middle);
        bytes memory last = Routes.v2(_way(b, c) | Routes.PREFUNDED | DIRECT, 0x12, 0, pairBC);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, b, c), step, last)), wanted, "before");
        _holdsNothing();
        vm.revertToState(state);
    }

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

    function test_erc4626() public {
        VaultModel vault = new VaultModel(b);
        vault.setRate(5e17);
        address v = address(vault);
        bytes memory pair = Routes.v2(_way(a, b), 0x01, 0, pairAB);
        uint256 assets = _quotePair(pairAB, a, AMOUNT);
        bytes memory deposit = bytes.concat(Routes.step(11, Routes.ZERO_FOR_ONE | DIRECT, 0x12, 0, v), hex"00");
        uint256 shares = _swap(AMOUNT, bytes.concat(Routes.tokens(a, b, v), pair, deposit));
        eq(shares, assets / 2, "shares");
        eq(vault.balanceOf(USER), shares, "received");

        vm.prank(USER);
        vault.approve(address(router), type(uint256).max);
        bytes memory redeem = bytes.concat(Routes.step(11, DIRECT, 0x01, 0, v), hex"00");
        eq(_swap(shares, bytes.concat(Routes.tokens(v, b), redeem)), shares * 2, "assets");
        eq(vault.balanceOf(USER), 0, "shares are gone");
        _holdsNothing();
    }

    function test_rateWrappers() public {
        VaultModel wrapper = new VaultModel(b);
        wrapper.setRate(5e17);
        address v = address(wrapper);
        bytes memory wrap = bytes.concat(Routes.step(11, Routes.ZERO_FOR_ONE, 0x01, 0, v), hex"01");
        uint256 shares = _swap(AMOUNT, bytes.concat(Routes.tokens(b, v), wrap));
        eq(shares, AMOUNT / 2, "wrapped");
        vm.prank(USER);
        wrapper.approve(address(router), type(uint256).max);
        bytes memory unwrap = bytes.concat(Routes.step(11, 0, 0x01, 0, v), hex"01");
        eq(_swap(shares, bytes.concat(Routes.tokens(v, b), unwrap)), shares * 2, "unwrapped");
        _holdsNothing();
    }

    /// Shares pulled for a vault that is not their own would stay in the router.
    function test_vaultsThatAreNotTheToken() public {
        VaultModel vault = new VaultModel(b);
        for (uint8 variant = 0; variant < 2; ++variant) {
            bytes memory step = bytes.concat(Routes.step(11, 0, 0x01, 0, address(vault)), bytes1(variant));
            vm.expectRevert(abi.encodeWithSelector(BadWrapper.selector, address(vault)));
            _swap(1e18, bytes.concat(Routes.tokens(a, b), step));
        }
        vm.expectRevert(abi.encodeWithSelector(UnknownVariant.selector, 2));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), Routes.step(11, 0, 0x01, 0, address(vault)), hex"02"));
    }

    function test_dodoV2() public {
        DodoModel ab = new DodoModel(a, b);
        DodoModel cb = new DodoModel(c, b);
        ab.setRate(7e17);
        cb.setRate(7e17);
        _stock(address(ab));
        _stock(address(cb));
        ab.sync();
        cb.sync();
        uint256 out = AMOUNT * 7e17 / 1e18;
        _alone(Routes.step(9, Routes.ZERO_FOR_ONE, 0x01, 0, address(ab)), out);
        _alone(Routes.step(9, Routes.ZERO_FOR_ONE | DIRECT, 0x01, 0, address(ab)), out);
        _behind(Routes.step(9, DIRECT, 0x12, 0, address(cb)), 7e17);
        _before(Routes.step(9, Routes.ZERO_FOR_ONE | Routes.TO_NEXT, 0x01, 0, address(ab)), out);
    }

    function test_dodoV1SellsBaseAlone() public {
        DodoModel ab = new DodoModel(a, b);
        ab.setRate(7e17);
        _stock(address(ab));
        _alone(Routes.step(10, Routes.ZERO_FOR_ONE, 0x01, 0, address(ab)), AMOUNT * 7e17 / 1e18);
        vm.expectRevert(abi.encodeWithSelector(UnknownVariant.selector, 0));
        _swap(1e18, bytes.concat(Routes.tokens(b, a), Routes.step(10, 0, 0x01, 0, address(ab))));
    }

    function test_liquidityBook() public {
        LiquidityBookModel ab = new LiquidityBookModel(a, b);
        LiquidityBookModel cb = new LiquidityBookModel(c, b);
        ab.setRate(6e17);
        cb.setRate(6e17);
        _stock(address(ab));
        _stock(address(cb));
        ab.sync();
        cb.sync();
        uint256 out = AMOUNT * 6e17 / 1e18;
        _alone(Routes.step(12, Routes.ZERO_FOR_ONE, 0x01, 0, address(ab)), out);
        _alone(Routes.step(12, Routes.ZERO_FOR_ONE | DIRECT, 0x01, 0, address(ab)), out);
        _behind(Routes.step(12, DIRECT, 0x12, 0, address(cb)), 6e17);
        _before(Routes.step(12, Routes.ZERO_FOR_ONE | Routes.TO_NEXT, 0x01, 0, address(ab)), out);
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

    function _converter(uint8 flags, uint8 path, uint8 functions) private view returns (bytes memory) {
        return bytes.concat(Routes.step(24, flags, path, 0, address(converter)), bytes1(functions));
    }

    ConverterModel private converter;

    function _makeConverter(address x, address y) private {
        converter = new ConverterModel(x, y);
        _stock(address(converter));
    }

    function test_converterOneToOne() public {
        _makeConverter(a, b);
        _alone(_converter(Routes.ZERO_FOR_ONE, 0x01, 0), AMOUNT);
        _alone(_converter(Routes.ZERO_FOR_ONE | DIRECT, 0x01, 0), AMOUNT);
        _before(_converter(Routes.ZERO_FOR_ONE | Routes.TO_NEXT, 0x01, 0), AMOUNT);
        _makeConverter(c, b);
        _behind(_converter(0, 0x12, 0), 1e18);
        _behind(_converter(DIRECT, 0x12, 0), 1e18);
    }

    function test_converterAtARate() public {
        _makeConverter(a, b);
        converter.setRate(24000e18);
        tokenB.mint(address(converter), 1e30);
        _alone(_converter(Routes.ZERO_FOR_ONE | DIRECT, 0x01, 1), AMOUNT * 24000);
        _makeConverter(b, a);
        converter.setRate(24000e18);
        // Rounds down on the way back, and takes all the same.
        _alone(_converter(DIRECT, 0x01, 1), AMOUNT / 24000);
    }

    function test_converterRefusals() public {
        _makeConverter(a, b);
        bytes memory table = Routes.tokens(a, b);
        vm.expectRevert(abi.encodeWithSelector(UnknownVariant.selector, 2));
        _swap(AMOUNT, bytes.concat(table, _converter(Routes.ZERO_FOR_ONE, 0x01, 2)));
        converter.setPulls(999);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(converter)));
        _swap(AMOUNT, bytes.concat(table, _converter(Routes.ZERO_FOR_ONE, 0x01, 0)));
        // The wrong direction sells what was not approved: the converter's own reason comes through.
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: allowance"));
        _swap(AMOUNT, bytes.concat(table, _converter(0, 0x01, 0)));
    }

    function test_maverickV1() public {
        MaverickModel ab = new MaverickModel(a, b);
        MaverickModel cb = new MaverickModel(c, b);
        ab.setRate(14e17);
        cb.setRate(14e17);
        _stock(address(ab));
        _stock(address(cb));
        uint256 out = AMOUNT * 14e17 / 1e18;
        _alone(Routes.step(14, Routes.ZERO_FOR_ONE, 0x01, 0, address(ab)), out);
        _alone(Routes.step(14, Routes.ZERO_FOR_ONE | DIRECT, 0x01, 0, address(ab)), out);
        _behind(Routes.step(14, DIRECT, 0x12, 0, address(cb)), 14e17);
        _before(Routes.step(14, Routes.ZERO_FOR_ONE | Routes.TO_NEXT, 0x01, 0, address(ab)), out);
    }
}
