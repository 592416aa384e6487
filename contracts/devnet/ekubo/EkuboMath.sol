// A model of the maths of Ekubo's core: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FullMath} from "@uniswap/v4-core/src/libraries/FullMath.sol";

/// @notice Square-root prices in 64.128 fixed point, of which 62 to 94 leading bits count; amounts of constant liquidity
library EkuboMath {
    int32 internal constant MAX_TICK = 88722835;
    uint256 internal constant BEYOND = (1 << 192) - (1 << 98);
    uint256 private constant ONE = 1 << 128;

    error DoesNotFit(uint256 value);

    /// @notice The nearest price that the compact form holds, at most or at least the given one
    function compact(uint256 price, bool up) internal pure returns (uint256) {
        for (uint256 k = 0; k < 4; k++) {
            uint256 bits = 2 + 32 * k;
            uint256 raised = up ? price + (1 << bits) - 1 : price;
            if (raised < 1 << (96 + 32 * k)) return raised >> bits << bits;
        }
        revert DoesNotFit(price);
    }

    /// @notice The compact form: two bits that say by how much the other 94 are shifted
    function toCompact(uint256 price) internal pure returns (uint96) {
        uint256 k = 0;
        while (price >= 1 << (96 + 32 * k)) k++;
        return uint96(k << 94 | price >> (2 + 32 * k));
    }

    /// @notice The price of a tick, 1.000001^(tick/2), by the powers of two in it
    function priceAtTick(int32 tick) internal pure returns (uint256 price) {
        uint256 rest = uint256(uint32(tick < 0 ? -tick : tick));
        uint256 power = 0xfffff79c8499329c7cbb2510d893283b;
        uint256[26] memory powers = [
            uint256(0xffffef390978c398134b4ff3764fe410),
            0xffffde72140b00a354bd3dc828e976c9,
            0xffffbce42c7be6c998ad6318193c0b18,
            0xffff79c86a8f6150a32d9778eceef97c,
            0xfffef3911b7cff24ba1b3dbb5f8f5974,
            0xfffde72350725cc4ea8feece3b5f13c8,
            0xfffbce4b06c196e9247ac87695d53c60,
            0xfff79ca7a4d1bf1ee8556cea23cdbaa5,
            0xffef3995a5b6a6267530f207142a5764,
            0xffde7444b28145508125d10077ba83b8,
            0xffbceceeb791747f10df216f2e53ec57,
            0xff79eb706b9a64c6431d76e63531e929,
            0xfef41d1a5f2ae3a20676bec6f7f9459a,
            0xfde95287d26d81bea159c37073122c73,
            0xfbd701c7cbc4c8a6bb81efd232d1e4e7,
            0xf7bf5211c72f5185f372aeb1d48f937e,
            0xefc2bf59df33ecc28125cf78ec4f167f,
            0xe08d35706200796273f0b3a981d90cfd,
            0xc4f76b68947482dc198a48a54348c4ed,
            0x978bcb9894317807e5fa4498eee7c0fa,
            0x59b63684b86e9f486ec54727371ba6ca,
            0x1f703399d88f6aa83a28b22d4a1f56e3,
            0x3dc5dac7376e20fc8679758d1bcdcfc,
            0xee7e32d61fdb0a5e622b820f681d0,
            0xde2ee4bc381afa7089aa84bb66,
            0xc0d55d4d7152c25fb139
        ];
        price = ONE;
        for (uint256 k = 0; rest > 0; k++) {
            if (rest & 1 == 1) price = price * power >> 128;
            rest >>= 1;
            if (rest > 0) power = powers[k];
        }
        price = compact(tick > 0 ? type(uint256).max / price : price, false);
    }

    /// @notice The highest tick whose price is at most the given one, by bisection
    function tickAtPrice(uint256 price) internal pure returns (int32) {
        int32 low = -MAX_TICK;
        int32 high = MAX_TICK;
        while (low < high) {
            int32 middle = int32((int256(low) + high + 1) >> 1);
            if (priceAtTick(middle) <= price) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    /// @notice Token 0 between two prices
    function amount0(uint256 low, uint256 high, uint256 liquidity, bool up) internal pure returns (uint256) {
        uint256 scaled = liquidity << 128;
        if (!up) return FullMath.mulDiv(scaled, high - low, high) / low;
        uint256 part = FullMath.mulDivRoundingUp(scaled, high - low, high);
        return (part + low - 1) / low;
    }

    /// @notice Token 1 between two prices
    function amount1(uint256 low, uint256 high, uint256 liquidity, bool up) internal pure returns (uint256) {
        if (up) return FullMath.mulDivRoundingUp(high - low, liquidity, ONE);
        return FullMath.mulDiv(high - low, liquidity, ONE);
    }

    /// @notice The price after an amount of token 0 came in, rounded towards the start
    function priceAfter0(uint256 price, uint256 liquidity, uint256 amount) internal pure returns (uint256) {
        if (amount == 0) return price;
        uint256 scaled = liquidity << 128;
        uint256 divisor = scaled / price + amount;
        return compact(scaled / divisor + (scaled % divisor == 0 ? 0 : 1), true);
    }

    /// @notice The price after an amount of token 1 came in, rounded towards the start
    function priceAfter1(uint256 price, uint256 liquidity, uint256 amount) internal pure returns (uint256) {
        uint256 next = price + (amount << 128) / liquidity;
        return next >= 1 << 192 ? BEYOND : compact(next, false);
    }

    /// @notice The fee on an amount that includes it; a fraction of 2^64
    function feeOf(uint256 amount, uint256 fee) internal pure returns (uint256) {
        return (amount * fee + type(uint64).max) >> 64;
    }

    /// @notice The amount of which `afterFee` is left
    function beforeFee(uint256 afterFee, uint256 fee) internal pure returns (uint256) {
        uint256 divisor = (1 << 64) - fee;
        return ((afterFee << 64) + divisor - 1) / divisor;
    }
}
