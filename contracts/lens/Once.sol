// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A lens for one call, where an endpoint takes no state override: an `eth_call` without a recipient runs this constructor,
/// which makes the lens, calls it and returns by a revert whatever it answers, so that no code is stored or paid for.
contract Once {
    constructor(bytes memory initCode, bytes memory data) {
        assembly ("memory-safe") {
            let lens := create(0, add(initCode, 32), mload(initCode))
            pop(staticcall(gas(), lens, add(data, 32), mload(data), 0, 0))
            returndatacopy(0, 0, returndatasize())
            revert(0, returndatasize())
        }
    }
}
