// A model of the curve of Curve's pools of coins that are not worth the same: our own code after the published equations,
// not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice K·D^(N-1)·Σx + Πx = K·D^N + (D/N)^N, K = A·K0·γ² / (γ + 1 - K0)², K0 = N^N·Πx / D^N: what pools of two and of
///         three coins share. Balances and γ have 18 digits; `ann` is N^N·A·10^4.
library CryptoCurve {
    uint256 internal constant ONE = 1e18;
    uint256 internal constant MOST_STEPS = 255;
    uint256 internal constant MOST_D = 1e33;
    uint256 private constant LEAST_D = 1e17;
    uint256 private constant MULTIPLIER = 10_000;

    error NoConvergence();
    error Unsafe(uint256 value, uint256 d);

    /// @dev A and γ
    struct Shape {
        uint256 ann;
        uint256 gamma;
    }

    /// @dev The balances beside the one that is looked for: how many coins there are with it, where the search starts,
    ///      N^(N-1)·Πx / D^(N-1) and Σx of the others, and how close two steps must come
    struct Others {
        uint256 count;
        uint256 start;
        uint256 k0;
        uint256 sum;
        uint256 limit;
    }

    /// @notice A balance may only be so small or large a share of D.
    function bound(uint256 value, uint256 d, uint256 least, uint256 most) internal pure {
        uint256 share = (value * ONE) / d;
        if (share < least || share > most) revert Unsafe(value, d);
    }

    function boundTotal(uint256 d) internal pure {
        if (d < LEAST_D || d > MOST_D) revert Unsafe(d, d);
    }

    /// @notice What a coin is worth at the margin, in the first, 18 digits, where no coin has been scaled.
    /// @param first Balance of the first coin
    /// @param other Balance of the coin that is asked for
    /// @param sum   Of all balances
    function marginalPrice(Shape memory shape, uint256 first, uint256 other, uint256 sum, uint256 k0, uint256 d)
        internal
        pure
        returns (uint256)
    {
        uint256 g = shape.gamma + ONE - k0;
        // N^N·K of the curve as it is written above
        uint256 weight = (shape.ann * k0) / MULTIPLIER * shape.gamma / g * shape.gamma / g;
        uint256 beyond = sum > d ? sum - d : 0;
        uint256 shared = (beyond * weight) / ONE * (g + 2 * k0) / g + (k0 * d) / ONE;
        return (weight + (shared * ONE) / other) * ONE / (weight + (shared * ONE) / first);
    }

    /// @notice A step of Newton's method towards D, of so many coins.
    function nextTotal(Shape memory shape, uint256 count, uint256 k0, uint256 sum, uint256 d)
        internal
        pure
        returns (uint256)
    {
        uint256 g = _gap(shape, k0);
        uint256 mul1 = _shared(shape, d, g);
        uint256 mul2 = (2 * ONE * count * k0) / g;
        uint256 slope = sum + (sum * mul2) / ONE + (mul1 * count) / k0 - (mul2 * d) / ONE;
        uint256 plus = (d * (slope + sum)) / slope;
        uint256 part = (d * (mul1 / slope)) / ONE;
        uint256 minus = (d * d) / slope;
        if (ONE > k0) minus += (part * (ONE - k0)) / k0;
        else minus -= (part * (k0 - ONE)) / k0;
        return plus > minus ? plus - minus : (minus - plus) / 2;
    }

    /// @notice Whether a step of Newton's method towards D was the last one.
    function isTotal(uint256 before, uint256 d) internal pure returns (bool) {
        uint256 change = d > before ? d - before : before - d;
        return change * 1e14 < (d > 1e16 ? d : 1e16);
    }

    /// @notice The balance that keeps D beside the others, by Newton's method.
    function balanceFor(Shape memory shape, Others memory others, uint256 d) internal pure returns (uint256 y) {
        uint256 limit = others.limit < 100 ? 100 : others.limit;
        y = others.start;
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = y;
            bool leap;
            (y, leap) = _nextBalance(shape, others, before, d);
            uint256 change = y > before ? y - before : before - y;
            if (!leap && change < (limit > y / 1e14 ? limit : y / 1e14)) return y;
        }
        revert NoConvergence();
    }

    /// @return leap Whether y was halved because the step would have led below zero
    function _nextBalance(Shape memory shape, Others memory others, uint256 y, uint256 d)
        private
        pure
        returns (uint256, bool leap)
    {
        uint256 k0 = (others.k0 * y * others.count) / d;
        uint256 sum = others.sum + y;
        uint256 g = _gap(shape, k0);
        uint256 mul1 = _shared(shape, d, g);
        uint256 mul2 = ONE + (2 * ONE * k0) / g;
        uint256 above = ONE * y + sum * mul2 + mul1;
        if (above < d * mul2) return (y / 2, true);
        uint256 slope = (above - d * mul2) / y;
        uint256 minus = mul1 / slope;
        uint256 plus = (above - d * mul2 + ONE * d) / slope + (minus * ONE) / k0;
        minus += (ONE * sum) / slope;
        return (plus < minus ? y / 2 : plus - minus, false);
    }

    /// @dev D·(γ + 1 - K0)² / (γ²·A), which all of Newton's steps share
    function _shared(Shape memory shape, uint256 d, uint256 g) private pure returns (uint256) {
        return ((((ONE * d) / shape.gamma) * g) / shape.gamma) * g * MULTIPLIER / shape.ann;
    }

    function _gap(Shape memory shape, uint256 k0) private pure returns (uint256) {
        uint256 top = shape.gamma + ONE;
        return (top > k0 ? top - k0 : k0 - top) + 1;
    }
}
