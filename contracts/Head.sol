// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadDirectPayout} from "./Errors.sol";

/// @notice The fixed part of a step, in one calldata word
/// @dev    kind u8 | flags u8 | src u8 | dst u8 | share u32 | target 20 B | first 4 bytes of what follows
type Head is uint256;

uint256 constant HEAD_BYTES = 28;

uint256 constant ZERO_FOR_ONE = 0x01 << 240;
// The pool holds its input already: the step before paid it.
uint256 constant PREFUNDED = 0x02 << 240;
// The pool pays the recipient itself.
uint256 constant TO_RECIPIENT = 0x04 << 240;
// The pool pays the target of the next step.
uint256 constant TO_NEXT = 0x08 << 240;

using {has, kind, src, dst, target, takesAll, staysInRouter} for Head global;

function has(Head head, uint256 flag) pure returns (bool) {
    return Head.unwrap(head) & flag != 0;
}

function kind(Head head) pure returns (uint256) {
    return Head.unwrap(head) >> 248;
}

function src(Head head) pure returns (uint256) {
    return (Head.unwrap(head) >> 232) & 0xff;
}

function dst(Head head) pure returns (uint256) {
    return (Head.unwrap(head) >> 224) & 0xff;
}

function takesAll(Head head) pure returns (bool) {
    return Head.unwrap(head) & (0xffffffff << 192) == 0;
}

function target(Head head) pure returns (address) {
    return address(uint160(Head.unwrap(head) >> 32));
}

/// @notice Refuses flags that a design cannot honour: it pays the router alone
function staysInRouter(Head head) pure {
    if (head.has(TO_RECIPIENT | TO_NEXT)) revert BadDirectPayout(head.dst());
}

function readHead(uint256 cursor) pure returns (Head head) {
    assembly ("memory-safe") {
        head := calldataload(cursor)
    }
}
