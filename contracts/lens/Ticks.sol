// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {append, put, set} from "./Answers.sol";
import {answerWord, numbered} from "./Asking.sol";

// Gas that is left for returning what was found.
uint256 constant RESERVE = 150_000;
// A call before the bitmap may use this much.
uint256 constant HEAD_GAS = 500_000;

struct Ticks {
    /// Calls before the bitmap, packed as in `read`; the first one answers (price, tick, …).
    bytes heads;
    address target;
    /// Calldata of a bitmap word and of a tick, the last argument, which is the number, included as zero.
    bytes word;
    bytes tick;
    /// Ticks a bit.
    int24 spacing;
    /// Numbers of the first and of the last bitmap word that a pool can have.
    int16 lowest;
    int16 highest;
    /// Words that are read on either side of the price's.
    uint16 reach;
    /// Words that are kept of a tick's answer.
    uint8 kept;
}

function appendPool(uint256 end, Ticks calldata pool) view returns (uint256, bool done) {
    uint256 head = end;
    for (uint256 k; k < pool.heads.length;) (end, k) = append(end, pool.heads, k, HEAD_GAS);
    uint256 words = end;
    (end, done) = appendWords(end, pool, head);
    if (done) (end, done) = appendTicks(end, pool, words);
    return (end, done);
}

/// @param head where the first answer begins
function appendWords(uint256 end, Ticks calldata pool, uint256 head) view returns (uint256, bool) {
    uint256 price;
    int256 tick;
    assembly ("memory-safe") {
        if gt(shr(232, mload(head)), 63) {
            price := mload(add(head, 3))
            tick := mload(add(head, 35))
        }
    }
    uint256 counter = end;
    end = put(end, 0, 2);
    if (price == 0) return (end, true);
    (int256 n, int256 last) = around(pool, tick);
    (address target, bytes calldata data) = (pool.target, pool.word);
    uint256 count;
    for (; n <= last; n++) {
        if (gasleft() < RESERVE) return (end, false);
        bytes32 word = numbered(end, target, data, n) ? answerWord(0) : bytes32(0);
        if (word == 0) continue;
        end = put(put(end, uint16(int16(n)), 2), uint256(word), 32);
        count++;
    }
    set(counter, count, 2);
    return (end, true);
}

/// The first and the last word to read.
function around(Ticks calldata pool, int256 tick) pure returns (int256 first, int256 last) {
    int256 compressed = tick / pool.spacing;
    if (tick < 0 && tick % pool.spacing != 0) compressed--;
    int256 center = compressed >> 8;
    int256 reach = int256(uint256(pool.reach));
    first = center - reach > pool.lowest ? center - reach : int256(pool.lowest);
    last = center + reach < pool.highest ? center + reach : int256(pool.highest);
}

/// @param words where the words are that `appendWords` wrote
function appendTicks(uint256 end, Ticks calldata pool, uint256 words) view returns (uint256, bool) {
    uint256 counter = end;
    end = put(end, 0, 2);
    (address target, bytes calldata data, int256 spacing, uint256 kept) =
        (pool.target, pool.tick, pool.spacing, pool.kept);
    uint256 count;
    for (uint256 cursor = words + 2; cursor < counter; cursor += 34) {
        int256 n;
        uint256 bits;
        assembly ("memory-safe") {
            n := signextend(1, shr(240, mload(cursor)))
            bits := mload(add(cursor, 2))
        }
        for (uint256 bit; bit < 256 && bits >> bit != 0; bit++) {
            if ((bits >> bit) & 1 == 0) continue;
            if (gasleft() < RESERVE) return (end, false);
            bool ok = numbered(end, target, data, (n * 256 + int256(bit)) * spacing);
            for (uint256 k; k < kept; k++) end = put(end, ok ? uint256(answerWord(k * 32)) : 0, 32);
            count++;
        }
    }
    set(counter, count, 2);
    return (end, true);
}
