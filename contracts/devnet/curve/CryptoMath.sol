// A model of the maths of Curve's pools of two coins that are not worth the same: our own code after the published
// equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CryptoCurve} from "./CryptoCurve.sol";
import {Roots} from "../shared/Roots.sol";

/// @notice K·D·(x + y) + x·y = K·D² + (D/2)², K = A·K0·γ² / (γ + 1 - K0)², K0 = 4·x·y / D². Balances and γ have 18
///         digits; `ann` is 4·A·10^4.
library CryptoMath {
    uint256 private constant ONE = 1e18;
    /// What the cubic is written in
    int256 private constant A = 1e32;

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
    function balanceFor(CryptoCurve.Shape memory shape, uint256 other, uint256 d)
        internal
        pure
        returns (uint256 y, uint256 k0)
    {
        CryptoCurve.boundTotal(d);
        uint256 limit = _limit(shape.gamma);
        uint256 share = (2 * ONE * other) / d;
        if (share < 1e36 / limit || share > limit) revert CryptoCurve.Unsafe(other, d);
        (bool closed, int256 root) = _root(_scaled(_cubic(shape, int256(other), int256(d))));
        if (!closed) y = _newtonBalance(shape, other, d);
        else if (root < 0) revert CryptoCurve.Unsafe(other, d);
        else (y, k0) = (((d * d) / other) * uint256(root) / 4 / ONE, uint256(root));
        CryptoCurve.bound(y, d, 1e36 / 2 / limit, limit / 2);
    }

    /// @notice D of two balances.
    /// @param k0 K0 with both where it is known, else 0
    function invariant(CryptoCurve.Shape memory shape, uint256 x, uint256 y, uint256 k0)
        internal
        pure
        returns (uint256 d)
    {
        if (x < y) (x, y) = (y, x);
        if (x < 1e9 || x > CryptoCurve.MOST_D || (y * ONE) / x < 1e14) revert CryptoCurve.Unsafe(y, x);
        d = k0 == 0 ? 2 * Roots.sqrt(x * y) : Roots.sqrt((4 * x * y) / k0 * ONE);
        if (k0 != 0 && x + y < d) d = x + y;
        for (uint256 step = 0; step < CryptoCurve.MOST_STEPS; step++) {
            uint256 before = d;
            d = CryptoCurve.nextTotal(shape, 2, ((4 * ONE * x) / d) * y / d, x + y, d);
            if (CryptoCurve.isTotal(before, d)) {
                CryptoCurve.bound(x, d, 1e16 / 2, 1e20 / 2);
                CryptoCurve.bound(y, d, 1e16 / 2, 1e20 / 2);
                return d;
            }
        }
        revert CryptoCurve.NoConvergence();
    }

    /// @dev Large gammas narrow what a share of D may be.
    function _limit(uint256 gamma) private pure returns (uint256 limit) {
        limit = 100 * ONE;
        if (gamma > 2e16) limit = (limit * 2e16) / gamma;
    }

    /// @dev 10^32·K0³ + b·K0² + c·K0 + d = 0
    function _cubic(CryptoCurve.Shape memory shape, int256 x, int256 total) private pure returns (Cubic memory) {
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
        int256 square = int256(Roots.sqrt(uint256(inner)));
        int256 one = int256(ONE);
        int256 first = p.b > 0 ? int256(Roots.cbrt(uint256(p.b))) : -int256(Roots.cbrt(uint256(-p.b)));
        int256 second = delta1 > 0
            ? int256(Roots.cbrt(uint256((delta1 + square) / 2)))
            : -int256(Roots.cbrt(uint256((square - delta1) / 2)));
        int256 c1 = ((first * first) / one * second) / one;
        root = (one * c1 - one * p.b - (one * p.b) / c1 * delta0) / (3 * p.a);
        return (true, root);
    }

    function _newtonBalance(CryptoCurve.Shape memory shape, uint256 other, uint256 d) private pure returns (uint256) {
        uint256 limit = (other > d ? other : d) / 1e14;
        return CryptoCurve.balanceFor(
            shape,
            CryptoCurve.Others({
                count: 2, start: (d * d) / (other * 4), k0: (2 * ONE * other) / d, sum: other, limit: limit
            }),
            d
        );
    }

    function _abs(int256 x) private pure returns (uint256) {
        return x < 0 ? uint256(-x) : uint256(x);
    }
}
