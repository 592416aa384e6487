// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer, PartialFill} from "../Errors.sol";
import {NATIVE, Tokens} from "../Tokens.sol";

/// @notice Calls of Uniswap v4's manager from within its unlock, when it is the caller
library V4Manager {
    uint160 internal constant LOWEST = 4295128740;
    uint160 internal constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    /// @dev Currencies are ordered by the direction bit; a route that lies about it names a pool that does not exist.
    /// @param key fee u24 | tick spacing i24 | hooks 20 B | 47 bits of nothing | zero for one
    function swap(address sold, address bought, uint256 key, uint256 amount) internal returns (uint256 out) {
        assembly ("memory-safe") {
            let m := mload(0x40)
            let zeroForOne := and(key, 1)
            let flip := shl(5, zeroForOne)
            mstore(m, 0xf3cd914c) // swap(PoolKey,SwapParams,bytes)
            mstore(add(m, sub(0x40, flip)), sold)
            mstore(add(m, add(0x20, flip)), bought)
            mstore(add(m, 0x60), shr(232, key)) // fee
            mstore(add(m, 0x80), sar(232, shl(24, key))) // tick spacing
            mstore(add(m, 0xa0), shr(96, shl(48, key))) // hooks
            mstore(add(m, 0xc0), zeroForOne)
            mstore(add(m, 0xe0), sub(0, amount)) // negative: exact input
            mstore(add(m, 0x100), xor(HIGHEST, mul(xor(LOWEST, HIGHEST), zeroForOne)))
            mstore(add(m, 0x120), 0x120)
            mstore(add(m, 0x140), 0)
        }
        return trade(msg.sender, key, amount);
    }

    /// @notice Makes the call of a manager's `swap` that lies behind the free pointer, and reads both amounts in its answer
    /// @dev    A word longer than v4's, whose managers read as far as they need.
    /// @param  key with the direction in its last bit
    function trade(address manager, uint256 key, uint256 amount) internal returns (uint256 out) {
        uint256 took;
        assembly ("memory-safe") {
            let m := mload(0x40)
            if iszero(call(gas(), manager, 0, add(m, 0x1c), 0x164, 0x00, 0x20)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
            let delta := mload(0x00)
            if lt(returndatasize(), 0x20) { delta := 0 }
            let delta0 := sar(128, delta)
            let delta1 := signextend(15, delta)
            let swapped := mul(xor(delta0, delta1), and(key, 1))
            out := xor(delta0, swapped)
            took := sub(0, xor(delta1, swapped))
        }
        if (took != amount) revert PartialFill(manager, amount, took);
        if (int256(out) <= 0) revert BadAnswer(manager);
    }

    function pay(address currency, address from, uint256 amount) internal {
        assembly ("memory-safe") {
            mstore(0x00, 0xa5841194) // sync(address)
            mstore(0x20, currency)
            if iszero(call(gas(), caller(), 0, 0x1c, 0x24, 0x00, 0x00)) { revert(0x00, 0x00) }
        }
        uint256 value = amount;
        if (currency != address(0)) {
            value = 0;
            Tokens.move(currency, from, msg.sender, amount);
        }
        assembly ("memory-safe") {
            mstore(0x00, 0x11da60b4) // settle()
            if iszero(call(gas(), caller(), value, 0x1c, 0x04, 0x00, 0x00)) {
                let m := mload(0x40)
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
        }
    }

    function take(address currency, address to, uint256 amount) internal {
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, 0x0b0d9c09) // take(address,address,uint256)
            mstore(add(m, 0x20), currency)
            mstore(add(m, 0x40), to)
            mstore(add(m, 0x60), amount)
            if iszero(call(gas(), caller(), 0, add(m, 0x1c), 0x64, 0x00, 0x00)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
        }
    }

    /// @dev The native coin is the zero address there.
    function currencyOf(address token) internal pure returns (address currency) {
        assembly ("memory-safe") {
            currency := mul(token, iszero(eq(token, NATIVE)))
        }
    }
}
