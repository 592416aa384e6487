// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MakerRefused} from "../../Errors.sol";
import {Routes, Terms} from "../world/Routes.sol";
import {SignedWorld} from "../world/SignedWorld.sol";
import {vm} from "../world/Vm.sol";
import {Permit2Model} from "../models/Permit2Model.sol";

/// A maker's order that names its taker: the taker is whoever calls the router, and not whoever is paid.
contract NamedTakersTest is SignedWorld {
    string private constant WITNESSED =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,RfqOrder witness)";
    string private constant ORDER = "RfqOrder(address takerToken,uint256 takerAmount,address taker)";
    string private constant PERMITTED = "TokenPermissions(address token,uint256 amount)";
    uint128 private constant TAKER_AMOUNT = 2e18;
    uint128 private constant MAKER_AMOUNT = 3e18;
    uint256 private constant NONCE = 7;

    function setUp() public override {
        super.setUp();
        vm.prank(taker);
        tokenA.approve(address(router), type(uint256).max);
    }

    /// The maker's order for `taker` alone.
    function _route() private view returns (bytes memory) {
        bytes32 kind = keccak256(abi.encodePacked(WITNESSED, ORDER, PERMITTED));
        bytes32 witness =
            keccak256(abi.encode(keccak256(bytes(ORDER)), address(tokenA), uint256(TAKER_AMOUNT), taker));
        bytes32 permissions = keccak256(abi.encode(PERMISSIONS, b, uint256(MAKER_AMOUNT)));
        bytes32 hash = keccak256(abi.encode(kind, permissions, address(router), NONCE, EXPIRY, witness));
        bytes memory signature = _sign(MAKER_KEY, Permit2Model(PERMIT2).DOMAIN_SEPARATOR(), hash);
        bytes memory head = Routes.step(15, Routes.ZERO_FOR_ONE, 0x01, 0, maker);
        bytes memory extra = abi.encodePacked(TAKER_AMOUNT, MAKER_AMOUNT, NONCE, uint40(EXPIRY), signature);
        return bytes.concat(Routes.tokens(address(tokenA), b), head, extra);
    }

    function test_theTakerMayHaveSomebodyElsePaid() public {
        bytes memory route = _route();
        vm.prank(taker);
        eq(router.swap(TAKER_AMOUNT, 1, OTHER, Terms.PLAIN, route), MAKER_AMOUNT, "filled");
        eq(tokenB.balanceOf(OTHER), MAKER_AMOUNT, "paid to whom the taker named");
        eq(tokenA.balanceOf(taker), 1e24 - TAKER_AMOUNT, "by the taker");
    }

    function test_whoeverPaysTheTakerIsNotTheTaker() public {
        bytes memory route = _route();
        bytes4 invalid = Permit2Model.InvalidSigner.selector;
        vm.expectRevert(abi.encodeWithSelector(MakerRefused.selector, maker, invalid));
        vm.prank(USER);
        router.swap(TAKER_AMOUNT, 1, taker, Terms.PLAIN, route);
        eq(tokenB.balanceOf(maker), 1e24, "the maker keeps what it offered to the taker");
    }
}
