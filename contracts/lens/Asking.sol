// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// A call that tells what a pool is or holds may use this much gas.
uint256 constant ASK_GAS = 200_000;

// Calls whose failure is an answer: nothing that a pool does stops a list.

function call(address target, uint256 data, uint256 size, uint256 gasMost) view returns (bool ok) {
    assembly ("memory-safe") {
        ok := staticcall(gasMost, target, data, size, 0, 0)
    }
}

/// A word of what the last call answered; 0 where that is shorter.
function answerWord(uint256 offset) pure returns (bytes32 word) {
    assembly ("memory-safe") {
        if gt(returndatasize(), add(offset, 31)) {
            returndatacopy(0, offset, 32)
            word := mload(0)
        }
    }
}

/// The first word that a function with one argument, or none, answers; 0 where it fails.
function ask1(address target, uint32 selector, uint256 argument) view returns (bytes32 word) {
    bool ok;
    uint256 gasMost = ASK_GAS;
    assembly ("memory-safe") {
        mstore(0, shl(224, selector))
        mstore(4, argument)
        ok := staticcall(gasMost, target, 0, 36, 0, 0)
    }
    return ok ? answerWord(0) : bytes32(0);
}

/// Makes a call with its last argument replaced by `argument`.
function numbered(uint256 free, address target, bytes calldata data, int256 argument) view returns (bool ok) {
    assembly ("memory-safe") {
        let size := data.length
        calldatacopy(free, data.offset, size)
        mstore(sub(add(free, size), 32), argument)
        ok := staticcall(gas(), target, free, size, 0, 0)
    }
}

/// What the token's contract says that `pool` holds, at most 2^128 - 1.
function held(address token, bytes32 pool) view returns (uint256) {
    return capped(uint256(ask1(token, 0x70a08231, uint256(pool))));
}

function capped(uint256 value) pure returns (uint256) {
    return value > type(uint128).max ? type(uint128).max : value;
}
