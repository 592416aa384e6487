// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NotTaken} from "../Errors.sol";
import {Head} from "../Head.sol";
import {RUNNING, WORD} from "../Lock.sol";
import {Run} from "../Run.sol";

/// @notice What the steps of Maverick v1 and iZiSwap share: the pool asks for its input in a callback, and answers two words
library Owed {
    /// @notice Commits to the payment that the pool may ask for
    /// @return place Free memory; the debt lies 0x100 bytes behind it: token | payer | pool | amount, hashed as in V3. The
    ///         steps put the pool's call ahead of it, so that the debt's first words are the data of the callback.
    function commit(Run run, Head head, uint256 amount) internal returns (uint256 place) {
        address token = run.token(head.src());
        address payer = run.holder(head.src());
        address pool = head.target();
        assembly ("memory-safe") {
            place := mload(0x40)
            mstore(add(place, 0x100), token)
            mstore(add(place, 0x120), payer)
            mstore(add(place, 0x140), pool)
            mstore(add(place, 0x160), amount)
            tstore(WORD, keccak256(add(place, 0x100), 0x80))
        }
    }

    /// @notice Calls the pool, which must be paid within the call
    /// @param  data Where the call's bytes lie in memory
    function call(address pool, uint256 data, uint256 size) internal returns (uint256 first, uint256 second) {
        bool taken;
        assembly ("memory-safe") {
            if iszero(call(gas(), pool, 0, data, size, 0x00, 0x40)) {
                returndatacopy(data, 0x00, returndatasize())
                revert(data, returndatasize())
            }
            taken := and(gt(returndatasize(), 0x3f), eq(tload(WORD), RUNNING))
            first := mload(0x00)
            second := mload(0x20)
        }
        if (!taken) revert NotTaken(pool);
    }
}
