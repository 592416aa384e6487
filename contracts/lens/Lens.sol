// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MAX_BYTES, append, close, open, put, set} from "./Answers.sol";
import {ASK_GAS, answerWord, ask1, call, capped, held} from "./Asking.sol";
import {RESERVE, Ticks, appendPool} from "./Ticks.sol";

/// Reads many pools in one `eth_call`. It is never deployed: a state override puts the code at a free address for one call.
///
/// Every function works through a list from `start` on, stops before the gas of the call runs out, and says in `next` where
/// to go on: the same request suits an endpoint that allows 16 million gas and one that allows 500 million. An answer is
/// written once, at the end of memory, and returned from there; nothing is allocated while it grows. README.md has the
/// layouts.
contract Lens {
    struct Source {
        /// The contract that is asked: a factory, or what answers for a singleton.
        address target;
        bytes4 selector;
        /// Which word of the answer names the pool.
        uint8 word;
        /// Whether a pool is named by the hash of its key (token, token, fee, spacing, 0) and is there when the word is not 0;
        /// with bit 48 of a key set, by that of (token, token, 0, target, fee, spacing << 16).
        bool hashed;
        /// The third argument, one candidate each; none: two arguments. Hashed: fee << 24 | spacing.
        uint256[] keys;
    }

    /// Makes calls, each with at most `gasEach`. A call that fails is answered by no bytes. `start` and `next` count bytes of
    /// `calls`.
    function read(bytes calldata calls, uint256 start, uint256 gasEach)
        external
        view
        returns (uint256 next, bytes memory answers)
    {
        answers = "";
        uint256 first = open();
        uint256 end = first;
        for (next = start; next < calls.length;) {
            if (next > start && (gasleft() < gasEach + RESERVE || end - first > MAX_BYTES)) break;
            (end, next) = append(end, calls, next, gasEach);
        }
        close(first, end, next);
    }

    /// Asks `sources` for the pools of pairs. `start` and `next` count pairs.
    function find(Source[] calldata sources, address[] calldata tokens, bytes calldata pairs, uint256 start)
        external
        view
        returns (uint256 next, bytes memory found)
    {
        found = "";
        uint256 width = widthOf(sources);
        uint256 first = open();
        uint256 end = first;
        for (next = start; next < pairs.length / 4; next++) {
            if (next > start && (gasleft() < RESERVE + width * 12_000 || end - first > MAX_BYTES)) break;
            address a = tokens[uint16(bytes2(pairs[next * 4:next * 4 + 2]))];
            address b = tokens[uint16(bytes2(pairs[next * 4 + 2:next * 4 + 4]))];
            end = findPair(end, sources, a < b ? a : b, a < b ? b : a, next * width);
        }
        close(first, end, next);
    }

    /// Reads pools with ticks: heads, then the bitmap words that are not empty, then the ticks that these show. `start` and
    /// `next` count pools; `next` = `start`: the first one needs more gas than the call has.
    function ticks(Ticks[] calldata pools, uint256 start) external view returns (uint256 next, bytes memory answers) {
        answers = "";
        uint256 first = open();
        uint256 end = first;
        for (next = start; next < pools.length; next++) {
            if (gasleft() < 3 * RESERVE || end - first > MAX_BYTES) break;
            (uint256 grown, bool done) = appendPool(end + 3, pools[next]);
            if (!done) break;
            set(end, grown - end - 3, 3);
            end = grown;
        }
        close(first, end, next);
    }

    /// Pairs of a factory that numbers them (allPairs, token0, token1, getReserves), from number `start` to `last`.
    function enumerate(address factory, uint256 start, uint256 last)
        external
        view
        returns (uint256 next, bytes memory pairs)
    {
        pairs = "";
        uint256 first = open();
        uint256 end = first;
        for (next = start; next <= last; next++) {
            if (next > start && (gasleft() < RESERVE + 4 * 30_000 || end - first > MAX_BYTES)) break;
            bytes32 pair = ask1(factory, 0x1e3dd18b, next);
            address pool = address(uint160(uint256(pair)));
            if (pair == 0) break;
            end = put(end, uint256(pair), 20);
            end = put(end, uint256(ask1(pool, 0x0dfe1681, 0)), 20);
            end = put(end, uint256(ask1(pool, 0xd21220a7, 0)), 20);
            bytes32 reserve0 = ask1(pool, 0x0902f1ac, 0);
            bytes32 reserve1 = answerWord(32);
            end = put(put(end, capped(uint256(reserve0)), 16), capped(uint256(reserve1)), 16);
        }
        close(first, end, next);
    }

    function widthOf(Source[] calldata sources) private pure returns (uint256 width) {
        for (uint256 s; s < sources.length; s++) {
            uint256 keys = sources[s].keys.length;
            width += keys == 0 ? 1 : keys;
        }
    }

    /// @param candidate the pair's first one
    function findPair(uint256 end, Source[] calldata sources, address a, address b, uint256 candidate)
        private
        view
        returns (uint256)
    {
        for (uint256 s; s < sources.length; s++) {
            Source calldata source = sources[s];
            uint256 keys = source.keys.length;
            for (uint256 k; k == 0 || k < keys; k++) {
                bytes32 pool = ask(end, source, a, b, k);
                if (pool != 0) {
                    end = put(put(end, candidate, 4), uint256(pool), 32);
                    end = put(end, source.hashed ? 0 : held(a, pool), 16);
                    end = put(end, source.hashed ? 0 : held(b, pool), 16);
                }
                candidate++;
            }
        }
        return end;
    }

    /// @param free memory from here on is free
    /// @return pool 0 where there is none
    function ask(uint256 free, Source calldata source, address a, address b, uint256 k)
        private
        view
        returns (bytes32 pool)
    {
        uint256 key = source.keys.length == 0 ? 0 : source.keys[k];
        bytes4 selector = source.selector;
        uint256 size = source.keys.length == 0 ? 68 : 100;
        bool hashed = source.hashed;
        address target = source.target;
        assembly ("memory-safe") {
            mstore(add(free, 4), a)
            mstore(add(free, 36), b)
            mstore(add(free, 68), key)
            if hashed {
                let fee := and(shr(24, key), 0xffffff)
                let spacing := signextend(2, key)
                switch shr(48, key)
                case 0 {
                    mstore(add(free, 68), fee)
                    mstore(add(free, 100), spacing)
                    mstore(add(free, 132), 0)
                    pool := keccak256(add(free, 4), 160)
                }
                default {
                    mstore(add(free, 68), 0)
                    mstore(add(free, 100), target)
                    mstore(add(free, 132), fee)
                    mstore(add(free, 164), shl(16, spacing))
                    pool := keccak256(add(free, 4), 192)
                }
                mstore(add(free, 4), pool)
                size := 36
            }
            mstore8(free, byte(0, selector))
            mstore8(add(free, 1), byte(1, selector))
            mstore8(add(free, 2), byte(2, selector))
            mstore8(add(free, 3), byte(3, selector))
        }
        bytes32 answer = call(target, free, size, ASK_GAS) ? answerWord(uint256(source.word) * 32) : bytes32(0);
        if (answer == 0 || !hashed) pool = answer;
    }
}
