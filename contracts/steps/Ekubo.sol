// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer, NotTaken, PartialFill} from "../Errors.sol";
import {Head} from "../Head.sol";
import {Lock, WORD} from "../Lock.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";
import {V4Manager} from "./V4Manager.sol";

/// @notice Ekubo: the core calls back with the very bytes that it was locked with. extra = the pool key's config 32 B
/// @dev    The payload: sold | bought | payer | receiver | amount | config; the native coin is the zero address. The key's
///         tokens ascend, so they tell the direction.
library Ekubo {
    // The core calls back by the selector 0, with the number of its lock before the payload.
    uint256 internal constant CALLBACK = 0;
    uint256 private constant PAYLOAD = 0x24;
    uint256 private constant PAYLOAD_BYTES = 0xc0;
    // The design's own word, which ends its debts: Balancer v3's have as many words, and end with another.
    uint256 private constant KIND = 21;
    uint256 private constant LOWEST = 4611797791050542631 << 160;
    uint256 private constant HIGHEST = 79227682466138141934206691491 << 160;
    // As `skipAhead`: the search for the next tick does not stop at the ends of bitmap words.
    uint256 private constant FAR = 0x7fffffff;

    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address core = head.target();
        address sold = V4Manager.currencyOf(run.token(head.src()));
        address bought = V4Manager.currencyOf(run.token(head.dst()));
        address payer = run.holder(head.src());
        address receiver = run.receiver(head, next);
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, 0xf83d08ba) // lock()
            let payload := add(m, 0x20)
            mstore(payload, sold)
            mstore(add(payload, 0x20), bought)
            mstore(add(payload, 0x40), payer)
            mstore(add(payload, 0x60), receiver)
            mstore(add(payload, 0x80), amount)
            mstore(add(payload, 0xa0), calldataload(sub(next, 0x20)))
            mstore(add(payload, 0xc0), core)
            mstore(add(payload, 0xe0), KIND)
            tstore(WORD, keccak256(payload, 0x100))
            if iszero(call(gas(), core, 0, add(m, 0x1c), add(PAYLOAD_BYTES, 0x04), 0x00, 0x20)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
            out := mul(mload(0x00), gt(returndatasize(), 0x1f))
        }
        if (!Lock.isRedeemed()) revert NotTaken(core);
    }

    /// @dev Ends the call: what is returned is what was bought.
    function callback() internal {
        uint256 debt;
        assembly ("memory-safe") {
            let m := mload(0x40)
            calldatacopy(m, PAYLOAD, PAYLOAD_BYTES)
            mstore(add(m, 0xc0), caller())
            mstore(add(m, 0xe0), KIND)
            debt := keccak256(m, 0x100)
        }
        Lock.redeem(debt);
        uint256 out = _trade();
        _pay();
        assembly ("memory-safe") {
            let m := mload(0x40)
            // withdraw(): token 20 B | receiver 20 B | amount 16 B
            mstore(m, shl(224, 0x3ccfd60b))
            mstore(add(m, 0x04), shl(96, calldataload(add(PAYLOAD, 0x20))))
            mstore(add(m, 0x18), shl(96, calldataload(add(PAYLOAD, 0x60))))
            mstore(add(m, 0x2c), shl(128, out))
            if iszero(call(gas(), caller(), 0, m, 0x3c, 0x00, 0x00)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
            mstore(0x00, out)
            return(0x00, 0x20)
        }
    }

    function _trade() private returns (uint256 out) {
        uint256 amount;
        uint256 took;
        assembly ("memory-safe") {
            let m := mload(0x40)
            let sold := calldataload(PAYLOAD)
            let bought := calldataload(add(PAYLOAD, 0x20))
            amount := calldataload(add(PAYLOAD, 0x80))
            let falls := lt(sold, bought)
            // The swap's selector is 0.
            mstore(m, 0)
            mstore(add(m, sub(0x40, shl(5, falls))), sold)
            mstore(add(m, add(0x20, shl(5, falls))), bought)
            mstore(add(m, 0x60), calldataload(add(PAYLOAD, 0xa0)))
            // price limit u96 | amount i128 | whether it is of token1, 1 bit | skipAhead u31
            let limit := xor(HIGHEST, mul(xor(LOWEST, HIGHEST), falls))
            mstore(add(m, 0x80), or(or(limit, shl(32, amount)), or(shl(31, iszero(falls)), FAR)))
            if iszero(call(gas(), caller(), 0, add(m, 0x1c), 0x84, 0x00, 0x20)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
            // Nothing was written there in this call, so an answer of nothing is one of 0.
            let delta := mload(0x00)
            // Token 0's change is the upper half.
            took := sar(128, shl(shl(7, iszero(falls)), delta))
            out := sub(0, sar(128, shl(shl(7, falls), delta)))
        }
        if (took != amount) revert PartialFill(msg.sender, amount, took);
        if (int256(out) <= 0) revert BadAnswer(msg.sender);
    }

    /// @dev Of a token the core measures what arrives between its two calls; of the native coin it takes what is sent.
    function _pay() private {
        address sold;
        address payer;
        uint256 amount;
        assembly ("memory-safe") {
            sold := calldataload(PAYLOAD)
            payer := calldataload(add(PAYLOAD, 0x40))
            amount := calldataload(add(PAYLOAD, 0x80))
        }
        if (sold == address(0)) return Tokens.sendNative(msg.sender, amount);
        _payments(0xf9b6a796, sold); // startPayments()
        Tokens.move(sold, payer, msg.sender, amount);
        _payments(0x12e103f1, sold); // completePayments()
    }

    /// @dev Should one fail, the debt stays, and the core refuses at the end of its lock.
    function _payments(uint256 selector, address token) private {
        assembly ("memory-safe") {
            mstore(0x00, selector)
            mstore(0x20, token)
            pop(call(gas(), caller(), 0, 0x1c, 0x24, 0x00, 0x00))
        }
    }
}
