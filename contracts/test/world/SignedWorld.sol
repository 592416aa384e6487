// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";
import {World} from "./World.sol";
import {Permit2Model} from "../models/Permit2Model.sol";
import {PermitToken} from "../models/Tokens.sol";

/// A taker and a maker that sign, and Permit2: the real one where PERMIT2_CODE has its code.
abstract contract SignedWorld is World {
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    uint256 internal constant TAKER_KEY = 0xa11ce;
    uint256 internal constant MAKER_KEY = 0xb0b;
    uint256 internal constant EXPIRY = 2_000_000_000;
    bytes32 internal constant PULL = keccak256(
        "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );
    bytes32 internal constant PERMISSIONS = keccak256("TokenPermissions(address token,uint256 amount)");

    address internal taker;
    address internal maker;
    address internal b;
    PermitToken internal permitToken;

    function setUp() public virtual override {
        super.setUp();
        vm.warp(1_900_000_000);
        b = address(tokenB);
        (taker, maker) = (vm.addr(TAKER_KEY), vm.addr(MAKER_KEY));
        string memory real = vm.envOr("PERMIT2_CODE", string(""));
        vm.etch(PERMIT2, bytes(real).length > 0 ? vm.parseBytes(real) : type(Permit2Model).runtimeCode);
        permitToken = new PermitToken();
        permitToken.mint(taker, 1e24);
        tokenA.mint(taker, 1e24);
        tokenB.mint(maker, 1e24);
        vm.prank(taker);
        tokenA.approve(PERMIT2, type(uint256).max);
        vm.prank(maker);
        tokenB.approve(PERMIT2, type(uint256).max);
    }

    function _sign(uint256 key, bytes32 domain, bytes32 hash) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, hash)));
        return abi.encodePacked(r, s, v);
    }
}
