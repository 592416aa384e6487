// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Head} from "../Head.sol";
import {Run} from "../Run.sol";
import {NATIVE, Tokens} from "../Tokens.sol";

interface IBalancerV2Vault {
    struct SingleSwap {
        bytes32 poolId;
        uint8 kind;
        address assetIn;
        address assetOut;
        uint256 amount;
        bytes userData;
    }

    struct FundManagement {
        address sender;
        bool fromInternalBalance;
        address recipient;
        bool toInternalBalance;
    }

    function swap(SingleSwap calldata single, FundManagement calldata funds, uint256 limit, uint256 deadline)
        external
        payable
        returns (uint256);
}

/// @notice Balancer v2: the Vault swaps for pools of every kind. extra = pool id 32 B
library BalancerV2 {
    uint8 private constant GIVEN_IN = 0;

    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address vault = head.target();
        address sold = run.token(head.src());
        address bought = run.token(head.dst());
        bytes32 poolId;
        assembly ("memory-safe") {
            poolId := calldataload(sub(next, 32))
        }
        run.hold(head, amount);
        if (sold != NATIVE) Tokens.approve(sold, vault, amount);
        out = IBalancerV2Vault(vault).swap{value: sold == NATIVE ? amount : 0}(
            IBalancerV2Vault.SingleSwap(poolId, GIVEN_IN, _asset(sold), _asset(bought), amount, ""),
            IBalancerV2Vault.FundManagement(address(this), false, run.receiver(head, next), false),
            0,
            type(uint256).max
        );
        if (sold != NATIVE) Tokens.requireUsed(sold, vault);
    }

    /// @dev The native coin is the zero address there.
    function _asset(address token) private pure returns (address) {
        return token == NATIVE ? address(0) : token;
    }
}
