// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CallbackRefused, Reentered} from "./Errors.sol";

/// @notice One transient word that is both the router's lock and the payment that it owes
/// @dev    0: no swap runs. 1: a swap runs, nothing is owed. Else: the hash of the one payment that the pool now
///         being called may ask for. One word instead of two saves 200 gas and leaves no state in which a debt
///         outlives the lock.
library Lock {
    uint256 private constant WORD = 0;
    uint256 private constant OPEN = 0;
    uint256 private constant RUNNING = 1;

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
    function redeem(uint256 debt, uint256 asked) internal {
        if (_read() != debt) revert CallbackRefused(msg.sender, asked);
        _write(RUNNING);
    }

    function isRedeemed() internal view returns (bool) {
        return _read() == RUNNING;
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
