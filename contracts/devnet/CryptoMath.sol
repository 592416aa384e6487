// A model of the maths of Curve's pools of two coins that are not worth the same: our own code after the published
// equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice K·D·(x + y) + x·y = K·D² + (D/2)², K = A·K0·γ² / (γ + 1 - K0)², K0 = 4·x·y / D². Balances and γ have 18
///         digits; `ann` is 4·A·10^4.
library CryptoMath {
    uint256 internal constant ONE = 1e18;
    uint256 private constant MULTIPLIER = 10_000;
    uint256 private constant MOST_STEPS = 255;
    uint256 private constant LEAST_D = 1e17;
    uint256 private constant MOST_D = 1e33;
    /// Above these a cube root's argument is scaled less, so that it fits
    uint256 private constant LARGE = 115792089237316195423570985008687907853269;
    uint256 private constant HUGE = LARGE * 1e18;
    /// What the cubic is written in
    int256 private constant A = 1e32;

    error NoConvergence();
    error Unsafe(uint256 value, uint256 d);

    /// @dev A and γ
    struct Shape {
        uint256 ann;
        uint256 gamma;
    }

    struct Cubic {
        int256 b;
        int256 c;
        int256 d;
        int256 a;
    }

    /// @notice The balance that keeps D beside `other`: the cubic in K0 solved in closed form, by Newton's method where
    ///         it has none.
    /// @return y  18 digits
    /// @return k0 K0 with both, 0 where Newton's method found the balance
    function balanceFor(Shape memory shape, uint256 other, uint256 d) internal pure returns (uint256 y, uint256 k0) {
        if (d < LEAST_D || d > MOST_D) revert Unsafe(d, d);
        uint256 limit = _limit(shape.gamma);
        uint256 share = (2 * ONE * other) / d;
        if (share < 1e36 / limit || share > limit) revert Unsafe(other, d);
        (bool closed, int256 root) = _root(_scaled(_cubic(shape, int256(other), int256(d))));
        if (!closed) y = _newtonBalance(shape, other, d);
        else if (root < 0) revert Unsafe(other, d);
        else (y, k0) = (((d * d) / other) * uint256(root) / 4 / ONE, uint256(root));
        _bound(y, d, 1e36 / 2 / limit, limit / 2);
    }

    /// @notice D of two balances.
    /// @param k0 K0 with both where it is known, else 0
    function invariant(Shape memory shape, uint256 x, uint256 y, uint256 k0) internal pure returns (uint256 d) {
        if (x < y) (x, y) = (y, x);
        if (x < 1e9 || x > MOST_D || (y * ONE) / x < 1e14) revert Unsafe(y, x);
        d = k0 == 0 ? 2 * sqrt(x * y) : sqrt((4 * x * y) / k0 * ONE);
        if (k0 != 0 && x + y < d) d = x + y;
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = d;
            d = _nextD(shape, x, y, before);
            uint256 change = d > before ? d - before : before - d;
            if (change * 1e14 < (d > 1e16 ? d : 1e16)) {
                _bound(x, d, 1e16 / 2, 1e20 / 2);
                _bound(y, d, 1e16 / 2, 1e20 / 2);
                return d;
            }
        }
        revert NoConvergence();
    }

    /// @notice What the second coin is worth at the margin, in the first, 18 digits: both in 18-digit units.
    function marginalPrice(Shape memory shape, uint256 x, uint256 y, uint256 d) internal pure returns (uint256) {
        uint256 k0 = ((4 * ONE * x) / d) * y / d;
        uint256 g = shape.gamma + ONE - k0;
        // 4·K of the curve as it is written above, over (D/2)²
        uint256 weight = (shape.ann * k0) / MULTIPLIER * shape.gamma / g * shape.gamma / g;
        uint256 beyond = x + y > d ? x + y - d : 0;
        uint256 shared = (beyond * weight) / ONE * (g + 2 * k0) / g + (k0 * d) / ONE;
        return (weight + (shared * ONE) / y) * ONE / (weight + (shared * ONE) / x);
    }

    /// @dev Large gammas narrow what a share of D may be.
    function _limit(uint256 gamma) private pure returns (uint256 limit) {
        limit = 100 * ONE;
        if (gamma > 2e16) limit = (limit * 2e16) / gamma;
    }

    function _bound(uint256 value, uint256 d, uint256 least, uint256 most) private pure {
        uint256 share = (value * ONE) / d;
        if (share < least || share > most) revert Unsafe(value, d);
    }

    /// @dev 10^32·K0³ + b·K0² + c·K0 + d = 0
    function _cubic(Shape memory shape, int256 x, int256 total) private pure returns (Cubic memory) {
        int256 gamma = int256(shape.gamma);
        int256 annGamma2 = int256(shape.ann) * gamma * gamma;
        int256 one = int256(ONE);
        return Cubic({
            a: A,
            b: (total * annGamma2) / 400_000_000 / x - 3 * A - 2 * gamma * 1e14,
            c: 3 * A + 4 * gamma * 1e14 + (gamma * gamma) / 1e4 + ((4 * annGamma2) / 400_000_000 * x) / total
                - (4 * annGamma2) / 400_000_000,
            d: -((one + gamma) * (one + gamma) / 1e4)
        });
    }

    /// @dev The closed form's two discriminants
    function _deltas(Cubic memory p) private pure returns (int256 delta0, int256 delta1) {
        delta0 = (3 * p.a * p.c) / p.b - p.b;
        delta1 = 3 * delta0 + p.b - ((27 * p.a * p.a) / p.b * p.d) / p.b;
    }

    /// @dev Large discriminants would not fit when they are squared.
    function _scaled(Cubic memory p) private pure returns (Cubic memory) {
        (int256 delta0, int256 delta1) = _deltas(p);
        uint256 least = _abs(delta0) < _abs(delta1) ? _abs(delta0) : _abs(delta1);
        if (least > uint256(A)) least = uint256(A);
        int256 divider = least > 1e30
            ? int256(1e12)
            : least > 1e28 ? int256(1e10) : least > 1e26 ? int256(1e8) : least > 1e24 ? int256(1e6) : int256(1);
        if (divider == 1 && least > 1e20) divider = 100;
        return Cubic({a: p.a / divider, b: p.b / divider, c: p.c / divider, d: p.d / divider});
    }

    /// @return closed Whether there is a closed form
    /// @return root   With 18 digits
    function _root(Cubic memory p) private pure returns (bool closed, int256 root) {
        (int256 delta0, int256 delta1) = _deltas(p);
        int256 inner = delta1 * delta1 + (4 * delta0 * delta0) / p.b * delta0;
        if (inner <= 0) return (false, 0);
        int256 square = int256(sqrt(uint256(inner)));
        int256 one = int256(ONE);
        int256 first = p.b > 0 ? int256(_cbrt(uint256(p.b))) : -int256(_cbrt(uint256(-p.b)));
        int256 second = delta1 > 0
            ? int256(_cbrt(uint256((delta1 + square) / 2)))
            : -int256(_cbrt(uint256((square - delta1) / 2)));
        int256 c1 = ((first * first) / one * second) / one;
        root = (one * c1 - one * p.b - (one * p.b) / c1 * delta0) / (3 * p.a);
        return (true, root);
    }

    /// @dev D·(γ + 1 - K0)² / (γ²·A), which all of Newton's steps share
    function _shared(Shape memory shape, uint256 d, uint256 g) private pure returns (uint256) {
        return ((((ONE * d) / shape.gamma) * g) / shape.gamma) * g * MULTIPLIER / shape.ann;
    }

    function _gap(Shape memory shape, uint256 k0) private pure returns (uint256) {
        uint256 top = shape.gamma + ONE;
        return (top > k0 ? top - k0 : k0 - top) + 1;
    }

    function _nextD(Shape memory shape, uint256 x, uint256 y, uint256 d) private pure returns (uint256) {
        uint256 sum = x + y;
        uint256 k0 = ((4 * ONE * x) / d) * y / d;
        uint256 g = _gap(shape, k0);
        uint256 mul1 = _shared(shape, d, g);
        uint256 mul2 = (4 * ONE * k0) / g;
        uint256 slope = sum + (sum * mul2) / ONE + (mul1 * 2) / k0 - (mul2 * d) / ONE;
        uint256 plus = (d * (slope + sum)) / slope;
        uint256 part = (d * (mul1 / slope)) / ONE;
        uint256 minus = (d * d) / slope;
        if (ONE > k0) minus += (part * (ONE - k0)) / k0;
        else minus -= (part * (k0 - ONE)) / k0;
        return plus > minus ? plus - minus : (minus - plus) / 2;
    }

    function _newtonBalance(Shape memory shape, uint256 other, uint256 d) private pure returns (uint256 y) {
        uint256 limit = (other > d ? other : d) / 1e14;
        if (limit < 100) limit = 100;
        y = (d * d) / (other * 4);
        for (uint256 step = 0; step < MOST_STEPS; step++) {
            uint256 before = y;
            bool leap;
            (y, leap) = _nextY(shape, before, other, d);
            uint256 change = y > before ? y - before : before - y;
            if (!leap && change < (limit > y / 1e14 ? limit : y / 1e14)) return y;
        }
        revert NoConvergence();
    }

    /// @return leap Whether y was halved because the step would have led below zero
    function _nextY(Shape memory shape, uint256 y, uint256 other, uint256 d)
        private
        pure
        returns (uint256, bool leap)
    {
        uint256 k0 = ((2 * ONE * other) / d) * y * 2 / d;
        uint256 sum = other + y;
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

    function _abs(int256 x) private pure returns (uint256) {
        return x < 0 ? uint256(-x) : uint256(x);
    }

    /// @notice floor(sqrt(x))
    function sqrt(uint256 x) internal pure returns (uint256 root) {
        if (x == 0) return 0;
        root = 1 << ((_log2(x) >> 1) + 1);
        while (true) {
            uint256 next = (root + x / root) >> 1;
            if (next >= root) return root;
            root = next;
        }
    }

    /// @dev 10^12 times the cube root, about: seven steps of Newton's method from a power of two
    function _cbrt(uint256 x) private pure returns (uint256 root) {
        if (x == 0) return 0;
        uint256 scaled = x >= HUGE ? x : x >= LARGE ? x * ONE : x * ONE * ONE;
        uint256 log = _log2(scaled);
        uint256 rest = log % 3;
        root = (2 ** (log / 3) * 1260 ** rest) / 1000 ** rest;
        for (uint256 step = 0; step < 7; step++) root = (2 * root + scaled / (root * root)) / 3;
        if (x >= HUGE) root *= 1e12;
        else if (x >= LARGE) root *= 1e6;
    }

    function _log2(uint256 x) private pure returns (uint256 log) {
        for (uint256 bits = 128; bits > 0; bits >>= 1) {
            if (x >> bits == 0) continue;
            x >>= bits;
            log += bits;
        }
    }
}
