// A model of what Balancer's third vault knows of its pools: our own code after the published interface, not the
// protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Types as T} from "./BalancerV3Types.sol";
import {FixedPoint} from "../shared/FixedPoint.sol";

interface IVaultToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

interface IRateProvider {
    function getRate() external view returns (uint256);
}

/// @notice Registers pools and says what they are. There are no joins and exits, no fees on yield, no managers and no
///         pauses.
abstract contract BalancerV3Register {
    using FixedPoint for uint256;

    /// @dev Two words a token: what it is, and what the pool has of it
    struct Holding {
        address token;
        uint8 missingDigits;
        address rateProvider;
        uint128 balance;
    }

    struct Pool {
        uint64 swapFee;
        uint64 aggregateFee;
        address hook;
        Holding[] holdings;
    }

    uint256 internal constant LEAST_TRADE = 1e6;

    mapping(address pool => Pool) internal pools;
    /// What the vault knows it holds
    mapping(address token => uint256) public getReservesOf;

    event PoolRegistered(
        address indexed pool,
        address indexed factory,
        T.TokenConfig[] tokenConfig,
        uint256 swapFeePercentage,
        uint32 pauseWindowEndTime,
        T.Roles roleAccounts,
        T.Hooks hooksConfig,
        T.Liquidity liquidityManagement
    );

    error AlreadyRegistered();

    /// @notice Registers a pool with tokens that the vault holds already.
    function register(T.Registration calldata given) external {
        Pool storage pool = pools[given.pool];
        if (pool.holdings.length != 0) revert AlreadyRegistered();
        (pool.swapFee, pool.aggregateFee) = (uint64(given.swapFee), uint64(given.aggregateFee));
        pool.hook = given.hook;
        for (uint256 k = 0; k < given.tokens.length; k++) {
            T.TokenConfig calldata config = given.tokens[k];
            uint8 missing = 18 - IVaultToken(config.token).decimals();
            pool.holdings.push(Holding(config.token, missing, config.rateProvider, uint128(given.balances[k])));
            getReservesOf[config.token] = IVaultToken(config.token).balanceOf(address(this));
        }
        T.Hooks memory hooks;
        (hooks.shouldCallComputeDynamicSwapFee, hooks.hooksContract) = (given.hook != address(0), given.hook);
        T.Roles memory roles;
        T.Liquidity memory liquidity;
        emit PoolRegistered(
            given.pool, given.factory, given.tokens, given.swapFee, 0, roles, hooks, liquidity
        );
    }

    function getPoolConfig(address pool) external view returns (T.PoolConfig memory config) {
        Pool storage own = pools[pool];
        config.staticSwapFeePercentage = own.swapFee;
        config.aggregateSwapFeePercentage = own.aggregateFee;
        config.isPoolRegistered = config.isPoolInitialized = own.holdings.length != 0;
    }

    function getPoolData(address pool) public view returns (T.PoolData memory data) {
        Holding[] memory holdings = pools[pool].holdings;
        uint256 count = holdings.length;
        (data.tokens, data.tokenInfo) = (new address[](count), new T.TokenInfo[](count));
        data.balancesRaw = new uint256[](count);
        (data.decimalScalingFactors, data.tokenRates, data.balancesLiveScaled18) = _scaled(holdings);
        for (uint256 k = 0; k < count; k++) {
            data.tokens[k] = holdings[k].token;
            data.balancesRaw[k] = holdings[k].balance;
            address provider = holdings[k].rateProvider;
            T.TokenType kind = provider == address(0) ? T.TokenType.STANDARD : T.TokenType.WITH_RATE;
            data.tokenInfo[k] = T.TokenInfo(kind, provider, false);
        }
    }

    function getPoolTokenInfo(address pool)
        external
        view
        returns (address[] memory, T.TokenInfo[] memory, uint256[] memory, uint256[] memory)
    {
        T.PoolData memory data = getPoolData(pool);
        return (data.tokens, data.tokenInfo, data.balancesRaw, data.balancesLiveScaled18);
    }

    function getHooksConfig(address pool) external view returns (T.Hooks memory hooks) {
        address hook = pools[pool].hook;
        (hooks.shouldCallComputeDynamicSwapFee, hooks.hooksContract) = (hook != address(0), hook);
    }

    function isVaultPaused() external pure returns (bool) {
        return false;
    }

    function getMinimumTradeAmount() external pure returns (uint256) {
        return LEAST_TRADE;
    }

    function _scaled(Holding[] memory holdings)
        internal
        view
        returns (uint256[] memory factors, uint256[] memory rates, uint256[] memory live)
    {
        uint256 count = holdings.length;
        (factors, rates, live) = (new uint256[](count), new uint256[](count), new uint256[](count));
        for (uint256 k = 0; k < count; k++) {
            factors[k] = 10 ** holdings[k].missingDigits;
            address provider = holdings[k].rateProvider;
            rates[k] = provider == address(0) ? FixedPoint.ONE : IRateProvider(provider).getRate();
            live[k] = (holdings[k].balance * factors[k]).mulDown(rates[k]);
        }
    }
}
