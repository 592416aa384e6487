// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CallbackRefused, Reentered} from "./Errors.sol";

// Where the word lies, and two of its values.
uint256 constant WORD = 0;
uint256 constant OPEN = 0;
uint256 constant RUNNING = 1;

/// @notice One transient word that is both the router's lock and the payment that it owes
/// @dev    0: no swap runs. 1: a swap runs, nothing is owed. Else: the hash of the one payment that the pool now
///         being called may ask for. One word instead of two saves 200 gas and leaves no state in which a debt
///         outlives the lock.
library Lock {
    function close() internal {
        if (_read() != OPEN) revert Reentered();
        _write(RUNNING);
    }

    function open() internal {
        _write(OPEN);
    }

    function isOpen() internal view returns (bool) {
        return _read() == OPEN;
    }

    /// @param debt a hash over everything about the payment: token, payer, amount, pool
    function commit(uint256 debt) internal {
        _write(debt);
    }

    /// @notice Uses up the debt; a debt is paid once
    function redeem(uint256 debt) internal {
        if (!resume(debt)) revert CallbackRefused(msg.sender, msg.sig);
    }

    function isRedeemed() internal view returns (bool) {
        return _read() == RUNNING;
    }

    /// @notice Uses up a debt, or goes on after a callback that left the hash of its result here
    /// @return whether it was this one
    function resume(uint256 result) internal returns (bool) {
        if (_read() != result) return false;
        _write(RUNNING);
        return true;
    }

    function _read() private view returns (uint256 word) {
        assembly ("memory-safe") {
            word := tload(WORD)
        }
    }

    function _write(uint256 word) private {
        assembly ("memory-safe") {
            tstore(WORD, word)
        }
    }
}
