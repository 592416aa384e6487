// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer, NotTaken} from "../Errors.sol";
import {Head, TO_NEXT, TO_RECIPIENT} from "../Head.sol";
import {RUNNING, WORD} from "../Lock.sol";
import {CALL, Run, TOKENS} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

/// @notice Pools with the interface of Uniswap v3 (PancakeSwap v3, Algebra …), which ask for their input in a callback
library V3 {
    /// @dev One unit inside the pool's own limits: no price limit. A swap that the liquidity cannot fill asks for
    ///      less than was promised and is refused by the commitment.
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    // selector | int256 | int256 | offset | length | token | payer
    uint256 internal constant CALLBACK_BYTES = 0xc4;

    /// @dev An amount of 2^255 or more would read as exact output; no callback can then ask for what was promised.
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address receiver = address(this);
        if (head.has(TO_RECIPIENT | TO_NEXT)) receiver = run.receiver(head, next);
        address pool = head.target();
        bool fine;
        assembly ("memory-safe") {
            let source := byte(2, head)
            // What the pool is to hand back (token, payer) and behind it pool and amount: hashed together, the debt.
            mstore(add(CALL, 0xe0), shr(96, calldataload(add(mload(add(run, TOKENS)), mul(source, 20)))))
            let payer := address()
            if iszero(source) { payer := mload(run) }
            mstore(add(CALL, 0x100), payer)
            mstore(add(CALL, 0x120), pool)
            mstore(add(CALL, 0x140), amount)
            tstore(WORD, keccak256(add(CALL, 0xe0), 0x80))
            let zeroForOne := and(byte(1, head), 1)
            mstore(CALL, 0x128acb08) // swap(address,bool,int256,uint160,bytes)
            mstore(add(CALL, 0x20), receiver)
            mstore(add(CALL, 0x40), zeroForOne)
            mstore(add(CALL, 0x60), amount)
            mstore(add(CALL, 0x80), xor(HIGHEST, mul(xor(LOWEST, HIGHEST), zeroForOne)))
            mstore(add(CALL, 0xa0), 0xa0)
            mstore(add(CALL, 0xc0), 0x40)
            if iszero(call(gas(), pool, 0, add(CALL, 0x1c), 0x104, 0x00, 0x40)) {
                returndatacopy(0x00, 0x00, returndatasize())
                revert(0x00, returndatasize())
            }
            out := sub(0, mload(shl(5, zeroForOne)))
            fine := and(and(gt(returndatasize(), 0x3f), sgt(out, 0)), eq(tload(WORD), RUNNING))
        }
        if (!fine) _refuse(pool, out);
    }

    /// @dev Reads what the pool's call has left behind: nothing has been called since.
    function _refuse(address pool, uint256 out) private pure {
        bool answered;
        assembly ("memory-safe") {
            answered := and(gt(returndatasize(), 0x3f), sgt(out, 0))
        }
        if (!answered) revert BadAnswer(pool);
        revert NotTaken(pool);
    }

    /// @notice Pays the pool that calls, if the running swap owes exactly this
    /// @dev    Calldata: selector | int256 | int256 | offset | length | token | payer. Read at fixed places; whatever a
    ///         caller puts elsewhere has no meaning, and whatever it changes here breaks the hash.
    ///         The words that are hashed (token, payer, pool, amount) are those of the token's call, whose selector
    ///         takes the place of the word before its first argument.
    ///         Ends the call where it pays, and returns where this is no such callback.
    function callback() internal {
        bool owed;
        bool done;
        address token;
        uint256 asked;
        assembly ("memory-safe") {
            asked := calldataload(0x04)
            if slt(asked, 1) { asked := calldataload(0x24) }
            let free := mload(0x40)
            calldatacopy(0x00, 0x84, 0x40)
            mstore(0x40, caller())
            mstore(0x60, asked)
            // As Lock.resume does, without the jump: every v3 hop pays for this.
            owed := eq(tload(WORD), keccak256(0x00, 0x80))
            if owed {
                tstore(WORD, RUNNING)
                token := mload(0x00)
                switch eq(mload(0x20), address())
                case 0 {
                    mstore(0x00, 0x23b872dd) // transferFrom(address,address,uint256)
                    done := call(gas(), token, 0, 0x1c, 0x64, 0x00, 0x20)
                }
                default {
                    mstore(0x20, 0xa9059cbb) // transfer(address,uint256)
                    done := call(gas(), token, 0, 0x3c, 0x44, 0x00, 0x20)
                }
                if and(and(eq(mload(0x00), 1), gt(returndatasize(), 0x1f)), done) { stop() }
            }
            mstore(0x40, free)
            mstore(0x60, 0)
        }
        if (!owed) return;
        Tokens.judge(done, token, msg.sender, asked);
        assembly ("memory-safe") {
            stop()
        }
    }
}
