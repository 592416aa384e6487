// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PartialFill} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Lock} from "../Lock.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";
import {Owed} from "./Owed.sol";

/// @notice iZiSwap: liquidity and limit orders at discrete prices (points), paid in a callback. The direction bit: tokenX is
///         sold. extra = the last point that the swap may use, i24
/// @dev    A pool trades whole units of liquidity, and a limit order whole units of what it sells. The input that is too
///         little for one more of them is not asked for: a few units of a token with many decimals, in nearly every swap.
///         The callback therefore pays the amount of the debt and not what was asked: exactly the amount is sold, and nothing
///         stays in the router. The pool keeps the difference.
library IZiSwap {
    // selector | uint256 | uint256 | offset | length | token | payer | amount
    uint256 internal constant CALLBACK_BYTES = 0xe4;

    uint256 private constant X2Y = 0x857f812f; // swapX2Y(address,uint128,int24,bytes)
    uint256 private constant Y2X = 0x2c481252; // swapY2X(address,uint128,int24,bytes)
    // At most the 2^10th part of the amount goes unasked, rounded down: of amounts of a thousand units and more, what buys
    // nothing is less. A pool that runs out of liquidity leaves more.
    uint256 private constant UNASKED_BITS = 10;

    /// @dev The pool refuses an amount of 2^128 or more when it decodes its arguments. Without a limit, a pool that has run out
    ///      looks through its bitmap to the last point there is, which can cost more gas than a block has.
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address to = run.receiver(head, next);
        bool sellsX = head.has(ZERO_FOR_ONE);
        uint256 m = Owed.commit(run, head, amount);
        assembly ("memory-safe") {
            mstore(add(m, 0x40), xor(Y2X, mul(xor(X2Y, Y2X), sellsX)))
            mstore(add(m, 0x60), to)
            mstore(add(m, 0x80), amount)
            mstore(add(m, 0xa0), signextend(2, shr(8, head)))
            mstore(add(m, 0xc0), 0x80)
            mstore(add(m, 0xe0), 0x60) // token, payer, and in the pool's place the amount
            mstore(add(m, 0x140), amount)
            m := add(m, 0x5c)
        }
        uint256 took;
        (took, out) = Owed.call(head.target(), m, 0x104);
        if (!sellsX) (took, out) = (out, took);
        unchecked {
            // A pool that took more than the amount wraps around and fails too.
            if (amount - took > amount >> UNASKED_BITS) revert PartialFill(head.target(), amount, took);
        }
    }

    /// @notice Pays the pool that calls what the running swap owes it, whatever it asks for
    /// @dev    Calldata: selector | uint256 | uint256 | offset | length | token | payer | amount. Read at fixed places; whatever
    ///         a caller puts elsewhere has no meaning, and whatever it changes here breaks the hash. Ends the call.
    function callback() internal {
        address token;
        address payer;
        uint256 amount;
        uint256 debt;
        assembly ("memory-safe") {
            let m := mload(0x40)
            token := calldataload(0x84)
            payer := calldataload(0xa4)
            amount := calldataload(0xc4)
            mstore(m, token)
            mstore(add(m, 0x20), payer)
            mstore(add(m, 0x40), caller())
            mstore(add(m, 0x60), amount)
            debt := keccak256(m, 0x80)
        }
        Lock.redeem(debt);
        Tokens.move(token, payer, msg.sender, amount);
        assembly ("memory-safe") {
            stop()
        }
    }
}
