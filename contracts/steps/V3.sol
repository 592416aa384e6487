// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer, NotTaken} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Lock, RUNNING, WORD} from "../Lock.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

/// @notice Pools with the interface of Uniswap v3 (PancakeSwap v3, Algebra …), which ask for their input in a callback
library V3 {
    /// @dev One unit inside the pool's own limits: no price limit. A swap that the liquidity cannot fill asks for
    ///      less than was promised and is refused by the commitment.
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address pool = head.target();
        Lock.commit(_lay(run.token(head.src()), run.holder(head.src()), amount, pool));
        out = _swap(pool, head.has(ZERO_FOR_ONE), amount, run.receiver(head, next));
        if (!Lock.isRedeemed()) revert NotTaken(pool);
    }

    // Place of the callback's payload within the call of `swap`: selector, five words, length.
    uint256 private constant PAYLOAD = 0xe0;

    /// @notice Lays out what the pool is to hand back (token, payer) and behind it amount and pool: hashed together
    ///         they are the debt
    function _lay(address token, address payer, uint256 amount, address pool) private pure returns (uint256 debt) {
        assembly ("memory-safe") {
            let m := add(mload(0x40), PAYLOAD)
            mstore(m, token)
            mstore(add(m, 0x20), payer)
            mstore(add(m, 0x40), amount)
            mstore(add(m, 0x60), pool)
            debt := keccak256(m, 0x80)
        }
    }

    /// @dev Expects the payload that `_lay` left. An amount of 2^255 or more would read as exact output; no callback
    ///      can then ask for what was promised.
    function _swap(address pool, bool zeroForOne, uint256 amount, address receiver) private returns (uint256 out) {
        bool done;
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, 0x128acb08) // swap(address,bool,int256,uint160,bytes)
            mstore(add(m, 0x20), receiver)
            mstore(add(m, 0x40), zeroForOne)
            mstore(add(m, 0x60), amount)
            mstore(add(m, 0x80), xor(HIGHEST, mul(xor(LOWEST, HIGHEST), zeroForOne)))
            mstore(add(m, 0xa0), 0xa0)
            mstore(add(m, 0xc0), 0x40)
            if iszero(call(gas(), pool, 0, add(m, 0x1c), 0x104, 0x00, 0x40)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
            out := sub(0, mload(shl(5, zeroForOne)))
            done := and(gt(returndatasize(), 0x3f), sgt(out, 0))
        }
        if (!done) revert BadAnswer(pool);
    }

    /// @notice Pays the pool that calls, if the running swap owes exactly this
    /// @dev    Calldata: selector | int256 | int256 | offset | length | token | payer. Read at fixed places; whatever a
    ///         caller puts elsewhere has no meaning, and whatever it changes here breaks the hash.
    ///      Ends the call where it pays, and returns where this is no such callback.
    function callback() internal {
        bool owed;
        address token;
        address payer;
        uint256 asked;
        assembly ("memory-safe") {
            asked := calldataload(0x04)
            if slt(asked, 1) { asked := calldataload(0x24) }
            let m := mload(0x40)
            calldatacopy(m, 0x84, 0x40)
            mstore(add(m, 0x40), asked)
            mstore(add(m, 0x60), caller())
            // As Lock.resume does, without the jump: every v3 hop pays for this.
            owed := eq(tload(WORD), keccak256(m, 0x80))
            token := mload(m)
            payer := mload(add(m, 0x20))
        }
        if (!owed) return;
        assembly ("memory-safe") {
            tstore(WORD, RUNNING)
        }
        Tokens.move(token, payer, msg.sender, asked);
        assembly ("memory-safe") {
            stop()
        }
    }
}
