// A model of Balancer's third vault: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BalancerV3Buffers} from "./BalancerV3Buffers.sol";
import {IVaultToken} from "./BalancerV3Register.sol";
import {BalancerV3Types as T} from "./BalancerV3Types.sol";
import {FixedPoint} from "../shared/FixedPoint.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IV3Pool {
    function onSwap(T.PoolSwapParams calldata params) external returns (uint256);
}

interface IFeeHook {
    function onComputeDynamicSwapFeePercentage(T.PoolSwapParams calldata params, address pool, uint256 staticFee)
        external
        view
        returns (bool, uint256);
}

/// @notice Holds the tokens of every pool and lends them to whoever unlocks it, until it locks again.
contract BalancerV3Vault is BalancerV3Buffers {
    using FixedPoint for uint256;

    /// @dev A swap on its way through the vault
    struct Crossing {
        uint256 i;
        uint256 j;
        uint256 fee;
        /// The fee in 18 digits
        uint256 taken;
        uint256[] rates;
        uint256[] factors;
        T.PoolSwapParams params;
    }

    uint256 private constant MOST_FEE = 0.999999e18;

    mapping(address pool => mapping(address token => uint256)) public collectedFees;
    uint256 private transient openDebts;

    event Swap(
        address indexed pool,
        address indexed tokenIn,
        address indexed tokenOut,
        uint256 amountIn,
        uint256 amountOut,
        uint256 swapFeePercentage,
        uint256 swapFeeAmount
    );

    error BalanceNotSettled();
    error UnknownToken(address token);
    error TradeAmountTooSmall();
    error FeeTooHigh(uint256 fee);

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
    function swap(T.VaultSwapParams calldata given)
        external
        returns (uint256 calculated, uint256 amountIn, uint256 amountOut)
    {
        if (!unlocked) revert NotUnlocked();
        if (given.amountGivenRaw == 0) revert TradeAmountTooSmall();
        Crossing memory c = _open(given);
        (amountIn, amountOut) = given.kind == T.SwapKind.EXACT_IN ? _sell(given, c) : _buy(given, c);
        bool isSale = given.kind == T.SwapKind.EXACT_IN;
        calculated = isSale ? amountOut : amountIn;
        if (isSale ? amountOut < given.limitRaw : amountIn > given.limitRaw) {
            revert SwapLimit(calculated, given.limitRaw);
        }
        uint256 feeRaw = c.taken.divDown(c.factors[c.i] * c.rates[c.i]);
        _book(given, c, amountIn, amountOut, feeRaw);
        emit Swap(given.pool, given.tokenIn, given.tokenOut, amountIn, amountOut, c.fee, feeRaw);
    }

    function _open(T.VaultSwapParams calldata given) private view returns (Crossing memory c) {
        Holding[] memory holdings = pools[given.pool].holdings;
        (c.i, c.j) = (_index(holdings, given.tokenIn), _index(holdings, given.tokenOut));
        (c.params.kind, c.params.indexIn, c.params.indexOut) = (given.kind, c.i, c.j);
        (c.params.router, c.params.userData) = (msg.sender, given.userData);
        (c.factors, c.rates, c.params.balancesScaled18) = _scaled(holdings);
        if (given.kind == T.SwapKind.EXACT_IN) {
            c.params.amountGivenScaled18 = (given.amountGivenRaw * c.factors[c.i]).mulDown(c.rates[c.i]);
        } else {
            c.params.amountGivenScaled18 = (given.amountGivenRaw * c.factors[c.j]).mulUp(_rateUp(c.rates[c.j]));
        }
        c.fee = _fee(given.pool, c.params);
    }

    function _sell(T.VaultSwapParams calldata given, Crossing memory c) private returns (uint256, uint256) {
        c.taken = c.params.amountGivenScaled18.mulUp(c.fee);
        c.params.amountGivenScaled18 -= c.taken;
        uint256 answer = _ask(given.pool, c.params);
        return (given.amountGivenRaw, answer.divDown(c.factors[c.j] * _rateUp(c.rates[c.j])));
    }

    function _buy(T.VaultSwapParams calldata given, Crossing memory c) private returns (uint256, uint256) {
        uint256 answer = _ask(given.pool, c.params);
        c.taken = (answer * c.fee).ceilDiv(FixedPoint.ONE - c.fee);
        return ((answer + c.taken).divUp(c.factors[c.i] * c.rates[c.i]), given.amountGivenRaw);
    }

    function _ask(address pool, T.PoolSwapParams memory params) private returns (uint256 answer) {
        if (params.amountGivenScaled18 < LEAST_TRADE) revert TradeAmountTooSmall();
        answer = IV3Pool(pool).onSwap(params);
        if (answer < LEAST_TRADE) revert TradeAmountTooSmall();
    }

    function _fee(address pool, T.PoolSwapParams memory params) private view returns (uint256 fee) {
        (address hook, uint256 own) = (pools[pool].hook, pools[pool].swapFee);
        if (hook == address(0)) return own;
        (, fee) = IFeeHook(hook).onComputeDynamicSwapFeePercentage(params, pool, own);
        if (fee > MOST_FEE) revert FeeTooHigh(fee);
    }

    function _book(
        T.VaultSwapParams calldata given,
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
    function _owe(address token, int256 more) internal override {
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

    /// @dev A rate with decimals that divides is a unit more.
    function _rateUp(uint256 rate) private pure returns (uint256) {
        return rate % FixedPoint.ONE == 0 ? rate : rate + 1;
    }

    function _index(Holding[] memory holdings, address token) private pure returns (uint256) {
        for (uint256 k = 0; k < holdings.length; k++) if (holdings[k].token == token) return k;
        revert UnknownToken(token);
    }
}
