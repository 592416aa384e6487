// A model of a Balancer weighted pool: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerPool} from "./BalancerPool.sol";
import {FixedPoint} from "./FixedPoint.sol";

/// @notice The product of balances to the power of their weights stays as it is.
contract BalancerWeightedPool is BalancerPool {
    using FixedPoint for uint256;

    uint256 private constant MAX_RATIO = 0.3e18;

    uint256[] private weights;

    error MaxRatio();

    /// @param weights_ 18 decimals, adding up to 1
    function open(address[] calldata tokens, uint256[] calldata weights_, uint256 fee) external {
        _open(tokens, fee);
        weights = weights_;
    }

    function getNormalizedWeights() external view returns (uint256[] memory) {
        return weights;
    }

    function _outGivenIn(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        if (amount > balances[i].mulDown(MAX_RATIO)) revert MaxRatio();
        uint256 power = balances[i].divUp(balances[i] + amount).powUp(weights[i].divDown(weights[j]));
        return balances[j].mulDown(power < FixedPoint.ONE ? FixedPoint.ONE - power : 0);
    }

    function _inGivenOut(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        internal
        view
        override
        returns (uint256)
    {
        if (amount > balances[j].mulDown(MAX_RATIO)) revert MaxRatio();
        uint256 power = balances[j].divUp(balances[j] - amount).powUp(weights[j].divUp(weights[i]));
        return balances[i].mulUp(power - FixedPoint.ONE);
    }
}
