// A model of Gyroscope's fixed-point numbers: our own code after the published rules, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice 18 decimals, or 38 where a name says Xp; every rounding is in the name, and "Mag" rounds the magnitude.
library GyroMath {
    uint256 internal constant ONE = 1e18;
    int256 internal constant ONE_XP = 1e38;
    int256 private constant SIGNED_ONE = 1e18;
    int256 private constant HALF_XP = 1e19;
    uint256 private constant STEPS = 7;
    uint256 private constant TOLERANCE = 5;
    /// @dev √10 with 18 digits after the point
    uint256 private constant SQRT_TEN = 3162277660168379331;

    error SqrtFailed();

    /// @dev Seven steps of Newton's method from a table: not always rounded down
    function sqrt(uint256 input) internal pure returns (uint256 guess) {
        if (input == 0) return 0;
        uint256 inflated = input * ONE;
        guess = _start(input);
        unchecked {
            for (uint256 step = 0; step < STEPS; step++) guess = (guess + inflated / guess) / 2;
        }
        uint256 slack = (guess * TOLERANCE + ONE - 1) / ONE;
        uint256 square = guess * guess / ONE;
        if (square > input + slack || square + slack < input) revert SqrtFailed();
    }

    /// @dev From 1 on, a power of two; below, the root of the next power of ten
    function _start(uint256 input) private pure returns (uint256) {
        if (input >= ONE) return (1 << (_log2(input / ONE) >> 1)) * ONE;
        uint256 bound = 10;
        uint256 digits = 1;
        for (; bound < ONE && input > bound; bound *= 10) digits++;
        if (bound == ONE) return input;
        uint256 even = 10 ** (9 + digits / 2);
        return digits % 2 == 0 ? even : even * SQRT_TEN / ONE;
    }

    function _log2(uint256 x) private pure returns (uint256 log) {
        unchecked {
            for (uint256 bits = 128; bits > 0; bits >>= 1) {
                if (x >> bits != 0) (x, log) = (x >> bits, log + bits);
            }
        }
    }

    function mulDownMag(int256 a, int256 b) internal pure returns (int256) {
        unchecked {
            return a * b / SIGNED_ONE;
        }
    }

    function mulUpMag(int256 a, int256 b) internal pure returns (int256) {
        unchecked {
            return _awayFromZero(a * b, SIGNED_ONE);
        }
    }

    function divDownMag(int256 a, int256 b) internal pure returns (int256) {
        unchecked {
            return a * SIGNED_ONE / b;
        }
    }

    /// @param b > 0
    function divUpMag(int256 a, int256 b) internal pure returns (int256) {
        unchecked {
            return _awayFromZero(a * SIGNED_ONE, b);
        }
    }

    function _awayFromZero(int256 dividend, int256 divisor) private pure returns (int256) {
        unchecked {
            if (dividend > 0) return (dividend - 1) / divisor + 1;
            return dividend < 0 ? (dividend + 1) / divisor - 1 : int256(0);
        }
    }

    /// @dev 38 decimals times and by 38 decimals, towards zero
    function mulXp(int256 a, int256 b) internal pure returns (int256) {
        unchecked {
            return a * b / ONE_XP;
        }
    }

    function divXp(int256 a, int256 b) internal pure returns (int256) {
        unchecked {
            return a * ONE_XP / b;
        }
    }

    /// @dev 18 times 38 decimals, to 18. A negative product may lose a unit more than its rounding.
    function mulDownXpToNp(int256 a, int256 b) internal pure returns (int256) {
        unchecked {
            (int256 high, int256 low) = (a * (b / HALF_XP), a * (b % HALF_XP));
            int256 sum = high + low / HALF_XP;
            return high >= 0 && low >= 0 ? sum / HALF_XP : (sum + 1) / HALF_XP - 1;
        }
    }

    /// @dev 18 times 38 decimals, to 18. A positive product may gain a unit more than its rounding.
    function mulUpXpToNp(int256 a, int256 b) internal pure returns (int256) {
        unchecked {
            (int256 high, int256 low) = (a * (b / HALF_XP), a * (b % HALF_XP));
            int256 sum = high + low / HALF_XP;
            return high <= 0 && low <= 0 ? sum / HALF_XP : (sum - 1) / HALF_XP + 1;
        }
    }
}
