// A model of Maverick v1's numbers: our own code after the published behaviour, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice 18 digits. Products are rounded to the nearest, half up; quotients down.
library MaverickMath {
    uint256 internal constant ONE = 1e18;
    uint256 private constant HALF = 0.5e18;
    uint256 private constant MAX_TICK = 460540;
    uint256 private constant SMALL_BITS = 60;
    uint256 private constant MORE_BITS = 40;

    /// @dev What lies in a tick, and its ends as square-root prices
    struct Tick {
        uint256 a;
        uint256 b;
        uint256 lower;
        uint256 upper;
    }

    /// @dev The fee is part of the input; `excess` is what is left for the next tick
    struct Fill {
        uint256 amountIn;
        uint256 fee;
        uint256 amountOut;
        uint256 excess;
    }

    error BeyondTheLastTick();

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        return (a * b + HALF) / ONE;
    }

    function div(uint256 a, uint256 b) internal pure returns (uint256) {
        return a * ONE / b;
    }

    /// @notice Sells up to `amount` into one tick
    /// @param feeShare 18 digits
    function fill(Tick memory tick, bool sellsA, uint256 amount, uint256 feeShare)
        internal
        pure
        returns (Fill memory done)
    {
        uint256 liquidity = _liquidity(tick);
        uint256 price = _sqrtPrice(tick, liquidity);
        uint256 reserveOut = sellsA ? tick.b : tick.a;
        uint256 toEdge =
            sellsA ? mul(liquidity, tick.upper - price) : div(liquidity, tick.lower) - div(liquidity, price);
        uint256 net = mul(amount, ONE - feeShare);
        bool isWhole = net >= toEdge;
        (done.amountIn, done.fee) = (amount, amount - net);
        if (isWhole) {
            done.fee = (toEdge * feeShare + ONE - feeShare - 1) / (ONE - feeShare);
            done.amountIn = toEdge + done.fee;
            done.amountOut = reserveOut;
            if (amount > done.amountIn) done.excess = amount - done.amountIn;
            if (done.excess > 0) return done;
        }
        if (liquidity == 0) return done;
        uint256 input = isWhole ? toEdge : net;
        uint256 inverse = div(ONE, price);
        (uint256 times, uint256 start) = sellsA ? (inverse, price) : (price, inverse);
        uint256 paid = input * times / (div(input, liquidity) + start);
        done.amountOut = paid < reserveOut ? paid : reserveOut;
    }

    /// @dev Small reserves are worked out with more bits.
    function _liquidity(Tick memory tick) private pure returns (uint256) {
        uint256 bump = tick.a >> SMALL_BITS == 0 && tick.b >> SMALL_BITS == 0 ? MORE_BITS : 0;
        (uint256 a, uint256 b) = (tick.a << bump, tick.b << bump);
        uint256 width = tick.upper - tick.lower;
        uint256 sum = div(a, tick.upper) + mul(b, tick.lower);
        if (a == 0 || b == 0) return (sum * tick.upper / width) >> bump;
        uint256 half = sum >> 1;
        uint256 root = _sqrt(mul(half, half) + mul(b, a) * width / tick.upper);
        return ((half + root) * tick.upper / width) >> bump;
    }

    function _sqrtPrice(Tick memory tick, uint256 liquidity) private pure returns (uint256) {
        if (tick.a == 0) return tick.lower;
        if (tick.b == 0) return tick.upper;
        return _sqrt(div(tick.a + mul(liquidity, tick.lower), tick.b + div(liquidity, tick.upper)));
    }

    /// @dev Of an 18-digit number, rounded down
    function _sqrt(uint256 value) private pure returns (uint256 root) {
        uint256 x = value * ONE;
        if (x < 2) return x;
        unchecked {
            root = 1;
            uint256 rest = x;
            for (uint256 bits = 128; bits > 0; bits >>= 1) {
                if (rest >> bits != 0) (rest, root) = (rest >> bits, root << (bits / 2));
            }
            root <<= 1;
            for (uint256 next = (root + x / root) >> 1; next < root; next = (root + x / root) >> 1) root = next;
        }
    }

    /// @notice The square-root price at which a tick begins, token A for one token B
    /// @param at Tick times spacing
    function sqrtPriceAt(int256 at) internal pure returns (uint256) {
        uint256 x = uint256(at < 0 ? -at : at);
        if (x > MAX_TICK) revert BeyondTheLastTick();
        unchecked {
            uint256 ratio = x & 1 != 0 ? 0xfffcb933bd6fad9d3af5f0b9f25db4d6 : 1 << 128;
            if (x & 0x2 != 0) ratio = ratio * 0xfff97272373d41fd789c8cb37ffcaa1c >> 128;
            if (x & 0x4 != 0) ratio = ratio * 0xfff2e50f5f656ac9229c67059486f389 >> 128;
            if (x & 0x8 != 0) ratio = ratio * 0xffe5caca7e10e81259b3cddc7a064941 >> 128;
            if (x & 0x10 != 0) ratio = ratio * 0xffcb9843d60f67b19e8887e0bd251eb7 >> 128;
            if (x & 0x20 != 0) ratio = ratio * 0xff973b41fa98cd2e57b660be99eb2c4a >> 128;
            if (x & 0x40 != 0) ratio = ratio * 0xff2ea16466c9838804e327cb417cafcb >> 128;
            if (x & 0x80 != 0) ratio = ratio * 0xfe5dee046a99d51e2cc356c2f617dbe0 >> 128;
            if (x & 0x100 != 0) ratio = ratio * 0xfcbe86c7900aecf64236ab31f1f9dcb5 >> 128;
            if (x & 0x200 != 0) ratio = ratio * 0xf987a7253ac4d9194200696907cf2e37 >> 128;
            if (x & 0x400 != 0) ratio = ratio * 0xf3392b0822b88206f8abe8a3b44dd9be >> 128;
            if (x & 0x800 != 0) ratio = ratio * 0xe7159475a2c578ef4f1d17b2b235d480 >> 128;
            if (x & 0x1000 != 0) ratio = ratio * 0xd097f3bdfd254ee83bdd3f248e7e785e >> 128;
            if (x & 0x2000 != 0) ratio = ratio * 0xa9f746462d8f7dd10e744d913d033333 >> 128;
            if (x & 0x4000 != 0) ratio = ratio * 0x70d869a156ddd32a39e257bc3f50aa9b >> 128;
            if (x & 0x8000 != 0) ratio = ratio * 0x31be135f97da6e09a19dc367e3b6da40 >> 128;
            if (x & 0x10000 != 0) ratio = ratio * 0x9aa508b5b7e5a9780b0cc4e25d61a56 >> 128;
            if (x & 0x20000 != 0) ratio = ratio * 0x5d6af8dedbcb3a6ccb7ce618d14225 >> 128;
            if (x & 0x40000 != 0) ratio = ratio * 0x2216e584f630389b2052b8db590e >> 128;
            if (at > 0) ratio = type(uint256).max / ratio;
            return ratio * ONE >> 128;
        }
    }
}
