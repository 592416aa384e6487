// A model of a weighted pool of Balancer's third vault: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Vault} from "./BalancerV3Vault.sol";
import {FixedPoint} from "./FixedPoint.sol";

/// @notice The product of balances to the power of their weights stays as it is. Fees and scaling are the vault's work.
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
    function open(address[] calldata, uint256[] calldata weights_, uint256) external {
        if (count != 0) revert AlreadyOpen();
        count = weights_.length;
        if (count > MOST_TOKENS) revert TooManyTokens();
        for (uint256 k = 0; k < weights_.length; k++) weights |= weights_[k] << (WEIGHT_BITS * k);
    }

    function getNormalizedWeights() external view returns (uint256[] memory all) {
        all = new uint256[](count);
        for (uint256 k = 0; k < all.length; k++) all[k] = _weight(weights, k);
    }

    function onSwap(BalancerV3Vault.PoolSwapParams calldata asked) external view returns (uint256) {
        (uint256[] memory balances, uint256 amount) = (asked.balancesScaled18, asked.amountGivenScaled18);
        return asked.kind == BalancerV3Vault.SwapKind.EXACT_IN
            ? _outGivenIn(balances, asked.indexIn, asked.indexOut, amount)
            : _inGivenOut(balances, asked.indexIn, asked.indexOut, amount);
    }

    function _weight(uint256 packed, uint256 k) private pure returns (uint256) {
        return uint64(packed >> (WEIGHT_BITS * k));
    }

    function _outGivenIn(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        private
        view
        returns (uint256)
    {
        if (amount > balances[i].mulDown(MAX_RATIO)) revert MaxRatio();
        uint256 exponent = _weight(weights, i).divDown(_weight(weights, j));
        uint256 power = balances[i].divUp(balances[i] + amount).powUp(exponent);
        return balances[j].mulDown(power < FixedPoint.ONE ? FixedPoint.ONE - power : 0);
    }

    function _inGivenOut(uint256[] memory balances, uint256 i, uint256 j, uint256 amount)
        private
        view
        returns (uint256)
    {
        if (amount > balances[j].mulDown(MAX_RATIO)) revert MaxRatio();
        uint256 exponent = _weight(weights, j).divUp(_weight(weights, i));
        uint256 power = balances[j].divUp(balances[j] - amount).powUp(exponent);
        return balances[i].mulUp(power - FixedPoint.ONE);
    }
}
