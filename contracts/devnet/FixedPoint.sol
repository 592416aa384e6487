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
        if (exponent < 0) return (ONE_18 * ONE_18) / _exp(-exponent);
        (int256 x, int256 whole) = (exponent, 1);
        for (uint256 k = 0; k < 2; k++) {
            (int256 power, int256 value) = _huge(k);
            if (x < power) continue;
            (x, whole) = (x - power, value);
            break;
        }
        x *= 100;
        int256 product = ONE_20;
        for (uint256 k = 0; k < 8; k++) {
            (int256 power, int256 value) = _power(k);
            if (x < power) continue;
            (x, product) = (x - power, (product * value) / ONE_20);
        }
        (int256 sum, int256 term) = (ONE_20 + x, x);
        for (int256 n = 2; n <= 12; n++) {
            term = (term * x) / ONE_20 / n;
            sum += term;
        }
        return (((product * sum) / ONE_20) * whole) / 100;
    }

    function _ln(int256 x) private pure returns (int256) {
        if (x < ONE_18) return -_ln((ONE_18 * ONE_18) / x);
        (int256 a, int256 sum) = (x, 0);
        for (uint256 k = 0; k < 2; k++) {
            (int256 power, int256 value) = _huge(k);
            if (a >= value * ONE_18) (a, sum) = (a / value, sum + power);
        }
        (a, sum) = (a * 100, sum * 100);
        for (uint256 k = 0; k < 10; k++) {
            (int256 power, int256 value) = _power(k);
            if (a >= value) (a, sum) = ((a * ONE_20) / value, sum + power);
        }
        return (sum + _series(a, ONE_20, 11)) / 100;
    }

    /// @dev 2·(z + z³/3 + … + z^last/last), z = (a - 1)/(a + 1)
    function _series(int256 a, int256 one, int256 last) private pure returns (int256 sum) {
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

    /// @dev x with 18 decimals and e^x as a whole number: 128 and 64
    function _huge(uint256 k) private pure returns (int256, int256) {
        if (k == 0) return (128e18, 38877084059945950922200000000000000000000000000000000000);
        return (64e18, 6235149080811616882910000000);
    }

    /// @dev x and e^x with 20 decimals: 32, 16, … 2^-4
    function _power(uint256 k) private pure returns (int256, int256) {
        int256[10] memory values = [
            int256(7896296018268069516100000000000000),
            888611052050787263676000000,
            298095798704172827474000,
            5459815003314423907810,
            738905609893065022723,
            271828182845904523536,
            164872127070012814685,
            128402541668774148407,
            113314845306682631683,
            106449445891785942956
        ];
        return (int256(32e20) >> k, values[k]);
    }
}
