// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IJoinedVault {
    struct JoinPoolRequest {
        address[] assets;
        uint256[] maxAmountsIn;
        bytes userData;
        bool fromInternalBalance;
    }

    function joinPool(bytes32 poolId, address sender, address recipient, JoinPoolRequest calldata request)
        external
        payable;
}

interface IJoinedPool {
    function getPoolId() external view returns (bytes32);
}

interface IApproving {
    function approve(address spender, uint256 value) external;
}

/// @notice The first to join pools of Balancer's second vault, with tokens that this contract holds.
contract VaultSeeder {
    uint256 private constant INIT = 0;

    /// @param tokens  As the vault lists them, the pool's own shares included where they are among them
    /// @param amounts Of each token, in smallest units; 0 of the shares
    function join(address vault, address pool, address[] calldata tokens, uint256[] calldata amounts) external {
        uint256[] memory limits = new uint256[](tokens.length);
        for (uint256 k = 0; k < tokens.length; k++) {
            limits[k] = type(uint256).max;
            // Just what is taken: a token may refuse to change an allowance that is left. Not all of them answer.
            if (amounts[k] != 0) IApproving(tokens[k]).approve(vault, amounts[k]);
        }
        bytes memory start = abi.encode(INIT, amounts);
        IJoinedVault.JoinPoolRequest memory request = IJoinedVault.JoinPoolRequest(tokens, limits, start, false);
        IJoinedVault(vault).joinPool(IJoinedPool(pool).getPoolId(), address(this), address(this), request);
    }

    function hand(address token, address[] calldata holders, uint256 amount) external {
        for (uint256 k = 0; k < holders.length; k++) SafeTransfer.send(token, holders[k], amount);
    }
}
