// A model of an Algebra factory: our own code, with the event of the protocol.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IAlgebraPair {
    function token0() external view returns (address);
    function token1() external view returns (address);
}

/// @notice Announces pools that stand already.
contract AlgebraFactory {
    mapping(address token0 => mapping(address token1 => address)) public poolByPair;

    event Pool(address indexed token0, address indexed token1, address pool);

    function announce(IAlgebraPair pool) external {
        (address token0, address token1) = (pool.token0(), pool.token1());
        poolByPair[token0][token1] = address(pool);
        emit Pool(token0, token1, address(pool));
    }
}
