// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer, BadDirectPayout, RouteTruncated} from "./Errors.sol";
import {Head, TO_NEXT, TO_RECIPIENT, readHead} from "./Head.sol";
import {Tokens} from "./Tokens.sol";

/// @notice What a swap knows while its steps run: a place in memory, since the router has no storage
/// @dev    Words at that place: payer | recipient | position of the token table | last register | end of the route |
///         direct register | balance before | registers …
///         A struct would be written twice, first with zeros, which costs as much as a step's own bookkeeping.
type Run is uint256;

uint256 constant PAYER = 0x00;
uint256 constant RECIPIENT = 0x20;
uint256 constant TOKENS = 0x40;
uint256 constant LAST = 0x60;
uint256 constant END = 0x80;
uint256 constant DIRECT = 0xa0;
uint256 constant BEFORE = 0xc0;
uint256 constant REGISTERS = 0xe0;

// Where `swap` lays out a pool's call, 11 words, and behind that the run: known places cost half of found ones.
uint256 constant CALL = 0x80;
uint256 constant RUN = 0x1e0;

// No register has this number.
uint256 constant NOWHERE = 256;

// A balance that no token has, since 2^256 - 1 of it could not have moved.
uint256 constant NOT_READ = type(uint256).max;

using Runs for Run global;

/// @notice The run's facts, its registers and the token table
/// @dev    The step loop has checked that `src` and `dst` lie within the table; reads past the route's end are undone
///         by the check that follows the loop.
library Runs {
    /// @notice A run with empty registers, two zero words behind them
    /// @dev    The first memory that a call of the router takes: so it is zero, and nothing else lies there.
    function open(address from, address to, uint256 table, uint256 count, uint256 bought, uint256 routeEnd)
        internal
        pure
        returns (Run run)
    {
        assembly ("memory-safe") {
            run := RUN
            mstore(0x40, add(add(run, REGISTERS), shl(5, add(count, 2))))
            mstore(run, from)
            mstore(add(run, RECIPIENT), to)
            mstore(add(run, TOKENS), table)
            mstore(add(run, LAST), bought)
            mstore(add(run, END), routeEnd)
            mstore(add(run, DIRECT), bought)
        }
    }

    /// @notice Who holds what is left of the token sold: the caller, or the router (native input)
    function payer(Run run) internal pure returns (address found) {
        assembly ("memory-safe") {
            found := mload(run)
        }
    }

    /// @notice Notes that the router has got all of the token sold
    function hasAll(Run run) internal view {
        assembly ("memory-safe") {
            mstore(run, address())
        }
    }

    function recipient(Run run) internal pure returns (address found) {
        assembly ("memory-safe") {
            found := mload(add(run, RECIPIENT))
        }
    }

    /// @notice Register of the token bought
    function last(Run run) internal pure returns (uint256 found) {
        assembly ("memory-safe") {
            found := mload(add(run, LAST))
        }
    }

    /// @notice Calldata position after the route
    function end(Run run) internal pure returns (uint256 found) {
        assembly ("memory-safe") {
            found := mload(add(run, END))
        }
    }

    /// @notice Lets no pool pay the recipient: a fee is taken from the token bought, so the router must hold all of it
    function keepCustody(Run run) internal pure {
        assembly ("memory-safe") {
            mstore(add(run, DIRECT), NOWHERE)
        }
    }

    /// @notice The recipient's balance before the first step that paid it directly; NOT_READ where none has
    function balanceBefore(Run run) internal pure returns (uint256 found) {
        assembly ("memory-safe") {
            found := not(mload(add(run, BEFORE)))
        }
    }

    /// @notice A token of the table
    function token(Run run, uint256 index) internal pure returns (address found) {
        assembly ("memory-safe") {
            found := shr(96, calldataload(add(mload(add(run, TOKENS)), mul(index, 20))))
        }
    }

    /// @notice What is left of a token
    function left(Run run, uint256 index) internal pure returns (uint256 amount) {
        assembly ("memory-safe") {
            amount := mload(add(add(run, REGISTERS), shl(5, index)))
        }
    }

    /// @notice Fills the register of the token sold
    function start(Run run, uint256 amount) internal pure {
        assembly ("memory-safe") {
            mstore(add(run, REGISTERS), amount)
        }
    }

    /// @notice Empties the register of the token bought, and says what is left in the others, in one word
    function close(Run run) internal pure returns (uint256 gross, uint256 rest) {
        assembly ("memory-safe") {
            let slot := add(run, REGISTERS)
            let top := add(slot, shl(5, mload(add(run, LAST))))
            gross := mload(top)
            mstore(top, 0)
            // Three at a time: most routes need one round, and the words behind the registers are zero.
            for {} 1 {} {
                rest := or(or(rest, mload(slot)), or(mload(add(slot, 0x20)), mload(add(slot, 0x40))))
                slot := add(slot, 0x60)
                if iszero(lt(slot, top)) { break }
            }
        }
    }

    /// @notice Takes the step's share out of its source register
    /// @dev    floor(left·share / 2^32) in two halves, so that no amount overflows; share 0 takes all.
    function take(Run run, Head head) internal pure returns (uint256 amount) {
        assembly ("memory-safe") {
            let slot := add(add(run, REGISTERS), shl(5, byte(2, head)))
            let share := and(shr(192, head), 0xffffffff)
            let rest := 0
            amount := mload(slot)
            if share {
                let all := amount
                amount := add(mul(shr(32, all), share), shr(32, mul(and(all, 0xffffffff), share)))
                rest := sub(all, amount)
            }
            mstore(slot, rest)
        }
    }

    /// @notice Undoes a `take`
    function putBack(Run run, Head head, uint256 amount) internal pure {
        assembly ("memory-safe") {
            let slot := add(add(run, REGISTERS), shl(5, byte(2, head)))
            mstore(slot, add(mload(slot), amount))
        }
    }

    /// @notice Adds what the router (or the next pool) got to the step's destination register
    /// @dev    Refuses a pool whose claim does not fit beside what is there. Unchecked, the sum would wrap around: a claim of
    ///         2^256 - 1 takes one unit out of the register, and what a register does not count stays in the router.
    function credit(Run run, Head head, uint256 amount) internal pure {
        bool wraps;
        assembly ("memory-safe") {
            let slot := add(add(run, REGISTERS), shl(5, byte(3, head)))
            let sum := add(mload(slot), amount)
            wraps := lt(sum, amount)
            mstore(slot, sum)
        }
        if (wraps) revert BadAnswer(head.target());
    }

    /// @notice Who holds a register's tokens
    function holder(Run run, uint256 index) internal view returns (address found) {
        assembly ("memory-safe") {
            found := address()
            if iszero(index) { found := mload(run) }
        }
    }

    /// @notice Brings a register's tokens into the router, for pools that are paid by it alone
    function hold(Run run, Head head, uint256 amount) internal {
        uint256 index = head.src();
        address from = holder(run, index);
        if (from != address(this)) Tokens.move(token(run, index), from, address(this), amount);
    }

    /// @notice Who the step's pool pays
    /// @param  next calldata position of the next step
    function receiver(Run run, Head head, uint256 next) internal view returns (address) {
        if (!head.has(TO_RECIPIENT)) {
            if (!head.has(TO_NEXT)) return address(this);
            if (next >= end(run)) revert RouteTruncated(next, end(run));
            return readHead(next).target();
        }
        uint256 direct;
        assembly ("memory-safe") {
            direct := mload(add(run, DIRECT))
        }
        if (head.dst() != direct) revert BadDirectPayout(head.dst());
        address to = recipient(run);
        if (balanceBefore(run) == NOT_READ) {
            uint256 before = Tokens.balance(token(run, direct), to);
            assembly ("memory-safe") {
                mstore(add(run, BEFORE), not(before))
            }
        }
        return to;
    }
}
