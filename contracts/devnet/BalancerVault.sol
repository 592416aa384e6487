// A model of Balancer's second vault: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "./SafeTransfer.sol";

interface IVaultPool {
    function onSwap(
        BalancerVault.SwapRequest calldata request,
        uint256[] calldata balances,
        uint256 indexIn,
        uint256 indexOut
    ) external view returns (uint256);
}

/// @notice Holds the tokens of every pool and swaps for them. There are no joins and exits, no internal balances, no
///         managers, no native coin and no protocol fees; every pool is asked as one of many tokens is.
contract BalancerVault {
    enum SwapKind {
        GIVEN_IN,
        GIVEN_OUT
    }

    struct SingleSwap {
        bytes32 poolId;
        SwapKind kind;
        address assetIn;
        address assetOut;
        uint256 amount;
        bytes userData;
    }

    struct FundManagement {
        address sender;
        bool fromInternalBalance;
        address payable recipient;
        bool toInternalBalance;
    }

    struct SwapRequest {
        SwapKind kind;
        address tokenIn;
        address tokenOut;
        uint256 amount;
        bytes32 poolId;
        uint256 lastChangeBlock;
        address from;
        address to;
        bytes userData;
    }

    struct Pool {
        address[] tokens;
        uint256[] balances;
    }

    mapping(bytes32 poolId => Pool) private pools;
    uint80 private poolCount;

    event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers);
    event Swap(
        bytes32 indexed poolId,
        address indexed tokenIn,
        address indexed tokenOut,
        uint256 amountIn,
        uint256 amountOut
    );

    error Refused(string reason);

    /// @notice Registers a pool with tokens that the vault holds already.
    /// @param tokens In ascending order
    function register(address pool, address[] calldata tokens, uint256[] calldata balances)
        external
        returns (bytes32 poolId)
    {
        poolId = bytes32((uint256(uint160(pool)) << 96) | poolCount++);
        pools[poolId] = Pool(tokens, balances);
        emit TokensRegistered(poolId, tokens, new address[](tokens.length));
    }

    /// @dev The block of the last change is not kept: 0.
    function getPoolTokens(bytes32 poolId) external view returns (address[] memory, uint256[] memory, uint256) {
        return (pools[poolId].tokens, pools[poolId].balances, 0);
    }

    function getPausedState() external pure returns (bool, uint256, uint256) {
        return (false, 0, 0);
    }

    /// @return The amount that was not given
    function swap(SingleSwap calldata single, FundManagement calldata funds, uint256 limit, uint256 deadline)
        external
        payable
        returns (uint256)
    {
        if (msg.value != 0 || funds.sender != msg.sender) revert Refused("sender or value");
        if (funds.fromInternalBalance || funds.toInternalBalance) revert Refused("internal balance");
        if (block.timestamp > deadline) revert Refused("BAL#508");
        if (single.amount == 0) revert Refused("BAL#510");
        bool given = single.kind == SwapKind.GIVEN_IN;
        (uint256 i, uint256 j) = (_index(single.poolId, single.assetIn), _index(single.poolId, single.assetOut));
        uint256 answer = _ask(single, funds, i, j);
        (uint256 sold, uint256 bought) = given ? (single.amount, answer) : (answer, single.amount);
        if (given ? bought < limit : sold > limit) revert Refused("BAL#507");

        Pool storage pool = pools[single.poolId];
        pool.balances[i] += sold;
        pool.balances[j] -= bought;
        emit Swap(single.poolId, single.assetIn, single.assetOut, sold, bought);
        SafeTransfer.take(single.assetIn, msg.sender, sold);
        SafeTransfer.send(single.assetOut, funds.recipient, bought);
        return answer;
    }

    function _ask(SingleSwap calldata single, FundManagement calldata funds, uint256 i, uint256 j)
        private
        view
        returns (uint256)
    {
        Pool storage pool = pools[single.poolId];
        SwapRequest memory request = SwapRequest(
            single.kind,
            single.assetIn,
            single.assetOut,
            single.amount,
            single.poolId,
            0,
            funds.sender,
            funds.recipient,
            single.userData
        );
        return IVaultPool(address(bytes20(single.poolId))).onSwap(request, pool.balances, i, j);
    }

    function _index(bytes32 poolId, address token) private view returns (uint256) {
        address[] storage tokens = pools[poolId].tokens;
        for (uint256 k = 0; k < tokens.length; k++) if (tokens[k] == token) return k;
        revert Refused("BAL#521");
    }
}
