// A model of PancakeSwap v3's pool deployer: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Creates the factory's pools out of init code that lies at an address as code.
contract PancakeV3Deployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    Parameters public parameters;
    address public factoryAddress;
    address private initCode;

    error AlreadyOpen();
    error NotTheFactory();
    error NotCreated();

    function open(address factory, address initCode_) external {
        if (factoryAddress != address(0)) revert AlreadyOpen();
        (factoryAddress, initCode) = (factory, initCode_);
    }

    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
        external
        returns (address pool)
    {
        if (msg.sender != factoryAddress) revert NotTheFactory();
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes memory code = initCode.code;
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        assembly ("memory-safe") {
            pool := create2(0, add(code, 32), mload(code), salt)
        }
        if (pool == address(0)) revert NotCreated();
        delete parameters;
    }
}
