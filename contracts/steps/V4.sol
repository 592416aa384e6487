// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer, BadDirectPayout, BadRegister, CallbackRefused, NotTaken} from "../Errors.sol";
import {Head, TO_NEXT, TO_RECIPIENT, ZERO_FOR_ONE, readHead} from "../Head.sol";
import {Lock, RUNNING, WORD} from "../Lock.sol";
import {CALL, END, LAST, REGISTERS, Run, TOKENS} from "../Run.sol";
import {V4Manager} from "./V4Manager.sol";

/// @notice Uniswap v4: consecutive steps over one PoolManager run within one unlock, and of each token only what remains
///         of the whole run is paid or taken. extra = fee u24 | tick spacing i24 | hooks 20 B
/// @dev    The debt is the hash of the unlock's payload, so the callback does what the route says or nothing.
///         A step alone has a payload of six words, and the manager's word for what it paid stands, as any pool's does.
///         A run has itself, the token table and the steps for its payload, and leaves the hash of the new registers in
///         the lock: a manager that hands others back is refused. That hash is inverted, so that it can never be
///         redeemed as a debt: four registers are as long as the debt of a v3 pool, and a hostile manager chooses its
///         amounts. A run's debt ends with the inverted manager for the same reason, payloads have all lengths; and
///         twice, since a v3 pool's ends with the pool, which is no inverted address, and an amount, which may be one.
library V4 {
    uint256 private constant KIND = 4;
    uint256 internal constant STEP_BYTES = 54;
    // Place of the payload in the calldata of `unlockCallback(bytes)`: behind selector, offset and length.
    uint256 private constant PAYLOAD = 0x44;
    // sold | bought | payer | receiver | amount | key with the direction in its last bit
    uint256 private constant SINGLE_BYTES = 0xc0;
    uint256 internal constant CALLBACK = 0x91dd7346;

    /// @param  amount what the first step has taken out of its register
    /// @param  next   calldata position behind the first step
    /// @return end    calldata position behind the last of these steps
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 end) {
        if (next < run.end()) {
            Head second = readHead(next);
            if (second.kind() == KIND && second.target() == head.target()) {
                run.putBack(head, amount);
                return _run(run, head, next - STEP_BYTES);
            }
        }
        uint256 out = _single(run, head, amount, next);
        if (!head.has(TO_RECIPIENT)) run.credit(head, out);
        return next;
    }

    function _single(Run run, Head head, uint256 amount, uint256 next) private returns (uint256 out) {
        address manager = head.target();
        lay(run, head, amount, next);
        bool zeroForOne = head.has(ZERO_FOR_ONE);
        assembly ("memory-safe") {
            mstore(CALL, 0x48c89491) // unlock(bytes)
            mstore(add(CALL, 0x40), SINGLE_BYTES)
            mstore(add(CALL, 0x100), or(shl(48, shr(48, calldataload(sub(next, 26)))), zeroForOne))
            mstore(add(CALL, 0x120), manager)
        }
        return enter(manager);
    }

    /// @notice Lays out the first five words of a payload: sold, bought, payer, receiver, amount
    function lay(Run run, Head head, uint256 amount, uint256 next) internal view {
        address receiver = run.receiver(head, next);
        address sold = V4Manager.currencyOf(run.token(head.src()));
        address bought = V4Manager.currencyOf(run.token(head.dst()));
        address payer = run.holder(head.src());
        assembly ("memory-safe") {
            mstore(add(CALL, 0x60), sold)
            mstore(add(CALL, 0x80), bought)
            mstore(add(CALL, 0xa0), payer)
            mstore(add(CALL, 0xc0), receiver)
            mstore(add(CALL, 0xe0), amount)
        }
    }

    /// @notice Calls a function of `bytes` with the payload, whose hash together with the word behind it is the debt
    /// @dev    Selector and size of the payload lie at their places: as arguments they would double this function's code.
    function enter(address manager) internal returns (uint256 out) {
        assembly ("memory-safe") {
            let free := mload(0x40)
            let size := mload(add(CALL, 0x40))
            mstore(add(CALL, 0x20), 0x20)
            tstore(WORD, keccak256(add(CALL, 0x60), add(size, 0x20)))
            if iszero(call(gas(), manager, 0, add(CALL, 0x1c), add(size, 0x44), 0x00, 0x60)) {
                returndatacopy(0x00, 0x00, returndatasize())
                revert(0x00, returndatasize())
            }
            // The answer lies over the free pointer, which is put back.
            out := mul(mload(0x40), gt(returndatasize(), 0x5f))
            mstore(0x40, free)
        }
        if (!Lock.isRedeemed()) revert NotTaken(manager);
    }

    function _run(Run run, Head head, uint256 first) private returns (uint256 next) {
        address manager = head.target();
        next = _scan(run, head, first);
        uint256 registerBytes;
        bool done;
        assembly ("memory-safe") {
            let count := add(mload(add(run, LAST)), 1)
            registerBytes := shl(5, count)
            let m := mload(0x40)
            mstore(m, 0x48c89491) // unlock(bytes)
            mstore(add(m, 0x20), 0x20)
            let payload := add(m, 0x60)
            let size := add(REGISTERS, registerBytes)
            mcopy(payload, run, size)
            let tableBytes := mul(count, 20)
            calldatacopy(add(payload, size), mload(add(run, TOKENS)), tableBytes)
            size := add(size, tableBytes)
            calldatacopy(add(payload, size), first, sub(next, first))
            size := add(size, sub(next, first))
            mstore(add(m, 0x40), size)
            mstore(add(payload, size), not(manager))
            mstore(add(payload, add(size, 0x20)), not(manager))
            tstore(WORD, keccak256(payload, add(size, 0x40)))
            if iszero(call(gas(), manager, 0, add(m, 0x1c), add(size, 0x44), 0x00, 0x00)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
            done := iszero(lt(returndatasize(), add(0x40, registerBytes)))
        }
        if (!done) revert BadAnswer(manager);
        uint256 result;
        assembly ("memory-safe") {
            let registers := add(run, REGISTERS)
            returndatacopy(registers, 0x40, registerBytes)
            result := not(keccak256(registers, registerBytes))
        }
        if (!Lock.resume(result)) revert NotTaken(manager);
    }

    /// @dev Finds the end of the run of steps, and checks what the main loop checks of a step.
    function _scan(Run run, Head head, uint256 first) private view returns (uint256 next) {
        address manager = head.target();
        uint256 end = run.end();
        next = first;
        do {
            uint256 last = run.last();
            if (head.src() > last || head.dst() > last || head.dst() == 0) {
                revert BadRegister(head.src(), head.dst(), last);
            }
            if (head.has(TO_NEXT)) revert BadDirectPayout(head.dst());
            if (head.has(TO_RECIPIENT)) run.receiver(head, next);
            next += STEP_BYTES;
            head = readHead(next);
        } while (next < end && head.kind() == KIND && head.target() == manager);
    }

    /// @dev Ends the call: what is returned is the payload's answer, as `bytes`.
    function callback() internal {
        uint256 size;
        assembly ("memory-safe") {
            size := calldataload(0x24)
        }
        if (size == SINGLE_BYTES) _singleCallback(size);
        else _runCallback();
    }

    function _singleCallback(uint256 size) private {
        redeem(size, uint160(msg.sender));
        uint256 amount = word(0x80);
        settle(amount, V4Manager.swap(address(uint160(word(0x00))), address(uint160(word(0x20))), word(0xa0), amount));
    }

    /// @notice Uses up the debt of a payload and the word behind it
    function redeem(uint256 size, uint256 last) internal {
        bool owed;
        assembly ("memory-safe") {
            let m := mload(0x40)
            calldatacopy(m, PAYLOAD, size)
            mstore(add(m, size), last)
            owed := eq(tload(WORD), keccak256(m, add(size, 0x20)))
            tstore(WORD, RUNNING)
        }
        if (!owed) revert CallbackRefused(msg.sender, msg.sig);
    }

    /// @notice Pays what was sold, takes what was bought as the payload says, and ends the call
    function settle(uint256 amount, uint256 out) internal {
        V4Manager.pay(address(uint160(word(0x00))), address(uint160(word(0x40))), amount);
        V4Manager.take(address(uint160(word(0x20))), address(uint160(word(0x60))), out);
        assembly ("memory-safe") {
            mstore(0x00, 0x20)
            mstore(0x20, 0x20)
            mstore(0x40, out)
            return(0x00, 0x60)
        }
    }

    /// @notice A word of the payload
    function word(uint256 offset) internal pure returns (uint256 found) {
        assembly ("memory-safe") {
            found := calldataload(add(PAYLOAD, offset))
        }
    }

    function _runCallback() private {
        Run run;
        uint256 debt;
        assembly ("memory-safe") {
            run := mload(0x40)
            let size := calldataload(0x24)
            calldatacopy(run, PAYLOAD, size)
            mstore(add(run, size), not(caller()))
            mstore(add(run, add(size, 0x20)), not(caller()))
            debt := keccak256(run, add(size, 0x40))
        }
        Lock.redeem(debt);
        uint256 cursor;
        assembly ("memory-safe") {
            let count := add(mload(add(run, LAST)), 1)
            let runBytes := add(REGISTERS, shl(5, count))
            mstore(0x40, add(run, runBytes))
            mstore(add(run, TOKENS), add(PAYLOAD, runBytes))
            mstore(add(run, END), add(PAYLOAD, calldataload(0x24)))
            cursor := add(add(PAYLOAD, runBytes), mul(count, 20))
        }
        uint256 direct = _swaps(run, cursor);
        _settle(run, direct);
        assembly ("memory-safe") {
            let m := sub(add(run, REGISTERS), 0x40)
            let registerBytes := shl(5, add(mload(add(run, LAST)), 1))
            mstore(m, 0x20)
            mstore(add(m, 0x20), registerBytes)
            tstore(WORD, not(keccak256(add(m, 0x40), registerBytes)))
            return(m, add(0x40, registerBytes))
        }
    }

    /// @return direct what the recipient is to get of the token bought straight from the manager
    function _swaps(Run run, uint256 cursor) private returns (uint256 direct) {
        uint256 end = run.end();
        while (cursor < end) {
            Head head = readHead(cursor);
            uint256 key;
            bool zeroForOne = head.has(ZERO_FOR_ONE);
            assembly ("memory-safe") {
                key := or(shl(48, shr(48, calldataload(add(cursor, 28)))), zeroForOne)
            }
            uint256 amount = run.take(head);
            uint256 out = V4Manager.swap(
                V4Manager.currencyOf(run.token(head.src())), V4Manager.currencyOf(run.token(head.dst())), key, amount
            );
            if (head.has(TO_RECIPIENT)) direct += out;
            else run.credit(head, out);
            cursor += STEP_BYTES;
        }
    }

    /// @dev Compares the registers with what they were, as the payload still says.
    function _settle(Run run, uint256 direct) private {
        uint256 last = run.last();
        for (uint256 index = 0; index <= last; ++index) {
            uint256 before;
            assembly ("memory-safe") {
                before := calldataload(add(add(PAYLOAD, REGISTERS), shl(5, index)))
            }
            uint256 left = run.left(index);
            address currency = V4Manager.currencyOf(run.token(index));
            if (left < before) V4Manager.pay(currency, run.holder(index), before - left);
            else if (left > before) V4Manager.take(currency, address(this), left - before);
        }
        if (direct != 0) V4Manager.take(V4Manager.currencyOf(run.token(last)), run.recipient(), direct);
    }
}
