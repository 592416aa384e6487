// A model of Curve's pools of coins that are not worth the same (twocrypto-ng and tricrypto-ng): our own code after the
// published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CryptoCurve} from "./CryptoCurve.sol";
import {Roots} from "../shared/Roots.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface ICryptoCoin {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// @notice What pools of two and of three coins share. Liquidity lies around a price scale, which follows the market once
///         the fees have paid for the move. The mean of prices is linear in time where the protocol's is exponential;
///         there are no joins and exits.
abstract contract CryptoPool {
    uint256 internal constant ONE = 1e18;
    uint256 private constant FEE_DENOMINATOR = 1e10;

    /// @dev Two words
    struct Terms {
        uint64 ann;
        uint64 gamma;
        uint64 feeGamma;
        uint64 allowedExtraProfit;
        uint32 midFee;
        uint32 outFee;
        uint64 adjustmentStep;
        /// Seconds after which the mean of prices is the last price
        uint32 period;
        uint8[3] decimals;
    }

    /// @dev A word each: where the market of a coin in the first is, and when that was written
    struct Market {
        uint96 last;
        uint96 mean;
        uint64 time;
    }

    uint256 public D;
    uint256 public virtual_price;
    uint256 public xcp_profit;
    uint256 public totalSupply;
    address[3] public coins;
    uint256[3] public balances;
    /// Of each coin but the first, in the first, 18 digits
    uint256[2] internal scales;
    Market[2] private markets;
    Terms private terms;

    event TokenExchange(
        address indexed buyer,
        uint256 sold_id,
        uint256 tokens_sold,
        uint256 bought_id,
        uint256 tokens_bought,
        uint256 fee,
        uint256 packed_price_scale
    );

    error AlreadyOpen();
    error SameCoin();
    error TooLittle(uint256 bought, uint256 least);
    error Loss();

    /// @dev How many coins there are
    function _count() internal pure virtual returns (uint256);

    /// @dev The balance of coin `i` that keeps D, and K0 with it, 0 where that is not known
    function _balanceFor(CryptoCurve.Shape memory shape, uint256[3] memory xp, uint256 d, uint256 i)
        internal
        pure
        virtual
        returns (uint256 y, uint256 k0);

    function _invariant(CryptoCurve.Shape memory shape, uint256[3] memory xp, uint256 k0)
        internal
        pure
        virtual
        returns (uint256 d);

    /// @dev The geometric mean
    function _mean(uint256[3] memory x) internal pure virtual returns (uint256);

    /// @dev The fall of the fee with the distance from balance, 18 digits: N^N·Πx / (Σx)^N
    function _evenness(uint256[3] memory xp) internal pure virtual returns (uint256);

    /// @dev Opens the pool with the coins that it holds. The coins say how many decimals they have.
    function _open(address[3] memory coins_, uint256[2] memory prices, Terms memory t) internal {
        if (totalSupply != 0) revert AlreadyOpen();
        (coins, scales) = (coins_, prices);
        uint256[3] memory held;
        for (uint256 k = 0; k < _count(); k++) {
            t.decimals[k] = ICryptoCoin(coins_[k]).decimals();
            held[k] = ICryptoCoin(coins_[k]).balanceOf(address(this));
            if (k > 0) markets[k - 1] = Market(uint96(prices[k - 1]), uint96(prices[k - 1]), uint64(block.timestamp));
        }
        (terms, balances) = (t, held);
        for (uint256 k = 0; k < _count(); k++) held[k] = _scaled(t, prices, k, held[k]);
        D = _invariant(_shape(t), held, 0);
        totalSupply = _worth(D, prices);
        (virtual_price, xcp_profit) = (ONE, ONE);
    }

    function version() external pure returns (string memory) {
        return "v2.0.0";
    }

    /// @notice The maths is the pool's own; its version is the pool's.
    function MATH() external view returns (address) {
        return address(this);
    }

    function mid_fee() external view returns (uint256) {
        return terms.midFee;
    }

    function out_fee() external view returns (uint256) {
        return terms.outFee;
    }

    function fee_gamma() external view returns (uint256) {
        return terms.feeGamma;
    }

    function allowed_extra_profit() external view returns (uint256) {
        return terms.allowedExtraProfit;
    }

    function initial_A_gamma() external view returns (uint256) {
        return (uint256(terms.ann) << 128) | terms.gamma;
    }

    function future_A_gamma() external view returns (uint256) {
        return (uint256(terms.ann) << 128) | terms.gamma;
    }

    function initial_A_gamma_time() external pure returns (uint256) {
        return 0;
    }

    function future_A_gamma_time() external pure returns (uint256) {
        return 0;
    }

    /// @return dy Smallest units of coin `j` for `dx` of coin `i`, the fee taken
    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256 dy) {
        (dy,,,) = _price(terms, i, j, dx);
    }

    /// @notice Takes `dx` of coin `i` from the caller and pays coin `j` to it.
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 leastDy) external returns (uint256) {
        Terms memory t = terms;
        (uint256 dy, uint256 fee, uint256[3] memory xp, uint256 k0) = _price(t, i, j, dx);
        if (dy < leastDy) revert TooLittle(dy, leastDy);

        balances[i] += dx;
        balances[j] -= dy;
        SafeTransfer.take(coins[i], msg.sender, dx);
        SafeTransfer.send(coins[j], msg.sender, dy);
        _follow(t, xp, k0);
        emit TokenExchange(msg.sender, i, dx, j, dy, fee, (scales[1] << 128) | scales[0]);
        return dy;
    }

    /// @return dy  What is paid: a unit is kept against rounding, and the fee is taken in the coin's own units
    /// @return fee In smallest units of what is paid
    /// @return xp  Balances after, 18 digits of the first coin
    /// @return k0  Of the curve, where it is known
    function _price(Terms memory t, uint256 i, uint256 j, uint256 dx)
        private
        view
        returns (uint256 dy, uint256 fee, uint256[3] memory xp, uint256 k0)
    {
        if (i == j || i >= _count() || j >= _count()) revert SameCoin();
        uint256[2] memory prices = scales;
        for (uint256 k = 0; k < _count(); k++) xp[k] = _scaled(t, prices, k, balances[k] + (k == i ? dx : 0));
        uint256 y;
        (y, k0) = _balanceFor(_shape(t), xp, D, j);
        uint256 gross = xp[j] - y - 1;
        if (j > 0) gross = (gross * ONE) / prices[j - 1];
        gross /= _precision(t, j);
        xp[j] = y;
        fee = (_fee(t, xp) * gross) / FEE_DENOMINATOR;
        dy = gross - fee;
        xp[j] = _scaled(t, prices, j, balances[j] - dy);
    }

    /// @dev Between the fee of a pool in balance and that of one far off it
    function _fee(Terms memory t, uint256[3] memory xp) private pure returns (uint256) {
        uint256 k = (t.feeGamma * ONE) / (t.feeGamma + ONE - _evenness(xp));
        return (t.midFee * k + t.outFee * (ONE - k)) / ONE;
    }

    /// @dev Books the trade, and moves the price scale towards the mean of prices where half of the profit is kept.
    function _follow(Terms memory t, uint256[3] memory xp, uint256 k0) private {
        uint256[2] memory prices = scales;
        uint256 d = _invariant(_shape(t), xp, k0);
        uint256 worth = (ONE * _worth(d, prices)) / totalSupply;
        if (worth <= virtual_price) revert Loss();
        uint256 profit = (xcp_profit * worth) / virtual_price;
        xcp_profit = profit;
        uint256[2] memory means = _observe(t, xp, prices, d);

        if (2 * worth - ONE > profit + 2 * t.allowedExtraProfit) {
            (bool moves, uint256[2] memory wanted) = _towards(t, prices, means);
            for (uint256 k = 1; k < _count(); k++) xp[k] = (xp[k] * wanted[k - 1]) / prices[k - 1];
            uint256 moved = _invariant(_shape(t), xp, 0);
            uint256 left = (ONE * _worth(moved, wanted)) / totalSupply;
            if (moves && left > ONE && 2 * left - ONE > profit) {
                (d, worth) = (moved, left);
                for (uint256 k = 1; k < _count(); k++) scales[k - 1] = wanted[k - 1];
            }
        }
        (D, virtual_price) = (d, worth);
    }

    /// @return means Of the prices before this block
    function _observe(Terms memory t, uint256[3] memory xp, uint256[2] memory prices, uint256 d)
        private
        returns (uint256[2] memory means)
    {
        (uint256 k0, uint256 sum) = (ONE, 0);
        for (uint256 k = 0; k < _count(); k++) (k0, sum) = ((k0 * xp[k] * _count()) / d, sum + xp[k]);
        for (uint256 k = 0; k + 1 < _count(); k++) {
            uint256 last = CryptoCurve.marginalPrice(_shape(t), xp[0], xp[k + 1], sum, k0, d) * prices[k] / ONE;
            Market memory seen = markets[k];
            means[k] = seen.mean;
            uint256 passed = block.timestamp - seen.time;
            if (passed > t.period) passed = t.period;
            if (passed > 0) means[k] = (means[k] * (t.period - passed) + seen.last * passed) / t.period;
            markets[k] = Market(uint96(last), uint96(means[k]), uint64(block.timestamp));
        }
    }

    /// @dev A fifth of the way, a step at least; not at all where that would lead beyond the means
    function _towards(Terms memory t, uint256[2] memory prices, uint256[2] memory means)
        private
        pure
        returns (bool moves, uint256[2] memory wanted)
    {
        uint256 squares;
        for (uint256 k = 0; k + 1 < _count(); k++) {
            uint256 ratio = (means[k] * ONE) / prices[k];
            uint256 off = ratio > ONE ? ratio - ONE : ONE - ratio;
            squares += off * off;
        }
        uint256 distance = Roots.sqrt(squares);
        uint256 step = distance / 5 > t.adjustmentStep ? distance / 5 : t.adjustmentStep;
        moves = distance > step;
        for (uint256 k = 0; k + 1 < _count(); k++) {
            wanted[k] = moves ? (prices[k] * (distance - step) + step * means[k]) / distance : prices[k];
        }
    }

    /// @dev Of a pool in balance: the geometric mean of what it would hold of each coin, 18 digits
    function _worth(uint256 d, uint256[2] memory prices) private pure returns (uint256) {
        uint256[3] memory held;
        uint256 count = _count();
        held[0] = d / count;
        for (uint256 k = 1; k < count; k++) held[k] = (d * ONE) / (count * prices[k - 1]);
        return _mean(held);
    }

    function _scaled(Terms memory t, uint256[2] memory prices, uint256 k, uint256 amount)
        private
        pure
        returns (uint256)
    {
        uint256 exact = amount * _precision(t, k);
        return k == 0 ? exact : (exact * prices[k - 1]) / ONE;
    }

    function _precision(Terms memory t, uint256 k) private pure returns (uint256) {
        return 10 ** (18 - t.decimals[k]);
    }

    function _shape(Terms memory t) private pure returns (CryptoCurve.Shape memory) {
        return CryptoCurve.Shape(t.ann, t.gamma);
    }
}
