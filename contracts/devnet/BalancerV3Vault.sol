// A model of Balancer's third vault: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FixedPoint} from "./FixedPoint.sol";
import {SafeTransfer} from "./SafeTransfer.sol";

interface IVaultToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

interface IRateProvider {
    function getRate() external view returns (uint256);
}

interface IV3Pool {
    function onSwap(BalancerV3Vault.PoolSwapParams calldata params) external view returns (uint256);
}

interface IFeeHook {
    function onComputeDynamicSwapFeePercentage(
        BalancerV3Vault.PoolSwapParams calldata params,
        address pool,
        uint256 staticFee
    ) external view returns (bool, uint256);
}

/// @notice Holds the tokens of every pool and lends them to whoever unlocks it, until it locks again. There are no
///         joins and exits, no buffers, no fees on yield, no managers and no pauses.
contract BalancerV3Vault {
    using FixedPoint for uint256;

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

    /// @dev A swap on its way through the vault
    struct Crossing {
        uint256 i;
        uint256 j;
        uint256 fee;
        /// The fee in 18 digits
        uint256 taken;
        uint256[] rates;
        uint256[] factors;
        PoolSwapParams params;
    }

    uint256 private constant LEAST_TRADE = 1e6;
    uint256 private constant MOST_FEE = 0.999999e18;

    mapping(address pool => Pool) private pools;
    mapping(address pool => mapping(address token => uint256)) public collectedFees;
    /// What the vault knows it holds
    mapping(address token => uint256) public getReservesOf;
    bool private transient unlocked;
    uint256 private transient openDebts;

    event PoolRegistered(
        address indexed pool,
        address indexed factory,
        TokenConfig[] tokenConfig,
        uint256 swapFeePercentage,
        uint32 pauseWindowEndTime,
        Roles roleAccounts,
        Hooks hooksConfig,
        Liquidity liquidityManagement
    );
    event Swap(
        address indexed pool,
        address indexed tokenIn,
        address indexed tokenOut,
        uint256 amountIn,
        uint256 amountOut,
        uint256 swapFeePercentage,
        uint256 swapFeeAmount
    );

    error AlreadyRegistered();
    error NotUnlocked();
    error BalanceNotSettled();
    error UnknownToken(address token);
    error TradeAmountTooSmall();
    error SwapLimit(uint256 amount, uint256 limit);
    error FeeTooHigh(uint256 fee);

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

    /// @notice Registers a pool with tokens that the vault holds already.
    function register(Registration calldata given) external {
        Pool storage pool = pools[given.pool];
        if (pool.holdings.length != 0) revert AlreadyRegistered();
        (pool.swapFee, pool.aggregateFee) = (uint64(given.swapFee), uint64(given.aggregateFee));
        pool.hook = given.hook;
        for (uint256 k = 0; k < given.tokens.length; k++) {
            TokenConfig calldata config = given.tokens[k];
            uint8 missing = 18 - IVaultToken(config.token).decimals();
            pool.holdings.push(Holding(config.token, missing, config.rateProvider, uint128(given.balances[k])));
            getReservesOf[config.token] = IVaultToken(config.token).balanceOf(address(this));
        }
        Hooks memory hooks;
        (hooks.shouldCallComputeDynamicSwapFee, hooks.hooksContract) = (given.hook != address(0), given.hook);
        Roles memory roles;
        Liquidity memory liquidity;
        emit PoolRegistered(
            given.pool, given.factory, given.tokens, given.swapFee, 0, roles, hooks, liquidity
        );
    }

    function getPoolConfig(address pool) external view returns (PoolConfig memory config) {
        Pool storage own = pools[pool];
        config.staticSwapFeePercentage = own.swapFee;
        config.aggregateSwapFeePercentage = own.aggregateFee;
        config.isPoolRegistered = config.isPoolInitialized = own.holdings.length != 0;
    }

    function getPoolData(address pool) external view returns (PoolData memory data) {
        Holding[] memory holdings = pools[pool].holdings;
        uint256 count = holdings.length;
        (data.tokens, data.tokenInfo) = (new address[](count), new TokenInfo[](count));
        data.balancesRaw = new uint256[](count);
        (data.decimalScalingFactors, data.tokenRates, data.balancesLiveScaled18) = _scaled(holdings);
        for (uint256 k = 0; k < count; k++) {
            data.tokens[k] = holdings[k].token;
            data.balancesRaw[k] = holdings[k].balance;
            address provider = holdings[k].rateProvider;
            TokenType kind = provider == address(0) ? TokenType.STANDARD : TokenType.WITH_RATE;
            data.tokenInfo[k] = TokenInfo(kind, provider, false);
        }
    }

    function isVaultPaused() external pure returns (bool) {
        return false;
    }

    function getMinimumTradeAmount() external pure returns (uint256) {
        return LEAST_TRADE;
    }

    /// @notice Calls the caller back with `data`; what it owes then must be paid by the end.
    function unlock(bytes calldata data) external returns (bytes memory) {
        if (unlocked) revert NotUnlocked();
        unlocked = true;
        (bool done, bytes memory answer) = msg.sender.call(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        if (openDebts != 0) revert BalanceNotSettled();
        unlocked = false;
        return answer;
    }

    /// @notice Books what has arrived of a token; more than the hint stays with the vault.
    function settle(address token, uint256 hint) external returns (uint256 credit) {
        if (!unlocked) revert NotUnlocked();
        uint256 held = IVaultToken(token).balanceOf(address(this));
        credit = held - getReservesOf[token];
        getReservesOf[token] = held;
        if (credit > hint) credit = hint;
        _owe(token, -int256(credit));
    }

    function sendTo(address token, address to, uint256 amount) external {
        if (!unlocked) revert NotUnlocked();
        _owe(token, int256(amount));
        getReservesOf[token] -= amount;
        SafeTransfer.send(token, to, amount);
    }

    /// @notice Swaps on credit.
    function swap(VaultSwapParams calldata given)
        external
        returns (uint256 calculated, uint256 amountIn, uint256 amountOut)
    {
        if (!unlocked) revert NotUnlocked();
        if (given.amountGivenRaw == 0) revert TradeAmountTooSmall();
        Crossing memory c = _open(given);
        (amountIn, amountOut) = given.kind == SwapKind.EXACT_IN ? _sell(given, c) : _buy(given, c);
        bool isSale = given.kind == SwapKind.EXACT_IN;
        calculated = isSale ? amountOut : amountIn;
        if (isSale ? amountOut < given.limitRaw : amountIn > given.limitRaw) {
            revert SwapLimit(calculated, given.limitRaw);
        }
        uint256 feeRaw = c.taken.divDown(c.factors[c.i] * c.rates[c.i]);
        _book(given, c, amountIn, amountOut, feeRaw);
        emit Swap(given.pool, given.tokenIn, given.tokenOut, amountIn, amountOut, c.fee, feeRaw);
    }

    function _open(VaultSwapParams calldata given) private view returns (Crossing memory c) {
        Holding[] memory holdings = pools[given.pool].holdings;
        (c.i, c.j) = (_index(holdings, given.tokenIn), _index(holdings, given.tokenOut));
        (c.params.kind, c.params.indexIn, c.params.indexOut) = (given.kind, c.i, c.j);
        (c.params.router, c.params.userData) = (msg.sender, given.userData);
        (c.factors, c.rates, c.params.balancesScaled18) = _scaled(holdings);
        if (given.kind == SwapKind.EXACT_IN) {
            c.params.amountGivenScaled18 = (given.amountGivenRaw * c.factors[c.i]).mulDown(c.rates[c.i]);
        } else {
            c.params.amountGivenScaled18 = (given.amountGivenRaw * c.factors[c.j]).mulUp(_rateUp(c.rates[c.j]));
        }
        c.fee = _fee(given.pool, c.params);
    }

    function _sell(VaultSwapParams calldata given, Crossing memory c) private view returns (uint256, uint256) {
        c.taken = c.params.amountGivenScaled18.mulUp(c.fee);
        c.params.amountGivenScaled18 -= c.taken;
        uint256 answer = _ask(given.pool, c.params);
        return (given.amountGivenRaw, answer.divDown(c.factors[c.j] * _rateUp(c.rates[c.j])));
    }

    function _buy(VaultSwapParams calldata given, Crossing memory c) private view returns (uint256, uint256) {
        uint256 answer = _ask(given.pool, c.params);
        c.taken = (answer * c.fee).ceilDiv(FixedPoint.ONE - c.fee);
        return ((answer + c.taken).divUp(c.factors[c.i] * c.rates[c.i]), given.amountGivenRaw);
    }

    function _ask(address pool, PoolSwapParams memory params) private view returns (uint256 answer) {
        if (params.amountGivenScaled18 < LEAST_TRADE) revert TradeAmountTooSmall();
        answer = IV3Pool(pool).onSwap(params);
        if (answer < LEAST_TRADE) revert TradeAmountTooSmall();
    }

    function _fee(address pool, PoolSwapParams memory params) private view returns (uint256 fee) {
        (address hook, uint256 own) = (pools[pool].hook, pools[pool].swapFee);
        if (hook == address(0)) return own;
        (, fee) = IFeeHook(hook).onComputeDynamicSwapFeePercentage(params, pool, own);
        if (fee > MOST_FEE) revert FeeTooHigh(fee);
    }

    function _book(
        VaultSwapParams calldata given,
        Crossing memory c,
        uint256 amountIn,
        uint256 amountOut,
        uint256 feeRaw
    ) private {
        Pool storage pool = pools[given.pool];
        uint256 charged = feeRaw.mulDown(pool.aggregateFee);
        if (charged != 0) collectedFees[given.pool][given.tokenIn] += charged;
        pool.holdings[c.i].balance += uint128(amountIn - charged);
        pool.holdings[c.j].balance -= uint128(amountOut);
        _owe(given.tokenIn, int256(amountIn));
        _owe(given.tokenOut, -int256(amountOut));
    }

    /// @dev Adds to what the unlocker owes of a token: less than nothing is what it is owed.
    function _owe(address token, int256 more) private {
        int256 before;
        assembly ("memory-safe") {
            before := tload(token)
        }
        int256 debt = before + more;
        assembly ("memory-safe") {
            tstore(token, debt)
        }
        if (before == 0 && debt != 0) openDebts++;
        else if (before != 0 && debt == 0) openDebts--;
    }

    function _scaled(Holding[] memory holdings)
        private
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

    /// @dev A rate with decimals that divides is a unit more.
    function _rateUp(uint256 rate) private pure returns (uint256) {
        return rate % FixedPoint.ONE == 0 ? rate : rate + 1;
    }

    function _index(Holding[] memory holdings, address token) private pure returns (uint256) {
        for (uint256 k = 0; k < holdings.length; k++) if (holdings[k].token == token) return k;
        revert UnknownToken(token);
    }
}
