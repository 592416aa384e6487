// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "../../Errors.sol";
import {Crossings} from "../world/Crossings.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {vm} from "../world/Vm.sol";
import {EkuboModel} from "../models/Ekubo.sol";
import {Puppet} from "../models/Puppet.sol";

/// Ekubo's core: locked, called by it, paid between two calls.
contract EkuboTest is Crossings {
    bytes32 private constant CONFIG = hex"00000000000000000000000000000000000000000000001234567890800003e8";
    bytes4 private constant LOCK = 0xf83d08ba;
    bytes4 private constant SWAP = 0;

    EkuboModel private core;

    function setUp() public override {
        super.setUp();
        core = new EkuboModel();
        core.setRate(8e17);
        _stock(address(core));
        vm.deal(address(core), 1e24);
    }

    function _step(uint8 flags, uint8 path, address target) private pure returns (bytes memory) {
        return bytes.concat(Routes.step(21, flags, path, 0, target), CONFIG);
    }

    function test_ekubo() public {
        uint256 out = AMOUNT * 8e17 / 1e18;
        _alone(_step(0, 0x01, address(core)), out);
        _alone(_step(DIRECT, 0x01, address(core)), out);
        _behind(_step(0, 0x12, address(core)), 8e17);
        _behind(_step(DIRECT, 0x12, address(core)), 8e17);
        _before(_step(Routes.TO_NEXT, 0x01, address(core)), out);
        _swap(AMOUNT, bytes.concat(Routes.tokens(b, a), _step(0, 0x01, address(core))));
        eq(uint256(core.lastConfig()), uint256(CONFIG), "the pool's key");
        _holdsNothing();
    }

    function test_ekuboWithNativeCoins() public {
        bytes memory sells = bytes.concat(Routes.tokens(NATIVE, b), _step(0, 0x01, address(core)));
        vm.prank(USER);
        uint256 out = router.swap{value: AMOUNT}(AMOUNT, 1, address(0), Terms.PLAIN, sells);
        eq(out, AMOUNT * 8e17 / 1e18, "native in");
        uint256 before = USER.balance;
        out = _swap(AMOUNT, bytes.concat(Routes.tokens(b, NATIVE), _step(0, 0x01, address(core))));
        eq(USER.balance - before, out, "received");
        out = _swap(AMOUNT, bytes.concat(Routes.tokens(b, NATIVE), _step(DIRECT, 0x01, address(core))));
        eq(out, AMOUNT * 8e17 / 1e18, "native out");
        _holdsNothing();
    }

    function test_ekuboThatTakesInPart() public {
        core.setTakes(999);
        vm.expectRevert(
            abi.encodeWithSelector(PartialFill.selector, address(core), uint256(1e18), uint256(999e15))
        );
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _step(0, 0x01, address(core))));
    }

    function test_ekuboThatPaysNothing() public {
        core.setRate(0);
        vm.expectRevert(abi.encodeWithSelector(BadAnswer.selector, address(core)));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _step(0, 0x01, address(core))));
    }

    /// A sale of more than an int128 would be read as a purchase.
    function test_ekuboOfMoreThanItCounts() public {
        tokenA.mint(USER, type(uint128).max);
        vm.expectRevert();
        _swap(uint256(1) << 127, bytes.concat(Routes.tokens(a, b), _step(0, 0x01, address(core))));
    }

    function _evil() private returns (Puppet evil) {
        evil = new Puppet();
        tokenB.mint(address(router), 2);
        evil.onCall(LOCK, abi.encode(uint256(1)));
        bytes32 delta = bytes32(a < b ? (1e18 << 128) | (1 << 128) - 1 : (~uint256(0) << 128) | 1e18);
        evil.onCall(SWAP, abi.encode(delta, uint256(0)));
    }

    function _words(address payer, address receiver) private view returns (bytes memory) {
        return abi.encode(a, b, payer, receiver, uint256(1e18), CONFIG);
    }

    function _sell(address target) private returns (bool done) {
        bytes memory route = bytes.concat(Routes.tokens(a, b), _step(0, 0x01, target));
        vm.prank(OTHER);
        (done,) = address(router).call(
            abi.encodeCall(router.swap, (1e18, 1, address(0), Terms.PLAIN, route))
        );
    }

    /// OTHER's route over its own core, which asks for the tokens of USER, who has approved the router.
    function test_aCoreNamesAnotherPayer() public {
        Puppet evil = _evil();
        bytes memory demand = bytes.concat(bytes4(0), bytes32(0), _words(USER, OTHER));
        evil.thenCall(LOCK, address(router), demand, false);
        _sell(address(evil));
        eq(tokenA.balanceOf(USER), 1e30, "the victim keeps all");
        eq(tokenA.balanceOf(address(evil)), 0, "the core gets nothing");
    }

    /// The same words without the design's own are the debt of a v4 manager.
    function test_aCoresDebtAskedAsAManagers() public {
        Puppet evil = _evil();
        tokenA.mint(OTHER, 1e18);
        vm.prank(OTHER);
        tokenA.approve(address(router), 1e18);
        evil.onCall(0xf3cd914c, abi.encode((-int256(1e18) << 128) | int256(1)));
        bytes memory words = _words(OTHER, address(router));
        evil.thenCall(LOCK, address(router), abi.encodeWithSignature("unlockCallback(bytes)", words), false);
        yes(!_sell(address(evil)), "refused");
        eq(tokenA.balanceOf(address(evil)), 0, "the core gets nothing");
    }

    function test_aCoreAsksTwice() public {
        Puppet evil = _evil();
        tokenA.mint(OTHER, 2e18);
        vm.prank(OTHER);
        tokenA.approve(address(router), 2e18);
        bytes memory demand = bytes.concat(bytes4(0), bytes32(0), _words(OTHER, address(router)));
        evil.thenCall(LOCK, address(router), demand, false);
        evil.thenCall(LOCK, address(router), demand, false);
        yes(_sell(address(evil)), "paid once");
        eq(tokenA.balanceOf(address(evil)), 1e18, "not twice");
    }

    function test_aCoreThatNeverAsks() public {
        Puppet evil = _evil();
        vm.expectRevert(abi.encodeWithSelector(NotTaken.selector, address(evil)));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _step(0, 0x01, address(evil))));
    }

    function test_aCoreThatAnswersTooLittle() public {
        Puppet evil = _evil();
        bytes memory demand = bytes.concat(bytes4(0), bytes32(0), _words(USER, address(router)));
        evil.onCall(LOCK, abi.encodePacked(~uint248(0)));
        evil.thenCall(LOCK, address(router), demand, true);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "min return not reached"));
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _step(0, 0x01, address(evil))));
    }

    function test_aCoreThatAnswersNoAmounts() public {
        Puppet evil = _evil();
        evil.onCall(SWAP, "");
        bytes memory demand = bytes.concat(bytes4(0), bytes32(0), _words(USER, address(router)));
        evil.thenCall(LOCK, address(router), demand, true);
        vm.expectRevert(
            abi.encodeWithSelector(PartialFill.selector, address(evil), uint256(1e18), uint256(0))
        );
        _swap(1e18, bytes.concat(Routes.tokens(a, b), _step(0, 0x01, address(evil))));
    }
}
