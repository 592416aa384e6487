// A model of a price source of Fluid's DEX Lite: our own code.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The same price for every pair, token 1 per token 0 with 27 decimals; whoever wants may move it.
contract FluidLiteCenter {
    uint256 private _price;

    function set(uint256 price) external {
        _price = price;
    }

    function centerPrice(address, address) external view returns (uint256) {
        return _price;
    }
}
