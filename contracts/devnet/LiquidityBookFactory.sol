// A model of a Liquidity Book factory: our own code, with the event that all versions have.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IBookPair {
    function getTokenX() external view returns (address);
    function getTokenY() external view returns (address);
    function getBinStep() external view returns (uint16);
}

/// @notice Announces pairs that stand already.
contract LiquidityBookFactory {
    uint256 public getNumberOfLBPairs;

    event LBPairCreated(
        address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address LBPair, uint256 pid
    );

    function announce(IBookPair pair) external {
        uint256 pid = getNumberOfLBPairs++;
        emit LBPairCreated(pair.getTokenX(), pair.getTokenY(), pair.getBinStep(), address(pair), pid);
    }
}
