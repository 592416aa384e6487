// A model of the maths of Curve's pools of three coins that are not worth the same: our own code after the published
// equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CryptoCurve} from "./CryptoCurve.sol";
import {Roots} from "../shared/Roots.sol";

/// @notice `CryptoCurve` of three balances; K0 is multiplied coin by coin, the largest first.
library CryptoMathThree {
    uint256 private constant ONE = 1e18;
    /// What the cubic is written in
    int256 private constant UNIT = 1e36;
    uint256 private constant LARGEST = type(uint256).max / ONE * 27;

    /// @dev a·K0³ + b·K0² + c·K0 + d = 0, of the balance that is looked for
    struct Cubic {
        int256 a;
        int256 b;
        int256 c;
        int256 d;
    }

    /// @notice The balance of coin `i` that keeps D beside the others: the cubic in K0 solved in closed form, by
    ///         Newton's method where it has none.
    /// @return y  18 digits
    /// @return k0 K0 with all three, 0 where Newton's method found the balance
    function balanceFor(CryptoCurve.Shape memory shape, uint256[3] memory x, uint256 d, uint256 i)
        internal
        pure
        returns (uint256 y, uint256 k0)
    {
        CryptoCurve.boundTotal(d);
        (uint256 xj, uint256 xk) = (x[i == 0 ? 1 : 0], x[i == 2 ? 1 : 2]);
        CryptoCurve.bound(xj, d, 1e16, 1e20);
        CryptoCurve.bound(xk, d, 1e16, 1e20);
        Cubic memory p = _scaled(_cubic(shape, int256(xj), int256(xk), int256(d)));
        (bool closed, int256 root) = _root(p);
        if (!closed) {
            y = _newtonBalance(shape, xj, xk, d);
        } else {
            int256 balance = int256((d * d) / 27 / xk * d / xj) * root / p.a;
            int256 share = int256(ONE) * root / p.a;
            if (balance < 0 || share < 0) revert CryptoCurve.Unsafe(xj, d);
            (y, k0) = (uint256(balance), uint256(share));
        }
        CryptoCurve.bound(y, d, 1e16 - 1, 1e20);
    }

    /// @notice D of three balances.
    /// @param k0 K0 with all three where it is known, else 0
    function invariant(CryptoCurve.Shape memory shape, uint256[3] memory x, uint256 k0)
        internal
        pure
        returns (uint256 d)
    {
        (uint256 a, uint256 b, uint256 c) = _falling(x);
        if (a == 0 || a >= LARGEST) revert CryptoCurve.Unsafe(a, a);
        d = k0 == 0 ? 3 * mean(a, b, c) : _from(a, b, c, k0);
        for (uint256 step = 0; step < CryptoCurve.MOST_STEPS; step++) {
            uint256 before = d;
            uint256 share = (((ONE * a * 3) / d) * b * 3 / d) * c * 3 / d;
            d = CryptoCurve.nextTotal(shape, 3, share, a + b + c, d);
            if (CryptoCurve.isTotal(before, d)) {
                CryptoCurve.bound(a, d, 1e16 - 1, 1e20);
                CryptoCurve.bound(c, d, 1e16 - 1, 1e20);
                return d;
            }
        }
        revert CryptoCurve.NoConvergence();
    }

    /// @notice The geometric mean, in the order that is given.
    function mean(uint256 a, uint256 b, uint256 c) internal pure returns (uint256) {
        return Roots.cbrt(((a * b) / ONE * c) / ONE);
    }

    /// @dev 3·cbrt(Πx / K0), scaled to fit: where the search for D starts after a trade
    function _from(uint256 a, uint256 b, uint256 c, uint256 k0) private pure returns (uint256) {
        uint256 sum = a + b + c;
        (uint256 less, uint256 more) = (ONE, uint256(1));
        if (sum > 1e36) (less, more) = (1e36, 1e12);
        else if (sum > 1e24) (less, more) = (1e24, 1e6);
        return Roots.cbrt(((a * b) / less * c) / k0 * 27 * more);
    }

    function _falling(uint256[3] memory x) private pure returns (uint256 a, uint256 b, uint256 c) {
        (a, b, c) = (x[0], x[1], x[2]);
        if (a < b) (a, b) = (b, a);
        if (b < c) (b, c) = (c, b);
        if (a < b) (a, b) = (b, a);
    }

    function _newtonBalance(CryptoCurve.Shape memory shape, uint256 xj, uint256 xk, uint256 d)
        private
        pure
        returns (uint256)
    {
        if (xj < xk) (xj, xk) = (xk, xj);
        uint256 start = ((d / 3) * d / (xk * 3)) * d / (xj * 3);
        uint256 k0 = ((ONE * xj * 3) / d) * xk * 3 / d;
        uint256 limit = (xj > d ? xj : d) / 1e14;
        return CryptoCurve.balanceFor(
            shape, CryptoCurve.Others({count: 3, start: start, k0: k0, sum: xj + xk, limit: limit}), d
        );
    }

    function _cubic(CryptoCurve.Shape memory shape, int256 xj, int256 xk, int256 d)
        private
        pure
        returns (Cubic memory)
    {
        (int256 gamma, int256 ann, int256 one) = (int256(shape.gamma), int256(shape.ann), int256(ONE));
        return Cubic({
            a: UNIT / 27,
            b: UNIT / 9 + (2 * one * gamma) / 27 - d * d / xj * gamma * gamma * ann / 729 / 10_000 / xk,
            c: UNIT / 9 + (gamma * (gamma + 4 * one)) / 27 + gamma * gamma * (xj + xk - d) / d * ann / 27 / 10_000,
            d: (one + gamma) * (one + gamma) / 27
        });
    }

    /// @dev Large discriminants would not fit when they are squared.
    function _scaled(Cubic memory p) private pure returns (Cubic memory) {
        uint256 delta = _abs((3 * p.a * p.c) / p.b - p.b);
        int256 divider = 1;
        for (uint256 digits = 48; digits >= 20; digits -= 4) {
            if (delta <= 10 ** digits) continue;
            divider = int256(10 ** (digits - 18));
            break;
        }
        if (_abs(p.a) > _abs(p.b)) {
            int256 more = int256(_abs(p.a / p.b));
            return Cubic(p.a * more / divider, p.b * more / divider, p.c * more / divider, p.d * more / divider);
        }
        int256 less = int256(_abs(p.b / p.a));
        return Cubic(p.a / less / divider, p.b / less / divider, p.c / less / divider, p.d / less / divider);
    }

    /// @return closed Whether there is a closed form
    /// @return root   In units of `a`
    function _root(Cubic memory p) private pure returns (bool closed, int256 root) {
        int256 delta0 = (3 * p.a * p.c) / p.b - p.b;
        int256 delta1 = (9 * p.a * p.c) / p.b - 2 * p.b - ((27 * p.a * p.a) / p.b * p.d) / p.b;
        int256 inner = delta1 * delta1 + (4 * delta0 * delta0) / p.b * delta0;
        if (inner <= 0) return (false, 0);
        int256 square = int256(Roots.sqrt(uint256(inner)));
        int256 first = p.b > 0 ? int256(Roots.cbrt(uint256(p.b))) : -int256(Roots.cbrt(uint256(-p.b)));
        int256 second = delta1 > 0
            ? int256(Roots.cbrt(uint256((delta1 + square) / 2)))
            : -int256(Roots.cbrt(uint256((square - delta1) / 2)));
        int256 c1 = first * first / int256(ONE) * second / int256(ONE);
        root = (p.b + p.b * delta0 / c1 - c1) / 3;
        return (true, root);
    }

    function _abs(int256 x) private pure returns (uint256) {
        return x < 0 ? uint256(-x) : uint256(x);
    }
}
