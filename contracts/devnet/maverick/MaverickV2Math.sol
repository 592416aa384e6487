// A model of Maverick v2's numbers: our own code after the published behaviour, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FullMath} from "@uniswap/v4-core/src/libraries/FullMath.sol";
import {MaverickMath} from "./MaverickMath.sol";
import {Roots} from "../shared/Roots.sol";

/// @notice 18 digits; products and quotients are rounded down unless their name says otherwise.
library MaverickV2Math {
    uint256 private constant ONE = 1e18;
    uint256 private constant SQUARE = 1e36;
    uint256 private constant SMALL_BITS = 78;
    uint256 private constant MORE_BITS = 57;
    uint256 private constant WITHIN = 1e8;

    /// @dev What lies in a tick, its ends and its price as square roots, and its liquidity
    struct Side {
        uint256 a;
        uint256 b;
        uint256 lower;
        uint256 upper;
        uint256 price;
        uint256 liquidity;
        bool sellsA;
        uint256 fee;
        uint256 ratio;
    }

    /// @dev `kept` is what the tick's reserves grow by; `excess` is what is left for the next tick
    struct Fill {
        uint256 amountIn;
        uint256 kept;
        uint256 amountOut;
        uint256 excess;
    }

    /// @notice The ends of a tick, its liquidity and its price
    function locate(Side memory side, int256 tick, int256 spacing) internal pure {
        side.lower = MaverickMath.sqrtPriceAt(tick * spacing);
        side.upper = MaverickMath.sqrtPriceAt((tick + 1) * spacing);
        side.liquidity = _liquidity(side.a, side.b, side.lower, side.upper);
        side.price = _price(side);
    }

    /// @dev The root is scaled up after it was rounded down, so this is a lower bound.
    function _liquidity(uint256 a, uint256 b, uint256 lower, uint256 upper) private pure returns (uint256) {
        uint256 bump = a >> SMALL_BITS == 0 && b >> SMALL_BITS == 0 ? MORE_BITS : 0;
        (a, b) = (a << bump, b << bump);
        uint256 width = upper - lower;
        if (b == 0) return (a * ONE / width) >> bump;
        if (a == 0) return (b * lower / ONE * upper / width) >> bump;
        uint256 half = (a * ONE / upper + b * lower / ONE) >> 1;
        uint256 square = FullMath.mulDiv(half, half, ONE);
        square += FullMath.mulDiv(FullMath.mulDiv(b, a, ONE), width, upper);
        return FullMath.mulDiv(half + Roots.sqrt(square) * 1e9, upper, width) >> bump;
    }

    function _price(Side memory side) private pure returns (uint256 price) {
        if (side.a == 0) return side.lower;
        if (side.b == 0) return side.upper;
        uint256 above = side.a + side.liquidity * side.lower / ONE;
        uint256 below = side.b + side.liquidity * ONE / side.upper;
        price = Roots.sqrt(ONE * (above * ONE / below));
        if (price < side.lower) price = side.lower;
        if (price > side.upper) price = side.upper;
    }

    /// @notice Sells up to `amount` into one tick
    function fill(Side memory side, uint256 amount) internal pure returns (Fill memory done) {
        uint256 available = side.sellsA ? side.b : side.a;
        uint256 input = _inputFor(side, available);
        uint256 net = amount * (ONE - side.fee) / ONE;
        uint256 charged = amount - net;
        done.amountIn = amount;
        if (net < input) {
            input = net;
        } else {
            charged = _up(input * side.fee, ONE - side.fee);
            done.amountIn = input + charged;
        }
        done.kept = done.amountIn;
        if (side.ratio > 0) {
            uint256 cut = _up(charged * side.ratio, 1000);
            done.kept = done.kept < cut ? 0 : done.kept - cut;
        }
        done.amountOut = available;
        if (amount > done.amountIn) {
            done.excess = amount - done.amountIn;
            return done;
        }
        uint256 used = _up(input * ONE, side.liquidity + 1);
        uint256 paid = side.sellsA
            ? input * (SQUARE / side.price) / (used + side.price)
            : input * side.price / (used + _up(SQUARE, side.price));
        if (paid < available) done.amountOut = paid;
    }

    /// @dev The net input that buys an output, rounded up
    function _inputFor(Side memory side, uint256 output) private pure returns (uint256) {
        uint256 used = side.liquidity == 0 ? 0 : _up(output * ONE, side.liquidity);
        if (side.sellsA) return _up(output * side.price, SQUARE / side.price - used);
        return _up(output * ONE, side.price * (side.price - used) / ONE);
    }

    /// @notice Where in the tick the price ends: 0 at its lower end, 1e8 at its upper one
    function ends(Side memory side, uint256 kept) internal pure returns (uint256 within) {
        uint256 end = kept * ONE / (side.liquidity == 0 ? 1 : side.liquidity);
        end = side.sellsA ? end + side.price : SQUARE / (end + SQUARE / side.price);
        uint256 above = end < side.lower ? 0 : end - side.lower;
        within = above * ONE / ((side.upper - side.lower) * 1e10);
        if (within > WITHIN) within = WITHIN;
    }

    function _up(uint256 x, uint256 y) private pure returns (uint256) {
        return x == 0 ? 0 : (x - 1) / y + 1;
    }
}
