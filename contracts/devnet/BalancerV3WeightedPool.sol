// A model of a weighted pool of Balancer's third vault: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Vault} from "./BalancerV3Vault.sol";
import {BalancerWeightedPool} from "./BalancerWeightedPool.sol";

/// @notice The curve of the second vault's weighted pool; fees and scaling are the third vault's own work.
contract BalancerV3WeightedPool is BalancerWeightedPool {
    function onSwap(BalancerV3Vault.PoolSwapParams calldata asked) external view returns (uint256) {
        (uint256[] memory balances, uint256 amount) = (asked.balancesScaled18, asked.amountGivenScaled18);
        return asked.kind == BalancerV3Vault.SwapKind.EXACT_IN
            ? _outGivenIn(balances, asked.indexIn, asked.indexOut, amount)
            : _inGivenOut(balances, asked.indexIn, asked.indexOut, amount);
    }
}
