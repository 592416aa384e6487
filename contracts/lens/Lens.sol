// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Reads many pools in one `eth_call`. It is never deployed: a state override puts the code at a free address for one call.
///
/// Every function works through a list from `start` on, stops before the gas of the call runs out, and says in `next` where
/// to go on: the same request suits an endpoint that allows 16 million gas and one that allows 500 million. An answer is
/// written once, at the end of memory, and returned from there; nothing is allocated while it grows. README.md has the
/// layouts.
contract Lens {
    /// Gas that is left for returning what was found.
    uint256 private constant RESERVE = 150_000;
    /// A call that tells what a pool is or holds may use this much.
    uint256 private constant ASK_GAS = 200_000;
    /// A call before the bitmap may use this much.
    uint256 private constant HEAD_GAS = 500_000;
    /// A list is not made longer than this, in bytes: memory is charged by its square.
    uint256 private constant MAX_BYTES = 600_000;

    struct Source {
        /// The contract that is asked: a factory, or what answers for a singleton.
        address target;
        bytes4 selector;
        /// Which word of the answer names the pool.
        uint8 word;
        /// Whether a pool is named by the hash of its key (token, token, fee, spacing, 0) and is there when the word is not 0.
        bool hashed;
        /// The third argument, one candidate each; none: two arguments. Hashed: fee << 24 | spacing.
        uint256[] keys;
    }

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
        assembly ("memory-safe") {
            mstore(add(free, 4), a)
            mstore(add(free, 36), b)
            mstore(add(free, 68), key)
            if hashed {
                mstore(add(free, 68), shr(24, key))
                mstore(add(free, 100), signextend(2, key))
                mstore(add(free, 132), 0)
                pool := keccak256(add(free, 4), 160)
                mstore(add(free, 4), pool)
                size := 36
            }
            mstore8(free, byte(0, selector))
            mstore8(add(free, 1), byte(1, selector))
            mstore8(add(free, 2), byte(2, selector))
            mstore8(add(free, 3), byte(3, selector))
        }
        bytes32 answer = call(source.target, free, size, ASK_GAS) ? answerWord(uint256(source.word) * 32) : bytes32(0);
        if (answer == 0 || !hashed) pool = answer;
    }

    /// What the token's contract says that `pool` holds, at most 2^128 - 1.
    function held(address token, bytes32 pool) private view returns (uint256) {
        return capped(uint256(ask1(token, 0x70a08231, uint256(pool))));
    }

    function capped(uint256 value) private pure returns (uint256) {
        return value > type(uint128).max ? type(uint128).max : value;
    }

    /// The first word that a function with one argument, or none, answers; 0 where it fails.
    function ask1(address target, uint32 selector, uint256 argument) private view returns (bytes32 word) {
        bool ok;
        uint256 gasMost = ASK_GAS;
        assembly ("memory-safe") {
            mstore(0, shl(224, selector))
            mstore(4, argument)
            ok := staticcall(gasMost, target, 0, 36, 0, 0)
        }
        return ok ? answerWord(0) : bytes32(0);
    }

    function call(address target, uint256 data, uint256 size, uint256 gasMost) private view returns (bool ok) {
        assembly ("memory-safe") {
            ok := staticcall(gasMost, target, data, size, 0, 0)
        }
    }

    /// A word of what the last call answered; 0 where that is shorter.
    function answerWord(uint256 offset) private pure returns (bytes32 word) {
        assembly ("memory-safe") {
            if gt(returndatasize(), add(offset, 31)) {
                returndatacopy(0, offset, 32)
                word := mload(0)
            }
        }
    }

    function appendPool(uint256 end, Ticks calldata pool) private view returns (uint256, bool done) {
        uint256 head = end;
        for (uint256 k; k < pool.heads.length;) (end, k) = append(end, pool.heads, k, HEAD_GAS);
        uint256 words = end;
        (end, done) = appendWords(end, pool, head);
        if (done) (end, done) = appendTicks(end, pool, words);
        return (end, done);
    }

    /// @param head where the first answer begins
    function appendWords(uint256 end, Ticks calldata pool, uint256 head) private view returns (uint256, bool) {
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
    function around(Ticks calldata pool, int256 tick) private pure returns (int256 first, int256 last) {
        int256 compressed = tick / pool.spacing;
        if (tick < 0 && tick % pool.spacing != 0) compressed--;
        int256 center = compressed >> 8;
        int256 reach = int256(uint256(pool.reach));
        first = center - reach > pool.lowest ? center - reach : int256(pool.lowest);
        last = center + reach < pool.highest ? center + reach : int256(pool.highest);
    }

    /// @param words where the words are that `appendWords` wrote
    function appendTicks(uint256 end, Ticks calldata pool, uint256 words) private view returns (uint256, bool) {
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

    /// Makes a call with its last argument replaced by `argument`.
    function numbered(uint256 free, address target, bytes calldata data, int256 argument) private view returns (bool ok) {
        assembly ("memory-safe") {
            let size := data.length
            calldatacopy(free, data.offset, size)
            mstore(sub(add(free, size), 32), argument)
            ok := staticcall(gas(), target, free, size, 0, 0)
        }
    }

    /// Makes the call at `k` of a packed list and appends what it answers.
    /// @return the ends of the answers and of the call
    function append(uint256 end, bytes calldata calls, uint256 k, uint256 gasMost)
        private
        view
        returns (uint256, uint256)
    {
        uint256 most = MAX_BYTES;
        assembly ("memory-safe") {
            let at := add(calls.offset, k)
            let size := shr(240, calldataload(add(at, 20)))
            calldatacopy(end, add(at, 22), size)
            let ok := staticcall(gasMost, shr(96, calldataload(at)), end, size, 0, 0)
            let length := mul(ok, returndatasize())
            if gt(length, most) { length := 0 }
            mstore(end, shl(232, length))
            returndatacopy(add(end, 3), 0, length)
            end := add(end, add(3, length))
            k := add(k, add(22, size))
        }
        return (end, k);
    }

    /// Where a list begins; 96 bytes before it stay free for what `close` writes there.
    function open() private pure returns (uint256 first) {
        assembly ("memory-safe") {
            first := add(mload(0x40), 96)
        }
    }

    /// Ends the call with (next, bytes).
    function close(uint256 first, uint256 end, uint256 next) private pure {
        assembly ("memory-safe") {
            let size := sub(end, first)
            mstore(sub(first, 96), next)
            mstore(sub(first, 64), 64)
            mstore(sub(first, 32), size)
            mstore(end, 0)
            return(sub(first, 96), add(96, and(add(size, 31), not(31))))
        }
    }

    function put(uint256 end, uint256 value, uint256 size) private pure returns (uint256) {
        assembly ("memory-safe") {
            mstore(end, shl(sub(256, mul(8, size)), value))
        }
        return end + size;
    }

    /// Writes `size` bytes where others already follow.
    function set(uint256 place, uint256 value, uint256 size) private pure {
        for (uint256 k = size; k > 0; k--) {
            assembly ("memory-safe") {
                mstore8(add(place, sub(k, 1)), value)
                value := shr(8, value)
            }
        }
    }
}
