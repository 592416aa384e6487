// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {ConverterModel} from "../models/Converter.sol";
import {VaultModel} from "../models/Vaults.sol";

/// Designs that turn a token into another at a rate of their own: vaults, wrappers, converters.
contract WrappersTest is Crossings {
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

    /// Shares pulled for a vault that is not their own would stay in the router, and so would what a vault pays in shares
    /// that the route does not name.
    function test_vaultsThatAreNotTheToken() public {
        VaultModel vault = new VaultModel(b);
        for (uint8 variant = 0; variant < 2; ++variant) {
            for (uint8 way = 0; way < 2; ++way) {
                bytes memory step = bytes.concat(Routes.step(11, way, 0x01, 0, address(vault)), bytes1(variant));
                vm.expectRevert(abi.encodeWithSelector(BadWrapper.selector, address(vault)));
                _swap(1e18, bytes.concat(way == 0 ? Routes.tokens(a, b) : Routes.tokens(b, a), step));
            }
        }
        bytes memory unknown = bytes.concat(Routes.step(11, Routes.ZERO_FOR_ONE, 0x01, 0, address(vault)), hex"02");
        vm.expectRevert(abi.encodeWithSelector(UnknownVariant.selector, 2));
        _swap(1e18, bytes.concat(Routes.tokens(b, address(vault)), unknown));
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

    /// Spark's module is told both tokens, so the direction bit has no meaning.
    function test_moduleOfThreeCoins() public {
        _makeConverter(a, b);
        converter.setRate(2e18);
        tokenB.mint(address(converter), 1e30);
        _alone(_converter(0, 0x01, 2), AMOUNT * 2);
        _alone(_converter(Routes.ZERO_FOR_ONE | DIRECT, 0x01, 2), AMOUNT * 2);
        _before(_converter(Routes.TO_NEXT, 0x01, 2), AMOUNT * 2);
        _makeConverter(b, a);
        converter.setRate(2e18);
        _alone(_converter(DIRECT, 0x01, 2), AMOUNT / 2);
        converter.setPulls(999);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(converter)));
        _swap(AMOUNT, bytes.concat(Routes.tokens(a, b), _converter(0, 0x01, 2)));
    }

    /// 16 + 12: a module that pays 10^12 units of its second token for one of the first.
    function test_moduleBothWays() public {
        _makeConverter(a, b);
        converter.setRate(1e30);
        tokenB.mint(address(converter), 1e40);
        _alone(_converter(Routes.ZERO_FOR_ONE, 0x01, 28), AMOUNT * 1e12);
        _alone(_converter(Routes.ZERO_FOR_ONE | DIRECT, 0x01, 28), AMOUNT * 1e12);
        _makeConverter(b, a);
        converter.setRate(1e30);
        _alone(_converter(0, 0x01, 28), AMOUNT / 1e12);
        _alone(_converter(DIRECT, 0x01, 28), AMOUNT / 1e12);
        // Without digits the named amount is what is sold.
        converter.setRate(1e18);
        _alone(_converter(0, 0x01, 16), AMOUNT);
    }

    /// What does not pay for a whole unit is the module's, to the last unit: nothing stays in the router.
    function test_moduleKeepsTheRest() public {
        _makeConverter(b, a);
        converter.setRate(1e30);
        uint256 held = tokenA.balanceOf(address(converter));
        for (uint256 rest = 1; rest < 1e12; rest = rest * 1000 + 999) {
            uint256 amount = 7e12 + rest;
            eq(_swap(amount, bytes.concat(Routes.tokens(a, b), _converter(DIRECT, 0x01, 28))), 7, "whole units");
            held += amount;
            eq(tokenA.balanceOf(address(converter)), held, "all of it");
            _holdsNothing();
        }
    }

    function test_moduleOfEighteenDigitsAtMost() public {
        _makeConverter(b, a);
        converter.setRate(1e36);
        eq(_swap(5e18, bytes.concat(Routes.tokens(a, b), _converter(0, 0x01, 34))), 5, "eighteen digits");
        for (uint8 functions = 3; functions < 36; functions = functions == 15 ? 35 : functions + 12) {
            vm.expectRevert(abi.encodeWithSelector(UnknownVariant.selector, functions));
            _swap(5e18, bytes.concat(Routes.tokens(a, b), _converter(0, 0x01, functions)));
        }
    }

    function test_converterRefusals() public {
        _makeConverter(a, b);
        bytes memory table = Routes.tokens(a, b);
        vm.expectRevert(abi.encodeWithSelector(UnknownVariant.selector, 3));
        _swap(AMOUNT, bytes.concat(table, _converter(Routes.ZERO_FOR_ONE, 0x01, 3)));
        converter.setPulls(999);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(converter)));
        _swap(AMOUNT, bytes.concat(table, _converter(Routes.ZERO_FOR_ONE, 0x01, 0)));
        // The wrong direction sells what was not approved: the converter's own reason comes through.
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: allowance"));
        _swap(AMOUNT, bytes.concat(table, _converter(0, 0x01, 0)));
    }
}
