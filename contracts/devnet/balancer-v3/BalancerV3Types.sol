// Types of a model of Balancer's third vault: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice What the vault, its pools and their hooks tell each other, and what is read of the vault.
library BalancerV3Types {
    enum SwapKind {
        EXACT_IN,
        EXACT_OUT
    }

    enum TokenType {
        STANDARD,
        WITH_RATE
    }

    struct VaultSwapParams {
        SwapKind kind;
        address pool;
        address tokenIn;
        address tokenOut;
        uint256 amountGivenRaw;
        uint256 limitRaw;
        bytes userData;
    }

    struct PoolSwapParams {
        SwapKind kind;
        uint256 amountGivenScaled18;
        uint256[] balancesScaled18;
        uint256 indexIn;
        uint256 indexOut;
        address router;
        bytes userData;
    }

    struct TokenConfig {
        address token;
        TokenType tokenType;
        address rateProvider;
        bool paysYieldFees;
    }

    struct TokenInfo {
        TokenType tokenType;
        address rateProvider;
        bool paysYieldFees;
    }

    struct PoolData {
        bytes32 poolConfigBits;
        address[] tokens;
        TokenInfo[] tokenInfo;
        uint256[] balancesRaw;
        uint256[] balancesLiveScaled18;
        uint256[] tokenRates;
        uint256[] decimalScalingFactors;
    }

    struct Roles {
        address pauseManager;
        address swapFeeManager;
        address poolCreator;
    }

    struct Hooks {
        bool enableHookAdjustedAmounts;
        bool shouldCallBeforeInitialize;
        bool shouldCallAfterInitialize;
        bool shouldCallComputeDynamicSwapFee;
        bool shouldCallBeforeSwap;
        bool shouldCallAfterSwap;
        bool shouldCallBeforeAddLiquidity;
        bool shouldCallAfterAddLiquidity;
        bool shouldCallBeforeRemoveLiquidity;
        bool shouldCallAfterRemoveLiquidity;
        address hooksContract;
    }

    struct Liquidity {
        bool disableUnbalancedLiquidity;
        bool enableAddLiquidityCustom;
        bool enableRemoveLiquidityCustom;
        bool enableDonation;
    }

    struct PoolConfig {
        Liquidity liquidityManagement;
        uint256 staticSwapFeePercentage;
        uint256 aggregateSwapFeePercentage;
        uint256 aggregateYieldFeePercentage;
        uint40 tokenDecimalDiffs;
        uint32 pauseWindowEndTime;
        bool isPoolRegistered;
        bool isPoolInitialized;
        bool isPoolPaused;
        bool isPoolInRecoveryMode;
    }

    /// @dev The protocol's vault does this in pools' own factories; here whoever calls says which one it was.
    struct Registration {
        address pool;
        address factory;
        TokenConfig[] tokens;
        uint256 swapFee;
        /// Share of the fee that leaves the pool, 18 decimals
        uint256 aggregateFee;
        /// Computes the fee of a swap; zero for none
        address hook;
        uint256[] balances;
    }
}
