// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {CALL, Run} from "../Run.sol";
import {V4} from "./V4.sol";
import {V4Manager} from "./V4Manager.sol";

/// @notice PancakeSwap Infinity: one Vault holds the tokens, and each kind of pool has a manager. The router locks the Vault
///         that the manager names, swaps at the manager in the Vault's callback, and settles with the Vault by the calls of
///         Uniswap v4's manager. extra = hooks 20 B | fee u24 | pool u8 (0: ticks, else bins) | parameters u40
/// @dev    The debt is the hash of the lock's payload and of the Vault, so nobody else is paid. Manager and Vault may both be
///         hostile, together or not: whoever calls back gets what the step sells, once, and no more.
///         The Vault is inverted in it: the debt is as long as Balancer v3's, which ends with a word of that design.
library Infinity {
    uint256 internal constant CALLBACK = 0xab6291fe; // lockAcquired(bytes)
    // sold | bought | payer | receiver | amount | manager | extra with the direction in its last bit
    uint256 private constant PAYLOAD_BYTES = 0xe0;

    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256) {
        address manager = head.target();
        V4.lay(run, head, amount, next);
        bool zeroForOne = head.has(ZERO_FOR_ONE);
        address vault;
        bool done;
        assembly ("memory-safe") {
            mstore(0x00, 0xfbfa77cf) // vault()
            done := staticcall(gas(), manager, 0x1c, 0x04, 0x00, 0x20)
            done := and(done, gt(returndatasize(), 0x1f))
            vault := shr(96, shl(96, mload(0x00)))
            mstore(CALL, 0x81548319) // lock(bytes)
            mstore(add(CALL, 0x40), PAYLOAD_BYTES)
            mstore(add(CALL, 0x100), manager)
            mstore(add(CALL, 0x120), or(shl(24, shr(24, calldataload(sub(next, 29)))), zeroForOne))
            mstore(add(CALL, 0x140), not(vault))
        }
        if (!done) revert BadAnswer(manager);
        return V4.enter(vault);
    }

    /// @dev Ends the call: what is returned is what was bought, as `bytes`. A payload of another length is no debt of this
    ///      design's.
    function callback() internal {
        uint256 size;
        assembly ("memory-safe") {
            size := calldataload(0x24)
        }
        if (size != PAYLOAD_BYTES) return;
        V4.redeem(size, ~uint256(uint160(msg.sender)));
        uint256 amount = V4.word(0x80);
        V4.settle(amount, _swap(amount));
    }

    /// @dev Currencies are ordered by the direction bit; a route that lies about it names a pool that does not exist.
    ///      The call ends with empty bytes: a word that is zero, since this call's memory was not written to so far up.
    function _swap(uint256 amount) private returns (uint256) {
        address manager = address(uint160(V4.word(0xa0)));
        uint256 sold = V4.word(0x00);
        uint256 bought = V4.word(0x20);
        uint256 key = V4.word(0xc0);
        uint256 lowest = V4Manager.LOWEST;
        uint256 highest = V4Manager.HIGHEST;
        assembly ("memory-safe") {
            let m := mload(0x40)
            let zeroForOne := and(key, 1)
            let flip := shl(5, zeroForOne)
            mstore(add(m, sub(0x40, flip)), sold)
            mstore(add(m, add(0x20, flip)), bought)
            mstore(add(m, 0x60), shr(96, key)) // hooks
            mstore(add(m, 0x80), manager)
            mstore(add(m, 0xa0), and(shr(72, key), 0xffffff)) // fee
            mstore(add(m, 0xc0), and(shr(24, key), 0xffffffffff)) // parameters
            mstore(add(m, 0xe0), zeroForOne)
            mstore(add(m, 0x100), sub(0, amount)) // negative: exact input
            switch byte(23, key)
            case 0 {
                mstore(m, 0xcd0cc1ce) // swap(PoolKey,SwapParams,bytes)
                mstore(add(m, 0x120), xor(highest, mul(xor(lowest, highest), zeroForOne)))
                mstore(add(m, 0x140), 0x140)
            }
            default {
                mstore(m, 0x911a63b7) // swap(PoolKey,bool,int128,bytes), which ends a word earlier
                mstore(add(m, 0x120), 0x120)
            }
        }
        return V4Manager.trade(manager, key, amount);
    }
}
