// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Routes, Terms} from "../world/Routes.sol";
import {SignedWorld} from "../world/SignedWorld.sol";
import {vm} from "../world/Vm.sol";
import {Permit2Model} from "../models/Permit2Model.sol";
import {DaiToken, PlainToken} from "../models/Tokens.sol";

/// Who signs is who calls, whoever is paid.
contract PayersTest is SignedWorld {
    /// The taker sells by this signature; somebody else is paid.
    function _sellForOther(address token, uint8 kind, uint8 flags, bytes memory extra) private {
        address pair = _pair(token, 1e24, b, 1e24);
        uint256 wanted = _quotePair(pair, token, 1e18);
        bytes memory step = bytes.concat(Routes.step(kind, flags, 0x01, 0, address(0)), extra);
        bytes memory route = bytes.concat(Routes.tokens(token, b), step, Routes.v2(_way(token, b), 0x01, 0, pair));
        vm.prank(taker);
        eq(router.swap(1e18, 1, OTHER, Terms.PLAIN, route), wanted, "paid");
        eq(tokenB.balanceOf(OTHER), wanted, "to whom the taker named");
        eq(PlainToken(token).balanceOf(taker), 1e24 - 1e18, "by the taker");
    }

    function test_eip2612ForAnotherRecipient() public {
        bytes32 kind = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 hash = keccak256(abi.encode(kind, taker, address(router), 1e18, 0, EXPIRY));
        bytes memory signature = _sign(TAKER_KEY, permitToken.DOMAIN_SEPARATOR(), hash);
        _sellForOther(address(permitToken), 17, 0, abi.encodePacked(uint256(1e18), uint40(EXPIRY), signature));
    }

    function test_daiPermitForAnotherRecipient() public {
        DaiToken dai = new DaiToken();
        dai.mint(taker, 1e24);
        bytes32 kind =
            keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");
        bytes32 hash = keccak256(abi.encode(kind, taker, address(router), 0, EXPIRY, true));
        bytes memory signature = _sign(TAKER_KEY, dai.DOMAIN_SEPARATOR(), hash);
        bytes memory extra = abi.encodePacked(uint256(0), uint40(EXPIRY), signature);
        _sellForOther(address(dai), 17, Routes.ZERO_FOR_ONE, extra);
    }

    function test_permit2ForAnotherRecipient() public {
        bytes32 permissions = keccak256(abi.encode(PERMISSIONS, address(tokenA), uint256(1e18)));
        bytes32 hash = keccak256(abi.encode(PULL, permissions, address(router), 5, EXPIRY));
        bytes memory signature = _sign(TAKER_KEY, Permit2Model(PERMIT2).DOMAIN_SEPARATOR(), hash);
        _sellForOther(address(tokenA), 18, 0, abi.encodePacked(uint256(5), uint40(EXPIRY), signature));
    }
}
