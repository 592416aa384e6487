// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {EkuboModel} from "../models/Ekubo.sol";
import {FluidLiteModel} from "../models/FluidLite.sol";
import {Puppet} from "../models/Puppet.sol";
import {PlainToken} from "../models/Tokens.sol";
import {BalancerV2Model} from "../models/Vaults.sol";

/// Pools of Fluid DEX Lite: by allowance and by value, to the router, to the recipient and to the next pool.
contract FluidLiteTest is Crossings {
    bytes32 private constant SALT = keccak256("any");
    bytes4 private constant SWAP = 0x7fc9d4ad;
    FluidLiteModel private dex;

    function setUp() public override {
        super.setUp();
        dex = new FluidLiteModel();
        dex.setRate(8e17);
        _stock(address(dex));
        vm.deal(address(dex), 1e24);
        dex.open(a, b, SALT);
        dex.open(c, b, SALT);
        dex.open(b, NATIVE, SALT);
        dex.open(a, NATIVE, 0);
        dex.open(NATIVE, b, 0);
    }

    function _step(uint8 flags, uint8 path, bytes32 salt) private view returns (bytes memory) {
        return bytes.concat(Routes.step(23, flags, path, 0, address(dex)), salt);
    }

    function test_fluidLite() public {
        uint256 out = AMOUNT * 8e17 / 1e18;
        _alone(_step(Routes.ZERO_FOR_ONE, 0x01, SALT), out);
        _alone(_step(Routes.ZERO_FOR_ONE | DIRECT, 0x01, SALT), out);
        _before(_step(Routes.ZERO_FOR_ONE | Routes.TO_NEXT, 0x01, SALT), out);
        _behind(_step(0, 0x12, SALT), 8e17);
        _behind(_step(DIRECT, 0x12, SALT), 8e17);
    }

    /// Both steps call the same contract, which pays the router and is paid by it.
    function test_fluidLiteTwice() public {
        bytes memory route = bytes.concat(
            Routes.tokens(a, b, c), _step(Routes.ZERO_FOR_ONE, 0x01, SALT), _step(0, 0x12, SALT)
        );
        eq(_swap(AMOUNT, route), AMOUNT * 8e17 / 1e18 * 8e17 / 1e18, "twice");
        _holdsNothing();
    }

    function test_fluidLiteSellsNativeCoins() public {
        bytes memory route = bytes.concat(Routes.tokens(NATIVE, b), _step(DIRECT, 0x01, SALT));
        vm.prank(USER);
        uint256 out = router.swap{value: AMOUNT}(AMOUNT, 1, address(0), Terms.PLAIN, route);
        eq(out, AMOUNT * 8e17 / 1e18, "native in");
        eq(address(dex).balance, 1e24 + AMOUNT, "all of it");
        _holdsNothing();
    }

    /// Native coins that come out of a pool are sold to the next by value.
    function test_fluidLiteBuysNativeCoins() public {
        uint256 middle = AMOUNT * 8e17 / 1e18;
        uint256 before = USER.balance;
        bytes memory first = _step(Routes.ZERO_FOR_ONE, 0x01, 0);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, NATIVE), first)), middle, "native out");
        eq(USER.balance - before, middle, "received");
        bytes memory second = _step(Routes.ZERO_FOR_ONE, 0x12, 0);
        eq(_swap(AMOUNT, bytes.concat(Routes.tokens(a, NATIVE, b), first, second)), middle * 8e17 / 1e18, "through");
        _holdsNothing();
    }

    function test_fluidLitePullsAnotherAmount() public {
        bytes memory route = bytes.concat(Routes.tokens(a, b), _step(Routes.ZERO_FOR_ONE, 0x01, SALT));
        dex.setPulls(999);
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(dex)));
        _swap(1e18, route);
        dex.setPulls(1001);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: allowance"));
        _swap(1e18, route);
    }

    /// The direction bit orders the key's tokens: the other way, as with another salt, there is no pool.
    function test_fluidLiteWithAnotherKey() public {
        bytes[2] memory steps = [_step(0, 0x01, SALT), _step(Routes.ZERO_FOR_ONE, 0x01, bytes32(uint256(SALT) + 1))];
        for (uint256 index = 0; index < 2; ++index) {
            vm.expectRevert(abi.encodeWithSignature("Error(string)", "no such pool"));
            _swap(1e18, bytes.concat(Routes.tokens(a, b), steps[index]));
        }
    }

    /// Words that earlier calls have left in memory are no part of this one.
    function test_fluidLiteBehindOtherCalls() public {
        EkuboModel core = new EkuboModel();
        BalancerV2Model vault = new BalancerV2Model();
        _stock(address(core));
        _stock(address(vault));
        bytes memory table = Routes.tokens(a, b, c);
        bytes memory last = _step(0, 0x12, SALT);
        bytes memory first = bytes.concat(Routes.step(21, 0, 0x01, 0, address(core)), bytes32(0));
        eq(_swap(AMOUNT, bytes.concat(table, first, last)), AMOUNT * 8e17 / 1e18, "behind Ekubo");
        first = bytes.concat(Routes.step(Routes.BALANCER_V2, 0, 0x01, 0, address(vault)), vault.POOL());
        eq(_swap(AMOUNT, bytes.concat(table, first, last)), AMOUNT * 8e17 / 1e18, "behind Balancer v2");
        _holdsNothing();
    }

    /// What it has paid counts only by an answer of a whole word.
    function test_fluidLiteThatAnswersTooLittle() public {
        bytes memory word = abi.encode(uint256(1e18));
        for (uint256 cut = 1; cut <= 32; cut += 31) {
            bytes memory route = _through(_answering(_shortened(word, cut)));
            vm.expectRevert(abi.encodeWithSignature("Error(string)", "min return not reached"));
            _swap(1e18, route);
        }
        eq(_swap(1e18, _through(_answering(word))), 1e18, "a whole word");
    }

    function _shortened(bytes memory word, uint256 cut) private pure returns (bytes memory part) {
        part = new bytes(word.length - cut);
        for (uint256 index = 0; index < part.length; ++index) {
            part[index] = word[index];
        }
    }

    function _through(address pool) private view returns (bytes memory) {
        bytes memory step = Routes.step(23, Routes.ZERO_FOR_ONE, 0x01, 0, pool);
        return bytes.concat(Routes.tokens(a, b), step, SALT);
    }

    /// It pays and pulls, and says about that what it is told to.
    function _answering(bytes memory answer) private returns (address) {
        Puppet pool = new Puppet();
        tokenB.mint(address(pool), 1e18);
        pool.onCall(SWAP, answer);
        pool.thenCall(SWAP, b, abi.encodeCall(PlainToken.transfer, (address(router), 1e18)), true);
        pool.thenCall(
            SWAP, a, abi.encodeCall(PlainToken.transferFrom, (address(router), address(pool), 1e18)), true
        );
        return address(pool);
    }

    function test_fluidLiteTellsWhyItRefuses() public {
        dex.setRate(1e30);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "token: balance"));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _step(Routes.ZERO_FOR_ONE, 0x01, SALT)));
    }
}
