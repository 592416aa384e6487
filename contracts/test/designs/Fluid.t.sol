// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {FluidModel} from "../models/Fluid.sol";

/// Pools of Fluid DEX: by allowance and by value, to the router, to the recipient and to the next pool.
contract FluidTest is Crossings {
    function _step(uint8 flags, uint8 path, FluidModel pool) private pure returns (bytes memory) {
        return Routes.step(22, flags, path, 0, address(pool));
    }

    function _model(address x, address y) private returns (FluidModel pool) {
        pool = new FluidModel(x, y);
        pool.setRate(8e17);
        _stock(address(pool));
        vm.deal(address(pool), 1e24);
    }

    function test_fluid() public {
        (FluidModel ab, FluidModel cb) = (_model(a, b), _model(c, b));
        uint256 out = AMOUNT * 8e17 / 1e18;
        _alone(_step(Routes.ZERO_FOR_ONE, 0x01, ab), out);
        _alone(_step(Routes.ZERO_FOR_ONE | DIRECT, 0x01, ab), out);
        _before(_step(Routes.ZERO_FOR_ONE | Routes.TO_NEXT, 0x01, ab), out);
        _behind(_step(0, 0x12, cb), 8e17);
        _behind(_step(DIRECT, 0x12, cb), 8e17);
    }

    function test_fluidSellsNativeCoins() public {
        FluidModel pool = _model(b, NATIVE);
        bytes memory route = bytes.concat(Routes.tokens(NATIVE, b), _step(DIRECT, 0x01, pool));
        vm.prank(USER);
        uint256 out = router.swap{value: AMOUNT}(AMOUNT, 1, address(0), Terms.PLAIN, route);
        eq(out, AMOUNT * 8e17 / 1e18, "native in");
        eq(address(pool).balance, 1e24 + AMOUNT, "all of it");
        _holdsNothing();
    }

    /// Native coins that come out of a pool are sold to the next by value.
    function test_fluidBuysNativeCoins() public {
        (FluidModel buys, FluidModel sells) = (_model(a, NATIVE), _model(NATIVE, b));
        uint256 middle = AMOUNT * 8e17 / 1e18;
        uint256 before = USER.balance;
        bytes memory first = _step(Routes.ZERO_FOR_ONE, 0x01, buys);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, NATIVE), first)), middle, "native out");
        eq(USER.balance - before, middle, "received");
        bytes memory second = _step(Routes.ZERO_FOR_ONE, 0x12, sells);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, NATIVE, b), first, second)), middle * 8e17 / 1e18, "through");
        _holdsNothing();
    }

    function test_fluidPullsAnotherAmount() public {
        FluidModel pool = _model(a, b);
        bytes memory route = bytes.concat(Routes.tokens(a, b), _step(Routes.ZERO_FOR_ONE, 0x01, pool));
        pool.setPulls(999);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(pool)));
        _swap(1e18, route);
        pool.setPulls(1001);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: allowance"));
        _swap(1e18, route);
    }

    /// The direction bit is the pool's, not the tokens' order: the other way sells what was not approved.
    function test_fluidTheWrongWay() public {
        FluidModel pool = _model(a, b);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: allowance"));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _step(0, 0x01, pool)));
    }
}
