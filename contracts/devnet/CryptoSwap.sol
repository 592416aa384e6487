// A model of a Curve pool of two coins that are not worth the same (twocrypto-ng): our own code after the published
// equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CryptoMath} from "./CryptoMath.sol";
import {SafeTransfer} from "./SafeTransfer.sol";

interface ICryptoCoin {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// @notice Liquidity lies around a price scale, which follows the market once the fees have paid for the move. The mean
///         of prices is linear in time where the protocol's is exponential; there are no joins and exits.
contract CryptoSwap {
    uint256 private constant ONE = 1e18;
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
        uint8 decimals0;
        uint8 decimals1;
    }

    /// @dev One word each: where the market is, and when that was written
    struct Market {
        uint96 last;
        uint96 mean;
        uint64 time;
    }

    address[2] public coins;
    uint256[2] public balances;
    uint256 public D;
    uint256 public virtual_price;
    uint256 public xcp_profit;
    uint256 public totalSupply;
    uint256 public price_scale;
    Terms private terms;
    Market private market;

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

    /// @notice Opens the pool with the coins that it holds, at a price of the second in the first, 18 digits. The coins
    ///         say how many decimals they have.
    function open(address[2] calldata coins_, uint256 price, Terms calldata given) external {
        if (totalSupply != 0) revert AlreadyOpen();
        coins = coins_;
        price_scale = price;
        market = Market(uint96(price), uint96(price), uint64(block.timestamp));
        Terms memory t = given;
        (t.decimals0, t.decimals1) = (ICryptoCoin(coins_[0]).decimals(), ICryptoCoin(coins_[1]).decimals());
        terms = t;
        for (uint256 k = 0; k < 2; k++) balances[k] = ICryptoCoin(coins_[k]).balanceOf(address(this));
        D = CryptoMath.invariant(_shape(t), _scaled(t, price, 0, balances[0]), _scaled(t, price, 1, balances[1]), 0);
        totalSupply = _worth(D, price);
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
        (uint256 dy, uint256 fee, uint256[2] memory xp, uint256 k0) = _price(t, i, j, dx);
        if (dy < leastDy) revert TooLittle(dy, leastDy);

        balances[i] += dx;
        balances[j] -= dy;
        SafeTransfer.take(coins[i], msg.sender, dx);
        SafeTransfer.send(coins[j], msg.sender, dy);
        uint256 scale = _follow(t, xp, k0);
        emit TokenExchange(msg.sender, i, dx, j, dy, fee, scale);
        return dy;
    }

    /// @return dy  What is paid: a unit is kept against rounding, and the fee is taken in the coin's own units
    /// @return fee In smallest units of what is paid
    /// @return xp  Balances after, 18 digits of the first coin
    /// @return k0  Of the curve, where it is known
    function _price(Terms memory t, uint256 i, uint256 j, uint256 dx)
        private
        view
        returns (uint256 dy, uint256 fee, uint256[2] memory xp, uint256 k0)
    {
        if (i == j || i > 1 || j > 1) revert SameCoin();
        uint256 price = price_scale;
        xp[i] = _scaled(t, price, i, balances[i] + dx);
        xp[j] = _scaled(t, price, j, balances[j]);
        uint256 y;
        (y, k0) = CryptoMath.balanceFor(_shape(t), xp[i], D);
        uint256 gross = xp[j] - y - 1;
        if (j == 1) gross = (gross * ONE) / price;
        gross /= _precision(t, j);
        xp[j] = y;
        fee = (_fee(t, xp) * gross) / FEE_DENOMINATOR;
        dy = gross - fee;
        xp[j] = _scaled(t, price, j, balances[j] - dy);
    }

    /// @dev Between the fee of a pool in balance and that of one far off it
    function _fee(Terms memory t, uint256[2] memory xp) private pure returns (uint256) {
        uint256 sum = xp[0] + xp[1];
        uint256 k = (((4 * ONE * xp[0]) / sum) * xp[1]) / sum;
        k = (t.feeGamma * ONE) / (t.feeGamma + ONE - k);
        return (t.midFee * k + t.outFee * (ONE - k)) / ONE;
    }

    /// @dev Books the trade, and moves the price scale towards the mean of prices where half of the profit is kept.
    /// @return scale The price scale after
    function _follow(Terms memory t, uint256[2] memory xp, uint256 k0) private returns (uint256 scale) {
        scale = price_scale;
        uint256 d = CryptoMath.invariant(_shape(t), xp[0], xp[1], k0);
        uint256 worth = (ONE * _worth(d, scale)) / totalSupply;
        if (worth <= virtual_price) revert Loss();
        uint256 profit = (xcp_profit * worth) / virtual_price;
        xcp_profit = profit;
        uint256 mean = _observe(t, (CryptoMath.marginalPrice(_shape(t), xp[0], xp[1], d) * scale) / ONE);

        if (2 * worth - ONE > profit + 2 * t.allowedExtraProfit) {
            uint256 wanted = _towards(t, scale, mean);
            uint256 moved = CryptoMath.invariant(_shape(t), xp[0], (xp[1] * wanted) / scale, 0);
            uint256 left = (ONE * _worth(moved, wanted)) / totalSupply;
            if (wanted != scale && left > ONE && 2 * left - ONE > profit) {
                (scale, d, worth) = (wanted, moved, left);
                price_scale = wanted;
            }
        }
        (D, virtual_price) = (d, worth);
    }

    /// @return mean Of the prices before this block
    function _observe(Terms memory t, uint256 last) private returns (uint256 mean) {
        Market memory seen = market;
        mean = seen.mean;
        uint256 passed = block.timestamp - seen.time;
        if (passed > t.period) passed = t.period;
        if (passed > 0) mean = (mean * (t.period - passed) + seen.last * passed) / t.period;
        market = Market(uint96(last), uint96(mean), uint64(block.timestamp));
    }

    /// @dev A fifth of the way, a step at least; not at all where that would lead beyond the mean
    function _towards(Terms memory t, uint256 scale, uint256 mean) private pure returns (uint256) {
        uint256 ratio = (mean * ONE) / scale;
        uint256 distance = ratio > ONE ? ratio - ONE : ONE - ratio;
        uint256 step = distance / 5 > t.adjustmentStep ? distance / 5 : t.adjustmentStep;
        return distance > step ? (scale * (distance - step) + step * mean) / distance : scale;
    }

    /// @dev Of a pool in balance, in 18 digits of either coin's geometric mean
    function _worth(uint256 d, uint256 price) private pure returns (uint256) {
        return CryptoMath.sqrt((d / 2) * ((d * ONE) / (2 * price)));
    }

    function _scaled(Terms memory t, uint256 price, uint256 k, uint256 amount) private pure returns (uint256) {
        uint256 exact = amount * _precision(t, k);
        return k == 0 ? exact : (exact * price) / ONE;
    }

    function _precision(Terms memory t, uint256 k) private pure returns (uint256) {
        return 10 ** (18 - (k == 0 ? t.decimals0 : t.decimals1));
    }

    function _shape(Terms memory t) private pure returns (CryptoMath.Shape memory) {
        return CryptoMath.Shape(t.ann, t.gamma);
    }
}
