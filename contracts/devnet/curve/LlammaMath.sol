// A model of the maths of Curve's lending AMM: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Roots} from "../shared/Roots.sol";

/// @notice Bands of prices, 18 digits: x is what is lent, y what it is lent against. Band n lies between p_up(n) and
///         p_up(n)·(A - 1)/A, and (f + x)·(g + y) stays as it is within it.
library LlammaMath {
    uint256 internal constant ONE = 1e18;
    int256 private constant LN_2 = 54916777467707473351141471128;

    error PriceOutOfBounds();

    struct Band {
        uint256 x;
        uint256 y;
        uint256 price;
        uint256 upper;
    }

    /// @notice ln(x) by the binary logarithm digit by digit; x ≥ 1 with 18 digits
    function ln(uint256 x) internal pure returns (uint256) {
        uint256 log2;
        for (uint256 power = 128; power > 0; power /= 2) {
            if (x / ONE >> power == 0) continue;
            x >>= power;
            log2 += power * ONE;
        }
        uint256 digit = ONE;
        for (uint256 step = 0; step < 59; step++) {
            if (x >= 2 * ONE) {
                log2 += digit;
                x /= 2;
            }
            x = (x * x) / ONE;
            digit /= 2;
        }
        return (log2 * ONE) / 1442695040888963328;
    }

    /// @notice exp(power) by a rational function around the nearest power of two
    /// @param  floored Whether divisions by 2^96 floor; those of the first contracts truncate
    function exp(int256 power, bool floored) internal pure returns (uint256) {
        if (power <= -41446531673892821376 || power >= 135305999368893231589) revert PriceOutOfBounds();
        unchecked {
            int256 full = (power << 96) / int256(ONE);
            int256 k = _shift((full << 96) / LN_2 + 2 ** 95, floored);
            int256 x = full - k * LN_2;
            int256 y = _shift((x + 1346386616545796478920950773328) * x, floored)
                + 57155421227552351082224309758442;
            int256 p = (
                _shift((y + x - 94201549194550492254356042504812) * y, floored)
                    + 28719021644029726153956944680412240
            ) * x + (4385272521454847904659076985693276 << 96);
            int256 q = _shift((x - 2855989394907223263936484059900) * x, floored)
                + 50020603652535783019961831881945;
            q = _shift(q * x, floored) - 533845033583426703283633433725380;
            q = _shift(q * x, floored) + 3604857256930695427073651918091429;
            q = _shift(q * x, floored) - 14423608567350463180887372962807573;
            q = _shift(q * x, floored) + 26449188498355588339934803723976023;
            return uint256(p / q) * 3822833074963236453042738258902158003155416615667 >> uint256(195 - k);
        }
    }

    function _shift(int256 value, bool floored) private pure returns (int256) {
        return floored ? value >> 96 : value / 2 ** 96;
    }

    /// @notice How the band curves at the price
    function curvature(Band memory band, uint256 a) internal pure returns (uint256 f, uint256 g, uint256 invariant) {
        uint256 y0 = _inBalance(band, a);
        f = (((a * y0 * band.price) / band.upper) * band.price) / ONE;
        g = ((a - 1) * y0 * band.upper) / band.price;
        invariant = (f + band.x) * (g + band.y);
    }

    /// @dev What the band would hold of y if it were in balance at the price
    function _inBalance(Band memory band, uint256 a) private pure returns (uint256) {
        uint256 b;
        if (band.x != 0) b = (band.upper * (a - 1) * band.x) / band.price;
        if (band.y != 0) b += (((a * band.price * band.price) / band.upper) * band.y) / ONE;
        if (band.x == 0 || band.y == 0) return (b * ONE) / (a * band.price);
        uint256 inner = b * b + ((4 * a * band.price * band.y) / ONE) * band.x;
        return ((b + Roots.sqrt(inner)) * ONE) / (2 * a * band.price);
    }

    /// @notice A quarter of how far the price lies outside the band, 18 digits
    function bandFee(uint256 price, uint256 upper, uint256 a) internal pure returns (uint256) {
        uint256 low = (((price * price) / upper) * price) / upper;
        uint256 high = (((low * a) / (a - 1)) * a) / (a - 1);
        if (price < low) return ((low - price) * (ONE / 4)) / low;
        return price > high ? ((price - high) * (ONE / 4)) / price : 0;
    }
}
