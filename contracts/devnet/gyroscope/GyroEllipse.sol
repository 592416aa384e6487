// A model of the ellipse of Gyroscope's E-CLP: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GyroMath as M} from "./GyroMath.sol";

/// @notice An ellipse rotated by (c, s), stretched by lambda and cut at two prices. What a trade pays is the balance less
///         the overestimated balance after it. A pair of numbers is (x, y), or an over- and an underestimate.
library GyroEllipse {
    using M for int256;

    int256 private constant ONE_XP = 1e38;
    int256 private constant MAX_BALANCES = 1e34;
    int256 private constant MAX_INVARIANT = 3e37;

    /// @dev Rotation and stretching have 18 decimals; what is derived of them has 38
    struct Params {
        int128 c;
        int128 s;
        int128 lambda;
        int128 dSq;
        int128 tauAlphaX;
        int128 tauAlphaY;
        int128 tauBetaX;
        int128 tauBetaY;
        int128 u;
        int128 v;
        int128 w;
        int128 z;
    }

    /// @dev One token seen as x, the other as y: the equations are the same with names exchanged
    struct Axes {
        int256 lambda;
        int256 s;
        int256 c;
        int256 dSq;
        int256 tauX;
        int256 tauY;
        int256 over;
        int256 under;
        int256 offsetX;
        int256 offsetY;
    }

    error AssetBoundsExceeded();
    error TooMuch();

    /// @param i     Token sold, 0 or 1
    /// @param after_ Its balance once the trade is done
    /// @return The other balance then
    function outcome(Params memory p, uint256[] memory balances, uint256 i, uint256 after_)
        internal
        pure
        returns (uint256)
    {
        (int256 over, int256 under) = _radius(p, int256(balances[0]), int256(balances[1]));
        int256 x = int256(after_);
        if (x > MAX_BALANCES || x > _most(p, i, over, under)) revert AssetBoundsExceeded();
        int256 other = _other(_axes(p, i, over, under), x);
        if (other < 0 || other > int256(balances[1 - i])) revert AssetBoundsExceeded();
        return uint256(other);
    }

    /// @param j      Token bought, 0 or 1
    /// @param after_ Its balance once the trade is done
    /// @return The other balance then
    function cost(Params memory p, uint256[] memory balances, uint256 j, uint256 after_)
        internal
        pure
        returns (uint256)
    {
        (int256 over, int256 under) = _radius(p, int256(balances[0]), int256(balances[1]));
        int256 other = _other(_axes(p, j, over, under), int256(after_));
        bool isWithin = other <= MAX_BALANCES && other <= _most(p, 1 - j, over, under);
        if (!isWithin || other < int256(balances[1 - j])) revert AssetBoundsExceeded();
        return uint256(other);
    }

    function _axes(Params memory p, uint256 given, int256 over, int256 under) private pure returns (Axes memory axes) {
        (int256 a, int256 b) = (_offset0(p, over, under), _offset1(p, over, under));
        axes = given == 0
            ? Axes(p.lambda, p.s, p.c, p.dSq, p.tauBetaX, p.tauBetaY, over, under, a, b)
            : Axes(p.lambda, p.c, p.s, p.dSq, -int256(p.tauAlphaX), p.tauAlphaY, over, under, b, a);
    }

    function _other(Axes memory axes, int256 x) private pure returns (int256) {
        unchecked {
            (int256 barOver, int256 barUnder) = _bars(axes.lambda);
            int256 s = axes.s;
            int256 termOver = ONE_XP - barUnder.mulDownMag(s).mulDownMag(s).divXp(axes.dSq);
            int256 termUnder = ONE_XP - (barOver.mulUpMag(s).mulUpMag(s).divXp(axes.dSq + 1) + 1);
            int256 shifted = x - axes.offsetX;
            int256 linear = shifted > 0
                ? (-shifted).mulDownMag(s).mulDownMag(axes.c).mulUpXpToNp(barUnder.divXp(axes.dSq))
                : (-shifted).mulUpMag(s).mulUpMag(axes.c).mulUpXpToNp(barOver.divXp(axes.dSq) + 1);
            int256 square = axes.under.mulDownMag(axes.under).mulDownXpToNp(termUnder) - _shiftedSquare(axes, x);
            int256 above = linear - (square > 0 ? int256(M.sqrt(uint256(square))) : int256(0));
            int256 inverse = above > 0 ? ONE_XP.divXp(termUnder) + 1 : ONE_XP.divXp(termOver);
            return above.mulUpXpToNp(inverse) + axes.offsetY;
        }
    }

    /// @dev 1 - 1/λ²
    function _bars(int256 lambda) private pure returns (int256 over, int256 under) {
        over = ONE_XP - ONE_XP.divDownMag(lambda).divDownMag(lambda);
        under = ONE_XP - ONE_XP.divUpMag(lambda).divUpMag(lambda);
    }

    /// @dev (x - a)²/λ², overestimated
    function _shiftedSquare(Axes memory axes, int256 x) private pure returns (int256) {
        unchecked {
            int256 dSq2 = axes.dSq.mulXp(axes.dSq);
            (int256 s, int256 c, int256 over, int256 under) = (axes.s, axes.c, axes.over, axes.under);
            int256 inner = _crossed(axes, dSq2);
            inner += axes.tauX < 0
                ? over.mulUpMag(x).mulUpMag(2 * c).mulUpXpToNp(-axes.tauX.divXp(axes.dSq) + 3)
                : (-under).mulDownMag(x).mulDownMag(2 * c).mulUpXpToNp(axes.tauX.divXp(axes.dSq));
            int256 square = over.mulUpMag(over);
            int256 sy = square.mulUpMag(s).mulUpMag(s).mulUpXpToNp(axes.tauY.mulXp(axes.tauY).divXp(dSq2) + 7);
            int256 sx = (-under).mulDownMag(x).mulDownMag(2 * s).mulUpXpToNp(axes.tauY.divXp(axes.dSq));
            inner += _byLambda(sy + sx + x.mulUpMag(x), axes.lambda);
            int256 cc = square.mulUpMag(c).mulUpMag(c).mulUpXpToNp(axes.tauX.mulXp(axes.tauX).divXp(dSq2) + 7);
            return cc + _byLambda(inner, axes.lambda);
        }
    }

    function _crossed(Axes memory axes, int256 dSq2) private pure returns (int256) {
        unchecked {
            int256 cross = axes.tauX.mulXp(axes.tauY).divXp(dSq2);
            if (cross > 0) {
                int256 over = axes.over.mulUpMag(axes.over).mulUpMag(2 * axes.s).mulUpMag(axes.c);
                return over.mulUpXpToNp(cross + 7);
            }
            int256 under = axes.under.mulDownMag(axes.under).mulDownMag(2 * axes.s).mulDownMag(axes.c);
            return under.mulUpXpToNp(cross);
        }
    }

    function _byLambda(int256 value, int256 lambda) private pure returns (int256) {
        return value > 0 ? value.divUpMag(lambda) : value.divDownMag(lambda);
    }

    /// @dev r·(A⁻¹τ(β))_x, rounded up
    function _offset0(Params memory p, int256 over, int256 under) private pure returns (int256) {
        unchecked {
            (int256 lambda, int256 c, int256 s) = (p.lambda, p.c, p.s);
            int256 term = int256(p.tauBetaX).divXp(p.dSq);
            int256 first = p.tauBetaX > 0
                ? over.mulUpMag(lambda).mulUpMag(c).mulUpXpToNp(term)
                : under.mulDownMag(lambda).mulDownMag(c).mulUpXpToNp(term);
            return first + over.mulUpMag(s).mulUpXpToNp(int256(p.tauBetaY).divXp(p.dSq));
        }
    }

    /// @dev r·(A⁻¹τ(α))_y, rounded up
    function _offset1(Params memory p, int256 over, int256 under) private pure returns (int256) {
        unchecked {
            (int256 lambda, int256 c, int256 s) = (p.lambda, p.c, p.s);
            int256 term = int256(p.tauAlphaX).divXp(p.dSq);
            int256 first = p.tauAlphaX < 0
                ? over.mulUpMag(lambda).mulUpMag(s).mulUpXpToNp(-term)
                : (-under).mulDownMag(lambda).mulDownMag(s).mulUpXpToNp(term);
            return first + over.mulUpMag(c).mulUpXpToNp(int256(p.tauAlphaY).divXp(p.dSq));
        }
    }

    /// @dev The greatest balance of token i, where the other has run out; rounded down
    function _most(Params memory p, uint256 i, int256 over, int256 under) private pure returns (int256) {
        unchecked {
            (int256 along, int256 across) = i == 0 ? (int256(p.c), int256(p.s)) : (int256(p.s), int256(p.c));
            int256 wide = under.mulDownMag(p.lambda).mulDownMag(along).mulDownXpToNp(
                (int256(p.tauBetaX) - p.tauAlphaX).divXp(p.dSq)
            );
            int256 rise = int256(p.tauBetaY) - p.tauAlphaY;
            int256 term = (i == 0 ? rise : -rise).divXp(p.dSq);
            return wide + (term > 0 ? under.mulDownMag(across) : over.mulUpMag(across)).mulDownXpToNp(term);
        }
    }

    /// @dev r = (At·Aχ + √((At·Aχ)² - (Aχ·Aχ - 1)·At·At)) / (Aχ·Aχ - 1), with a bound of its error
    function _radius(Params memory p, int256 x, int256 y) private pure returns (int256 over, int256 under) {
        unchecked {
            if (x + y > MAX_BALANCES) revert TooMuch();
            int256 square = _atx(p, x, y) + _mixed(p, x, y) + _aty(p, x, y);
            int256 root = square > 0 ? int256(M.sqrt(uint256(square))) : int256(0);
            int256 squareError = (x.mulUpMag(x) + y.mulUpMag(y)) / ONE_XP;
            int256 error_ = root > 0
                ? (squareError + 1).divUpMag(2 * root)
                : (squareError > 0 ? int256(M.sqrt(uint256(squareError))) : int256(1e9));
            error_ = (int256(p.lambda).mulUpMag(x + y) / ONE_XP + error_ + 1) * 20;
            int256 denominator = ONE_XP.divXp(_chiSquare(p) - ONE_XP);
            under = (_atChi(p, x, y) + root - error_).mulDownXpToNp(denominator);
            int256 relative = under.mulUpXpToNp(denominator) * (int256(p.lambda) * p.lambda / 1e36) * 40;
            error_ = error_.mulUpXpToNp(denominator) + relative / ONE_XP + 1;
            over = under + 2 * error_;
            if (under + error_ > MAX_INVARIANT) revert TooMuch();
        }
    }

    /// @dev At·Aχ
    function _atChi(Params memory p, int256 x, int256 y) private pure returns (int256 sum) {
        unchecked {
            (int256 c, int256 s, int256 lambda) = (p.c, p.s, p.lambda);
            int256 dSq2 = int256(p.dSq).mulXp(p.dSq);
            int256 wz = (int256(p.w).divDownMag(lambda) + p.z).divDownMag(lambda).divXp(dSq2);
            sum = (x.mulDownMag(c) - y.mulDownMag(s)).mulDownXpToNp(wz);
            int256 stretched = x.mulDownMag(lambda).mulDownMag(s) + y.mulDownMag(lambda).mulDownMag(c);
            sum += stretched.mulDownXpToNp(int256(p.u).divXp(dSq2));
            sum += (x.mulDownMag(s) + y.mulDownMag(c)).mulDownXpToNp(int256(p.v).divXp(dSq2));
        }
    }

    /// @dev Aχ·Aχ, 38 decimals
    function _chiSquare(Params memory p) private pure returns (int256 sum) {
        unchecked {
            (int256 u, int256 v, int256 lambda) = (p.u, p.v, p.lambda);
            int256 dSq3 = int256(p.dSq).mulXp(p.dSq).mulXp(p.dSq);
            sum = lambda.mulUpMag((2 * u).mulXp(v).divXp(dSq3));
            sum += (u + 1).mulXp(u + 1).divXp(dSq3).mulUpMag(lambda).mulUpMag(lambda);
            int256 wz = int256(p.w).divUpMag(lambda) + p.z;
            sum += v.mulXp(v).divXp(dSq3) + wz.mulXp(wz).divXp(dSq3);
        }
    }

    /// @dev -(At)_x²·(Aχ)_y² + (At)_x², rounded down
    function _atx(Params memory p, int256 x, int256 y) private pure returns (int256) {
        unchecked {
            (int256 c, int256 s, int256 lambda) = (p.c, p.s, p.lambda);
            int256 squares = x.mulUpMag(x).mulUpMag(c).mulUpMag(c) + y.mulUpMag(y).mulUpMag(s).mulUpMag(s)
                - x.mulDownMag(y).mulDownMag(c * 2).mulDownMag(s);
            int256 uv = int256(p.u).mulXp(p.u) + (2 * int256(p.u)).mulXp(p.v).divDownMag(lambda)
                + int256(p.v).mulXp(p.v).divDownMag(lambda).divDownMag(lambda);
            int256 less = (-squares).mulDownXpToNp(uv.divXp(_dSq4(p)));
            int256 stretched = (squares - 9).divDownMag(lambda).divDownMag(lambda);
            return less + stretched.mulDownXpToNp(ONE_XP.divXp(p.dSq));
        }
    }

    /// @dev 2·(At)_x·(At)_y·(Aχ)_x·(Aχ)_y
    function _mixed(Params memory p, int256 x, int256 y) private pure returns (int256) {
        unchecked {
            (int256 c, int256 s, int256 lambda) = (p.c, p.s, p.lambda);
            int256 xy = y.mulDownMag(2 * x);
            int256 balances = (x.mulDownMag(x) - y.mulUpMag(y)).mulDownMag(2 * c).mulDownMag(s)
                + xy.mulDownMag(c).mulDownMag(c) - xy.mulDownMag(s).mulDownMag(s);
            int256 factors = int256(p.z).mulXp(p.u) + int256(p.w).mulXp(p.v).divDownMag(lambda).divDownMag(lambda)
                + (int256(p.w).mulXp(p.u) + int256(p.z).mulXp(p.v)).divDownMag(lambda);
            return balances.mulDownXpToNp(factors.divXp(_dSq4(p)));
        }
    }

    /// @dev -(At)_y²·(Aχ)_x² + (At)_y², rounded down
    function _aty(Params memory p, int256 x, int256 y) private pure returns (int256) {
        unchecked {
            (int256 c, int256 s, int256 lambda) = (p.c, p.s, p.lambda);
            int256 squares = x.mulUpMag(x).mulUpMag(s).mulUpMag(s) + y.mulUpMag(y).mulUpMag(c).mulUpMag(c)
                + x.mulUpMag(y).mulUpMag(s * 2).mulUpMag(c);
            int256 wz = int256(p.z).mulXp(p.z) + int256(p.w).mulXp(p.w).divDownMag(lambda).divDownMag(lambda)
                + (2 * int256(p.z)).mulXp(p.w).divDownMag(lambda);
            int256 less = (-squares).mulDownXpToNp(wz.divXp(_dSq4(p)));
            return less + (squares - 9).mulDownXpToNp(ONE_XP.divXp(p.dSq));
        }
    }

    /// @dev By repeated rounding
    function _dSq4(Params memory p) private pure returns (int256) {
        return int256(p.dSq).mulXp(p.dSq).mulXp(p.dSq).mulXp(p.dSq);
    }
}
