// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadDirectPayout, RouteTruncated} from "./Errors.sol";
import {Tokens} from "./Tokens.sol";

/// @notice What a swap knows while its steps run. Lives in memory: the router has no storage
struct Run {
    /// Who holds what is left of the token sold: the caller, or the router (native input).
    address payer;
    address recipient;
    /// Calldata position of the token table.
    uint256 tokens;
    /// Register of the token bought.
    uint256 last;
    /// Calldata position after the route.
    uint256 end;
    /// Memory position of the registers: what is left of each token, in the table's order.
    uint256 registers;
    /// The recipient's balance before the first step that paid it directly; NOT_READ where none has.
    uint256 balanceBefore;
    /// Whether a fee is taken from the token bought, so that the router must hold all of it.
    bool custody;
}

// A balance that no token has, since 2^256 - 1 of it could not have moved.
uint256 constant NOT_READ = type(uint256).max;

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
// A transfer of these tokens may deliver less than was sent: count what arrived.
uint256 constant MEASURED = 0x10 << 240;

using {has, kind, src, dst, target} for Head global;

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

function target(Head head) pure returns (address) {
    return address(uint160(Head.unwrap(head) >> 32));
}

function readHead(uint256 cursor) pure returns (Head head) {
    assembly ("memory-safe") {
        head := calldataload(cursor)
    }
}

/// @notice Registers and the token table
library Runs {
    function token(Run memory run, uint256 index) internal pure returns (address found) {
        uint256 table = run.tokens;
        assembly ("memory-safe") {
            found := shr(96, calldataload(add(table, mul(index, 20))))
        }
    }

    function left(Run memory run, uint256 index) internal pure returns (uint256 amount) {
        uint256 registers = run.registers;
        assembly ("memory-safe") {
            amount := mload(add(registers, shl(5, index)))
        }
    }

    /// @notice Takes the step's share out of its source register
    /// @dev    floor(left·share / 2^32) in two halves, so that no amount overflows; share 0 takes all.
    function take(Run memory run, Head head) internal pure returns (uint256 amount) {
        uint256 share = (Head.unwrap(head) >> 192) & 0xffffffff;
        uint256 registers = run.registers;
        uint256 index = head.src();
        assembly ("memory-safe") {
            let slot := add(registers, shl(5, index))
            amount := mload(slot)
            switch share
            case 0 { mstore(slot, 0) }
            default {
                let all := amount
                amount := add(mul(shr(32, all), share), shr(32, mul(and(all, 0xffffffff), share)))
                mstore(slot, sub(all, amount))
            }
        }
    }

    /// @notice Adds what the router (or the next pool) got to the step's destination register
    function credit(Run memory run, Head head, uint256 amount) internal pure {
        uint256 sum = left(run, head.dst()) + amount;
        uint256 registers = run.registers;
        uint256 index = head.dst();
        assembly ("memory-safe") {
            mstore(add(registers, shl(5, index)), sum)
        }
    }

    /// @notice Who holds a register's tokens
    function holder(Run memory run, uint256 index) internal view returns (address) {
        return index == 0 ? run.payer : address(this);
    }

    /// @notice Sends a register's tokens to a pool, straight from whoever holds them
    function fund(Run memory run, Head head, uint256 amount) internal {
        uint256 index = head.src();
        address from = holder(run, index);
        if (from == address(this)) Tokens.transfer(token(run, index), head.target(), amount);
        else Tokens.transferFrom(token(run, index), from, head.target(), amount);
    }

    /// @notice Brings a register's tokens into the router, for pools that are paid by it alone
    /// @return what arrived, which is `amount` unless the step measures
    function hold(Run memory run, Head head, uint256 amount) internal returns (uint256) {
        uint256 index = head.src();
        address from = holder(run, index);
        if (from == address(this)) return amount;
        address sold = token(run, index);
        if (!head.has(MEASURED)) {
            Tokens.transferFrom(sold, from, address(this), amount);
            return amount;
        }
        uint256 before = Tokens.balanceOf(sold, address(this));
        Tokens.transferFrom(sold, from, address(this), amount);
        return Tokens.balanceOf(sold, address(this)) - before;
    }

    /// @notice Refuses flags that a design cannot honour: it pays the router alone
    function stays(Head head) internal pure {
        if (head.has(TO_RECIPIENT | TO_NEXT)) revert BadDirectPayout(head.dst());
    }

    /// @notice Who the step's pool pays
    /// @param  next calldata position of the next step
    function receiver(Run memory run, Head head, uint256 next) internal view returns (address) {
        if (!head.has(TO_RECIPIENT | TO_NEXT)) return address(this);
        if (!head.has(TO_RECIPIENT)) {
            if (next + HEAD_BYTES > run.end) revert RouteTruncated(next + HEAD_BYTES, run.end);
            return readHead(next).target();
        }
        if (head.dst() != run.last || run.custody) revert BadDirectPayout(head.dst());
        if (run.balanceBefore == NOT_READ) {
            run.balanceBefore = Tokens.balance(token(run, run.last), run.recipient);
        }
        return run.recipient;
    }
}
