// A model of Balancer's fixed-point numbers: our own code after the published rules, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice 18 decimals; every rounding is in the name. Powers go by logarithm and exponential in the order of truncating
///         divisions that the deployed library has, because its last digits depend on it.
library FixedPoint {
    uint256 internal constant ONE = 1e18;
    int256 private constant ONE_18 = 1e18;
    int256 private constant ONE_20 = 1e20;
    int256 private constant ONE_36 = 1e36;
    uint256 private constant MAX_POW_ERROR = 10_000;
    /// @dev X and e^X: whole numbers for X of 18 decimals first, then both with 20
    int256 private constant X0 = 128e18;
    int256 private constant E0 = 38877084059945950922200000000000000000000000000000000000;
    int256 private constant X1 = 64e18;
    int256 private constant E1 = 6235149080811616882910000000;
    int256 private constant X2 = 32e20;
    int256 private constant E2 = 7896296018268069516100000000000000;
    int256 private constant X3 = 16e20;
    int256 private constant E3 = 888611052050787263676000000;
    int256 private constant X4 = 8e20;
    int256 private constant E4 = 298095798704172827474000;
    int256 private constant X5 = 4e20;
    int256 private constant E5 = 5459815003314423907810;
    int256 private constant X6 = 2e20;
    int256 private constant E6 = 738905609893065022723;
    int256 private constant X7 = 1e20;
    int256 private constant E7 = 271828182845904523536;
    int256 private constant X8 = 0.5e20;
    int256 private constant E8 = 164872127070012814685;
    int256 private constant X9 = 0.25e20;
    int256 private constant E9 = 128402541668774148407;
    int256 private constant X10 = 0.125e20;
    int256 private constant E10 = 113314845306682631683;
    int256 private constant X11 = 0.0625e20;
    int256 private constant E11 = 106449445891785942956;

    error PowOutOfBounds();

    function mulDown(uint256 a, uint256 b) internal pure returns (uint256) {
        return (a * b) / ONE;
    }

    function mulUp(uint256 a, uint256 b) internal pure returns (uint256) {
        return ceilDiv(a * b, ONE);
    }

    function divDown(uint256 a, uint256 b) internal pure returns (uint256) {
        return (a * ONE) / b;
    }

    function divUp(uint256 a, uint256 b) internal pure returns (uint256) {
        return ceilDiv(a * ONE, b);
    }

    function ceilDiv(uint256 a, uint256 b) internal pure returns (uint256) {
        return a == 0 ? 0 : (a - 1) / b + 1;
    }

    /// @dev x^y, never below the true value; 1, 2 and 4 are multiplied out
    function powUp(uint256 x, uint256 y) internal pure returns (uint256) {
        if (y == ONE) return x;
        if (y == 2 * ONE) return mulUp(x, x);
        if (y == 4 * ONE) {
            uint256 square = mulUp(x, x);
            return mulUp(square, square);
        }
        uint256 raw = _pow(x, y);
        return raw + mulUp(raw, MAX_POW_ERROR) + 1;
    }

    /// @dev x^y, never above the true value; 1, 2 and 4 are multiplied out
    function powDown(uint256 x, uint256 y) internal pure returns (uint256) {
        if (y == ONE) return x;
        if (y == 2 * ONE) return mulDown(x, x);
        if (y == 4 * ONE) {
            uint256 square = mulDown(x, x);
            return mulDown(square, square);
        }
        uint256 raw = _pow(x, y);
        uint256 error_ = mulUp(raw, MAX_POW_ERROR) + 1;
        return raw < error_ ? 0 : raw - error_;
    }

    function _pow(uint256 x, uint256 y) private pure returns (uint256) {
        if (y == 0) return ONE;
        if (x == 0) return 0;
        if (x >> 255 != 0 || y >= 2 ** 254 / uint256(ONE_20)) revert PowOutOfBounds();
        (int256 base, int256 exponent) = (int256(x), int256(y));
        int256 product;
        if (ONE_18 * 9 / 10 < base && base < ONE_18 * 11 / 10) {
            int256 precise = _series(base * ONE_18, ONE_36, 15);
            product = (precise / ONE_18) * exponent + ((precise % ONE_18) * exponent) / ONE_18;
        } else {
            product = _ln(base) * exponent;
        }
        product /= ONE_18;
        if (product < -41e18 || product > 130e18) revert PowOutOfBounds();
        return uint256(_exp(product));
    }

    function _exp(int256 exponent) private pure returns (int256) {
        unchecked {
            if (exponent < 0) return (ONE_18 * ONE_18) / _exp(-exponent);
            (int256 x, int256 whole) = (exponent, 1);
            if (x >= X0) (x, whole) = (x - X0, E0);
            else if (x >= X1) (x, whole) = (x - X1, E1);
            x *= 100;
            int256 product = ONE_20;
            if (x >= X2) (x, product) = (x - X2, (product * E2) / ONE_20);
            if (x >= X3) (x, product) = (x - X3, (product * E3) / ONE_20);
            if (x >= X4) (x, product) = (x - X4, (product * E4) / ONE_20);
            if (x >= X5) (x, product) = (x - X5, (product * E5) / ONE_20);
            if (x >= X6) (x, product) = (x - X6, (product * E6) / ONE_20);
            if (x >= X7) (x, product) = (x - X7, (product * E7) / ONE_20);
            if (x >= X8) (x, product) = (x - X8, (product * E8) / ONE_20);
            if (x >= X9) (x, product) = (x - X9, (product * E9) / ONE_20);
            (int256 sum, int256 term) = (ONE_20 + x, x);
            for (int256 n = 2; n <= 12; n++) {
                term = (term * x) / ONE_20 / n;
                sum += term;
            }
            return (((product * sum) / ONE_20) * whole) / 100;
        }
    }

    function _ln(int256 x) private pure returns (int256) {
        unchecked {
            if (x < ONE_18) return -_ln((ONE_18 * ONE_18) / x);
            (int256 a, int256 sum) = (x, 0);
            if (a >= E0 * ONE_18) (a, sum) = (a / E0, sum + X0);
            if (a >= E1 * ONE_18) (a, sum) = (a / E1, sum + X1);
            (a, sum) = (a * 100, sum * 100);
            if (a >= E2) (a, sum) = ((a * ONE_20) / E2, sum + X2);
            if (a >= E3) (a, sum) = ((a * ONE_20) / E3, sum + X3);
            if (a >= E4) (a, sum) = ((a * ONE_20) / E4, sum + X4);
            if (a >= E5) (a, sum) = ((a * ONE_20) / E5, sum + X5);
            if (a >= E6) (a, sum) = ((a * ONE_20) / E6, sum + X6);
            if (a >= E7) (a, sum) = ((a * ONE_20) / E7, sum + X7);
            if (a >= E8) (a, sum) = ((a * ONE_20) / E8, sum + X8);
            if (a >= E9) (a, sum) = ((a * ONE_20) / E9, sum + X9);
            if (a >= E10) (a, sum) = ((a * ONE_20) / E10, sum + X10);
            if (a >= E11) (a, sum) = ((a * ONE_20) / E11, sum + X11);
            return (sum + _series(a, ONE_20, 11)) / 100;
        }
    }

    /// @dev 2·(z + z³/3 + … + z^last/last), z = (a - 1)/(a + 1)
    function _series(int256 a, int256 one, int256 last) private pure returns (int256 sum) {
        unchecked {
            int256 z = ((a - one) * one) / (a + one);
            int256 square = (z * z) / one;
            int256 power = z;
            sum = z;
            for (int256 n = 3; n <= last; n += 2) {
                power = (power * square) / one;
                sum += power / n;
            }
            sum *= 2;
        }
    }
}
