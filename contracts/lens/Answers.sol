// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// A list is not made longer than this, in bytes: memory is charged by its square.
uint256 constant MAX_BYTES = 600_000;

// What follows grows a list at the end of memory, where nothing is allocated meanwhile, and returns it from there.

/// Where a list begins; 96 bytes before it stay free for what `close` writes there.
function open() pure returns (uint256 first) {
    assembly ("memory-safe") {
        first := add(mload(0x40), 96)
    }
}

/// Ends the call with (next, bytes).
function close(uint256 first, uint256 end, uint256 next) pure {
    assembly ("memory-safe") {
        let size := sub(end, first)
        mstore(sub(first, 96), next)
        mstore(sub(first, 64), 64)
        mstore(sub(first, 32), size)
        mstore(end, 0)
        return(sub(first, 96), add(96, and(add(size, 31), not(31))))
    }
}

function put(uint256 end, uint256 value, uint256 size) pure returns (uint256) {
    assembly ("memory-safe") {
        mstore(end, shl(sub(256, mul(8, size)), value))
    }
    return end + size;
}

/// Writes `size` bytes where others already follow.
function set(uint256 place, uint256 value, uint256 size) pure {
    for (uint256 k = size; k > 0; k--) {
        assembly ("memory-safe") {
            mstore8(add(place, sub(k, 1)), value)
            value := shr(8, value)
        }
    }
}

/// Makes the call at `k` of a packed list and appends what it answers.
/// @return the ends of the answers and of the call
function append(uint256 end, bytes calldata calls, uint256 k, uint256 gasMost)
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
