// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadWrapper} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {NATIVE} from "../Tokens.sol";

/// @notice The wrapped native coin, 1:1. Both sides stay in the router
/// @dev    The wrapper is the wrapped token itself: were it anything else, what was pulled from the caller could stay
///         behind. The sold side of wrapping needs no check: the router has no other native coin than the route's.
library Wrap {
    function swap(Run run, Head head, uint256 amount) internal returns (uint256) {
        head.staysInRouter();
        if (head.has(ZERO_FOR_ONE)) _wrap(run, head, amount);
        else _unwrap(run, head, amount);
        return amount;
    }

    function _wrap(Run run, Head head, uint256 amount) private {
        address wrapper = head.target();
        if (run.token(head.dst()) != wrapper) revert BadWrapper(wrapper);
        assembly ("memory-safe") {
            mstore(0x00, 0xd0e30db0) // deposit()
            if iszero(call(gas(), wrapper, amount, 0x1c, 0x04, 0x00, 0x00)) {
                let m := mload(0x40)
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
        }
    }

    function _unwrap(Run run, Head head, uint256 amount) private {
        address wrapper = head.target();
        if (run.token(head.src()) != wrapper || run.token(head.dst()) != NATIVE) revert BadWrapper(wrapper);
        run.hold(head, amount);
        assembly ("memory-safe") {
            mstore(0x00, 0x2e1a7d4d) // withdraw(uint256)
            mstore(0x20, amount)
            if iszero(call(gas(), wrapper, 0, 0x1c, 0x24, 0x00, 0x00)) {
                let m := mload(0x40)
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
        }
    }
}
