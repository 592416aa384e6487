// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NotTaken} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
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

/// @notice Balancer v2: the Vault swaps for pools of every kind. extra = pool id 32 B. The direction bit: what is sold is a
///         share of a pool, which the Vault takes without an allowance
/// @dev    A share answers an endless allowance to the Vault, whatever was granted, so it cannot tell what was taken. For
///         one nothing is granted, and the router's balance must fall by the amount sold.
library BalancerV2 {
    uint8 private constant GIVEN_IN = 0;

    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address vault = head.target();
        address sold = run.token(head.src());
        run.hold(head, amount);
        if (sold == NATIVE) return _swap(run, head, amount, next);
        if (head.has(ZERO_FOR_ONE)) {
            uint256 held = Tokens.balance(sold, address(this));
            out = _swap(run, head, amount, next);
            unchecked {
                if (held - Tokens.balance(sold, address(this)) != amount) revert NotTaken(vault);
            }
        } else {
            Tokens.approve(sold, vault, amount);
            out = _swap(run, head, amount, next);
            Tokens.requireUsed(sold, vault);
        }
    }

    function _swap(Run run, Head head, uint256 amount, uint256 next) private returns (uint256) {
        address sold = run.token(head.src());
        bytes32 poolId;
        assembly ("memory-safe") {
            poolId := calldataload(sub(next, 32))
        }
        return IBalancerV2Vault(head.target()).swap{value: sold == NATIVE ? amount : 0}(
            IBalancerV2Vault.SingleSwap(
                poolId, GIVEN_IN, _asset(sold), _asset(run.token(head.dst())), amount, ""
            ),
            IBalancerV2Vault.FundManagement(address(this), false, run.receiver(head, next), false),
            0,
            type(uint256).max
        );
    }

    /// @dev The native coin is the zero address there.
    function _asset(address token) private pure returns (address) {
        return token == NATIVE ? address(0) : token;
    }
}
