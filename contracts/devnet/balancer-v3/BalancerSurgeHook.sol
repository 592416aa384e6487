// A model of Balancer's stable surge hook: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Types} from "./BalancerV3Types.sol";
import {FixedPoint} from "../shared/FixedPoint.sol";

interface IStablePool {
    function onSwap(BalancerV3Types.PoolSwapParams calldata params) external view returns (uint256);
}

/// @notice The fee rises with the imbalance that a swap leaves, where it is beyond a threshold and grows.
contract BalancerSurgeHook {
    using FixedPoint for uint256;

    /// @dev 18 decimals
    struct Surge {
        uint128 threshold;
        uint128 maxFee;
    }

    mapping(address pool => Surge) private surges;

    function open(address pool, uint256 threshold, uint256 maxFee) external {
        surges[pool] = Surge(uint128(threshold), uint128(maxFee));
    }

    function getMaxSurgeFeePercentage(address pool) external view returns (uint256) {
        return surges[pool].maxFee;
    }

    function getSurgeThresholdPercentage(address pool) external view returns (uint256) {
        return surges[pool].threshold;
    }

    /// @return Whether the fee is to be used
    /// @return fee 18 decimals
    function onComputeDynamicSwapFeePercentage(
        BalancerV3Types.PoolSwapParams calldata asked,
        address pool,
        uint256 ownFee
    ) external view returns (bool, uint256 fee) {
        Surge memory surge = surges[pool];
        if (surge.maxFee < ownFee) return (true, ownFee);
        uint256 answer = IStablePool(pool).onSwap(asked);
        uint256[] memory balances = asked.balancesScaled18;
        uint256 before = _imbalance(balances);
        bool isSale = asked.kind == BalancerV3Types.SwapKind.EXACT_IN;
        balances = asked.balancesScaled18;
        balances[asked.indexIn] += isSale ? asked.amountGivenScaled18 : answer;
        balances[asked.indexOut] -= isSale ? answer : asked.amountGivenScaled18;
        uint256 imbalance = _imbalance(balances);
        if (imbalance <= surge.threshold || imbalance <= before) return (true, ownFee);
        uint256 beyond = (imbalance - surge.threshold).divDown(FixedPoint.ONE - surge.threshold);
        return (true, ownFee + (surge.maxFee - ownFee).mulDown(beyond));
    }

    /// @dev Distances from the median, added up, by the sum; sorts the balances
    function _imbalance(uint256[] memory balances) private pure returns (uint256) {
        uint256 count = balances.length;
        for (uint256 k = 1; k < count; k++) {
            for (uint256 m = k; m > 0 && balances[m - 1] > balances[m]; m--) {
                (balances[m - 1], balances[m]) = (balances[m], balances[m - 1]);
            }
        }
        uint256 middle = count >> 1;
        uint256 median = count & 1 == 1 ? balances[middle] : (balances[middle - 1] + balances[middle]) / 2;
        (uint256 sum, uint256 distance) = (0, 0);
        for (uint256 k = 0; k < count; k++) {
            sum += balances[k];
            distance += balances[k] > median ? balances[k] - median : median - balances[k];
        }
        return distance.divDown(sum);
    }
}
