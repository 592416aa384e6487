// A model of a Liquidity Book factory: our own code, with the event that all versions have.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IBookPair {
    function getTokenX() external view returns (address);
    function getTokenY() external view returns (address);
    function getBinStep() external view returns (uint16);
}

/// @notice Announces pairs that stand already, and finds them by their tokens and bin step.
contract LiquidityBookFactory {
    struct LBPairInformation {
        uint16 binStep;
        address LBPair;
        bool createdByOwner;
        bool ignoredForRouting;
    }

    uint256 public getNumberOfLBPairs;
    /// By the lower token, the higher one and the bin step
    mapping(address => mapping(address => mapping(uint256 => address))) private pairs;

    event LBPairCreated(
        address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address LBPair, uint256 pid
    );

    function announce(IBookPair pair) external {
        uint256 pid = getNumberOfLBPairs++;
        (address x, address y, uint16 binStep) = (pair.getTokenX(), pair.getTokenY(), pair.getBinStep());
        (address low, address high) = _sorted(x, y);
        pairs[low][high][binStep] = address(pair);
        emit LBPairCreated(x, y, binStep, address(pair), pid);
    }

    function getLBPairInformation(address tokenA, address tokenB, uint256 binStep)
        external
        view
        returns (LBPairInformation memory information)
    {
        (address low, address high) = _sorted(tokenA, tokenB);
        information.LBPair = pairs[low][high][binStep];
        information.binStep = information.LBPair == address(0) ? 0 : uint16(binStep);
    }

    function _sorted(address a, address b) private pure returns (address, address) {
        return a < b ? (a, b) : (b, a);
    }
}
