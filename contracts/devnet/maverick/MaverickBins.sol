// A model of where Maverick v1's bins lie, and how they follow the price: our own code after the published behaviour, not
// the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BitMath} from "@uniswap/v4-core/src/libraries/BitMath.sol";

/// @notice A bin of kind 1 follows the price upwards, of kind 2 downwards, of kind 3 both ways, of kind 0 not at all: left
///         behind by the time-weighted tick and by the price, it moves next to the nearer of them, into a bin of its
///         kind where there is one. The weighing is linear in time where the protocol's is not.
abstract contract MaverickBins {
    uint256 internal constant KINDS = 4;
    uint256 private constant KIND_BITS = 15;
    uint8 private constant UP = 1;
    uint8 private constant DOWN = 2;
    int256 private constant UNIT = 1e8;
    int256 private constant LOOKBACK = 600;

    struct Bin {
        uint128 a;
        uint128 b;
        uint8 kind;
        int32 tick;
    }

    /// @dev The tick now and its mean over time, times 10^8, and when that was written
    struct Watch {
        int64 last;
        int64 mean;
        uint64 time;
    }

    int256 private firstWord;
    int256 private lastWord;
    mapping(int32 word => uint256) public binMap;
    mapping(int32 tick => mapping(uint256 kind => uint128)) public binPositions;
    mapping(uint128 id => Bin) internal bins;
    /// Bins that follow the price
    uint128[] private movers;
    Watch private watch;

    event BinMoved(uint128 indexed binId, int128 previousTick, int128 newTick);

    error OutOfBins();

    /// @dev By tick, ascending
    function _add(uint128 id, Bin memory bin) internal {
        bins[id] = bin;
        binPositions[bin.tick][bin.kind] = id;
        int256 word = _flip(bin.tick, bin.kind);
        if (id == 1) firstWord = word;
        lastWord = word;
        if (bin.kind != 0) movers.push(id);
    }

    function _watch(int256 tick) internal {
        watch = Watch(int64(tick * UNIT), int64(tick * UNIT), uint64(block.timestamp));
    }

    /// @dev Ends a swap: weighs the tick of before by the time that it lasted, and moves what has been left behind.
    function _follow(int256 tick) internal {
        Watch memory seen = watch;
        int256 passed = int256(block.timestamp - seen.time);
        if (passed > LOOKBACK) passed = LOOKBACK;
        int256 mean = (int256(seen.mean) * (LOOKBACK - passed) + int256(seen.last) * passed) / LOOKBACK;
        watch = Watch(int64(tick * UNIT), int64(mean), uint64(block.timestamp));
        int256 weighted = mean >= 0 ? mean / UNIT : -((UNIT - 1 - mean) / UNIT);
        int256 lowest = (weighted < tick ? weighted : tick) - 1;
        int256 highest = (weighted > tick ? weighted : tick) + 1;
        for (uint256 k = 0; k < movers.length; k++) {
            Bin memory bin = bins[movers[k]];
            if (bin.a == 0 && bin.b == 0) continue;
            if (bin.kind & UP != 0 && bin.b == 0 && bin.tick < lowest) _moveTo(movers[k], bin, lowest);
            else if (bin.kind & DOWN != 0 && bin.a == 0 && bin.tick > highest) _moveTo(movers[k], bin, highest);
        }
    }

    function _moveTo(uint128 id, Bin memory bin, int256 tick) private {
        emit BinMoved(id, bin.tick, int128(tick));
        _flip(bin.tick, bin.kind);
        delete binPositions[bin.tick][bin.kind];
        uint128 other = binPositions[int32(tick)][bin.kind];
        bin.tick = int32(tick);
        if (other == 0) {
            _flip(tick, bin.kind);
            (binPositions[bin.tick][bin.kind], bins[id]) = (id, bin);
        } else {
            Bin storage merged = bins[other];
            (merged.a, merged.b) = (merged.a + bin.a, merged.b + bin.b);
            (bin.a, bin.b) = (0, 0);
            bins[id] = bin;
        }
    }

    /// @dev Turns the bit of a tick and kind. @return word Where it lies
    function _flip(int256 tick, uint8 kind) private returns (int256 word) {
        int256 bit = tick * int256(KINDS) + int256(uint256(kind));
        word = bit >> 8;
        binMap[int32(word)] ^= 1 << uint8(int8(bit));
    }

    /// @dev A bit for each kind of bin that the tick has
    function _kinds(int256 tick) internal view returns (uint256) {
        int256 bit = tick * int256(KINDS);
        return (binMap[int32(bit >> 8)] >> uint8(int8(bit))) & KIND_BITS;
    }

    /// @dev The tick itself where it has bins, or the next one upwards that has
    function _above(int256 tick) internal view returns (int256) {
        int256 bit = tick * int256(KINDS);
        int256 word = bit >> 8;
        uint256 bits = binMap[int32(word)] & (type(uint256).max << uint8(int8(bit)));
        while (bits == 0) {
            if (++word > lastWord) revert OutOfBins();
            bits = binMap[int32(word)];
        }
        return (word * 256 + int256(uint256(BitMath.leastSignificantBit(bits)))) >> 2;
    }

    /// @dev The tick itself where it has bins, or the next one downwards that has
    function _below(int256 tick) internal view returns (int256) {
        int256 bit = tick * int256(KINDS) + int256(KINDS) - 1;
        int256 word = bit >> 8;
        uint256 bits = binMap[int32(word)] & (type(uint256).max >> (255 - uint8(int8(bit))));
        while (bits == 0) {
            if (--word < firstWord) revert OutOfBins();
            bits = binMap[int32(word)];
        }
        return (word * 256 + int256(uint256(BitMath.mostSignificantBit(bits)))) >> 2;
    }
}
