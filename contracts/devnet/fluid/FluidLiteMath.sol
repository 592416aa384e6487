// The prices of a model of Fluid's DEX Lite: our own code after its published behaviour, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Roots} from "../shared/Roots.sol";

/// @notice Where a pool trades, by its two stored words. Sums and products wrap around, as the protocol's do.
library FluidLiteMath {
    uint256 internal constant RAY = 1e27;
    uint256 private constant BPS = 1e4;
    // Statuses of the rebalancing: off, resting, and moving the centre to either end of the range.
    uint256 internal constant OFF = 0;
    uint256 private constant RESTS = 1;
    uint256 private constant RISES = 2;
    uint256 private constant FALLS = 3;

    /// @dev Token 1 per token 0, 27 decimals
    struct Prices {
        uint256 center;
        uint256 upper;
        uint256 lower;
    }

    /// @notice `bits` bits of a word from the bit `start` on
    function field(uint256 word, uint256 start, uint256 bits) internal pure returns (uint256) {
        return (word >> start) & ((1 << bits) - 1);
    }

    /// @notice A number that was stored with an exponent of 8 bits
    function unpacked(uint256 number) internal pure returns (uint256) {
        return (number >> 8) << (number & 0xff);
    }

    function status(uint256 vars) internal pure returns (uint256) {
        return field(vars, 20, 2);
    }

    /// @notice The range around `center`, which moves where the pool rebalances
    function prices(uint256 vars, uint256 shift, uint256 center) internal view returns (Prices memory p) {
        p = _around(vars, center);
        if (status(vars) < RISES || shift == 0) return p;
        uint256 moved = _moved(p, shift, status(vars) == RISES);
        uint256 highest = unpacked(field(shift, 57, 28));
        uint256 lowest = unpacked(field(shift, 85, 28));
        if (moved > highest) moved = highest;
        else if (moved < lowest) moved = lowest;
        return _around(vars, moved);
    }

    /// @notice What either side of the curve is as deep as: the supplies and what lies beyond the range
    function imaginary(Prices memory p, uint256 supply0, uint256 supply1)
        internal
        pure
        returns (uint256 reserve0, uint256 reserve1)
    {
        uint256 mean = _mean(p.upper, p.lower);
        // From 1 on, the curve is looked at from its other side.
        if (mean < RAY) (reserve0, reserve1) = _beyond(mean, p.upper, supply0, supply1);
        else (reserve1, reserve0) = _beyond(1e54 / mean, 1e54 / p.lower, supply1, supply0);
        unchecked {
            return (reserve0 + supply0, reserve1 + supply1);
        }
    }

    /// @notice The rebalancing's status after a swap that ended at `price`, where it is not off
    function statusAt(uint256 vars, uint256 center, uint256 price) internal pure returns (uint256) {
        Prices memory p = _around(vars, center);
        unchecked {
            uint256 above = ((p.upper - center) * (100 - field(vars, 112, 7))) / 100;
            uint256 below = ((center - p.lower) * (100 - field(vars, 119, 7))) / 100;
            if (price > center + above) return RISES;
            return price < center - below ? FALLS : RESTS;
        }
    }

    function _around(uint256 vars, uint256 center) private pure returns (Prices memory) {
        unchecked {
            uint256 upper = (center * BPS) / (BPS - field(vars, 83, 14));
            return Prices(center, upper, (center * (BPS - field(vars, 97, 14))) / BPS);
        }
    }

    /// @dev The centre on its way to an end of the range, by the time since the last swap.
    function _moved(Prices memory p, uint256 shift, bool rises) private view returns (uint256) {
        unchecked {
            uint256 duration = field(shift, 33, 24);
            uint256 passed = block.timestamp - field(shift, 0, 33);
            if (passed >= duration) return rises ? p.upper : p.lower;
            if (rises) return p.center + ((p.upper - p.center) * passed) / duration;
            return p.center - ((p.center - p.lower) * passed) / duration;
        }
    }

    function _mean(uint256 upper, uint256 lower) private pure returns (uint256) {
        unchecked {
            if (upper < 1e38) return Roots.sqrt(upper * lower);
            return Roots.sqrt((upper / 1e18) * (lower / 1e18)) * 1e18;
        }
    }

    /// @dev Reserves beyond both ends of a range whose upper end is `end`, out of the supplies x and y: the root of a
    ///      square equation, and its product with the mean price.
    function _beyond(uint256 mean, uint256 end, uint256 x, uint256 y)
        private
        pure
        returns (uint256 beyondX, uint256 beyondY)
    {
        unchecked {
            uint256 width = end - mean;
            uint256 half = (mean * x + y * RAY) / (2 * width);
            beyondX = half + Roots.sqrt((x * y * RAY) / width + half * half);
            beyondY = (beyondX * mean) / RAY;
        }
    }
}
