// A model of a Solidly factory: our own code, with the events and fees of the protocol's first version.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface ISolidlyPair {
    function open(address token0, address token1, bool stable) external;
}

/// @notice Announces pairs that stand already, says their fee and keeps what they earn.
contract SolidlyFactory {
    uint256 private constant STABLE_FEE = 2;
    uint256 private constant VOLATILE_FEE = 20;

    mapping(address token0 => mapping(address token1 => mapping(bool stable => address pair))) public getPair;
    uint256 public allPairsLength;

    event PairCreated(
        address indexed token0, address indexed token1, bool stable, address pair, uint256 allPairsLength
    );

    error PairExists(address pair);

    /// @param pair Holds its reserves; token0 < token1
    function announce(address pair, address token0, address token1, bool stable) external {
        if (getPair[token0][token1][stable] != address(0)) revert PairExists(getPair[token0][token1][stable]);
        ISolidlyPair(pair).open(token0, token1, stable);
        getPair[token0][token1][stable] = pair;
        emit PairCreated(token0, token1, stable, pair, ++allPairsLength);
    }

    /// @return Of 10,000
    function getFee(bool stable) external pure returns (uint256) {
        return stable ? STABLE_FEE : VOLATILE_FEE;
    }

    function isPaused() external pure returns (bool) {
        return false;
    }
}
