// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadWrapper} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {NATIVE} from "../Tokens.sol";

/// @notice The wrapped native coin, 1:1. Both sides stay in the router
library Wrap {
    /// @dev The wrapper is the token itself: were it anything else, what was pulled from the caller could stay behind.
    function swap(Run run, Head head, uint256 amount) internal returns (uint256) {
        address wrapper = head.target();
        bool wraps = head.has(ZERO_FOR_ONE);
        (uint256 coin, uint256 token) = wraps ? (head.src(), head.dst()) : (head.dst(), head.src());
        if (run.token(coin) != NATIVE || run.token(token) != wrapper) revert BadWrapper(wrapper);
        head.staysInRouter();
        if (!wraps) run.hold(head, amount);
        assembly ("memory-safe") {
            let m := mload(0x40)
            let value := 0
            let size := 0x24
            mstore(m, 0x2e1a7d4d) // withdraw(uint256)
            mstore(add(m, 0x20), amount)
            if wraps {
                mstore(m, 0xd0e30db0) // deposit()
                value := amount
                size := 0x04
            }
            if iszero(call(gas(), wrapper, value, add(m, 0x1c), size, 0x00, 0x00)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
        }
        return amount;
    }
}
