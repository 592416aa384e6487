// A model of a weighted pool of Balancer's third vault: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Types} from "./BalancerV3Types.sol";
import {FixedPoint} from "../shared/FixedPoint.sol";

/// @notice The product of balances to the power of their weights stays as it is.
contract BalancerV3WeightedPool {
    using FixedPoint for uint256;

    uint256 private constant MAX_RATIO = 0.3e18;
    uint256 private constant WEIGHT_BITS = 64;
    uint256 private constant MOST_TOKENS = 4;

    /// Weights of 18 decimals, the first in the low bits
    uint256 private weights;
    uint256 private count;

    error AlreadyOpen();
    error MaxRatio();
    error TooManyTokens();

    /// @param weights_ 18 decimals, adding up to 1
    function open(uint256[] calldata weights_) external {
        if (count != 0) revert AlreadyOpen();
        count = weights_.length;
        if (count > MOST_TOKENS) revert TooManyTokens();
        for (uint256 k = 0; k < weights_.length; k++) weights |= weights_[k] << (WEIGHT_BITS * k);
    }

    function getNormalizedWeights() external view returns (uint256[] memory all) {
        all = new uint256[](count);
        for (uint256 k = 0; k < all.length; k++) all[k] = _weight(k);
    }

    function onSwap(BalancerV3Types.PoolSwapParams calldata asked) external view returns (uint256) {
        (uint256 i, uint256 j, uint256 amount) = (asked.indexIn, asked.indexOut, asked.amountGivenScaled18);
        (uint256 x, uint256 y) = (asked.balancesScaled18[i], asked.balancesScaled18[j]);
        if (asked.kind == BalancerV3Types.SwapKind.EXACT_IN) {
            if (amount > x.mulDown(MAX_RATIO)) revert MaxRatio();
            uint256 kept = x.divUp(x + amount).powUp(_weight(i).divDown(_weight(j)));
            return y.mulDown(kept < FixedPoint.ONE ? FixedPoint.ONE - kept : 0);
        }
        if (amount > y.mulDown(MAX_RATIO)) revert MaxRatio();
        uint256 grown = y.divUp(y - amount).powUp(_weight(j).divUp(_weight(i)));
        return x.mulUp(grown - FixedPoint.ONE);
    }

    function _weight(uint256 k) private view returns (uint256) {
        return uint64(weights >> (WEIGHT_BITS * k));
    }
}
