// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer, NativeRefused, NotTaken, TransferFailed} from "./Errors.sol";

// The native coin in token tables.
address constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

/// @notice Moves tokens, whatever their habits: `true`, nothing at all, or a revert
/// @dev    A token's own revert reason is passed on. Scratch memory only; the free pointer does not move.
library Tokens {
    /// @notice Moves tokens of `from`, who is the router itself or has approved it
    function move(address token, address from, address to, uint256 amount) internal {
        bool done;
        bool usual;
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(add(m, 0x40), to)
            mstore(add(m, 0x60), amount)
            switch eq(from, address())
            case 0 {
                mstore(m, 0x23b872dd) // transferFrom(address,address,uint256)
                mstore(add(m, 0x20), from)
                done := call(gas(), token, 0, add(m, 0x1c), 0x64, 0x00, 0x20)
            }
            default {
                mstore(add(m, 0x20), 0xa9059cbb) // transfer(address,uint256)
                done := call(gas(), token, 0, add(m, 0x3c), 0x44, 0x00, 0x20)
            }
            usual := and(and(eq(mload(0x00), 1), gt(returndatasize(), 0x1f)), done)
        }
        if (!usual) judge(done, token, to, amount);
    }

    /// @notice Pays out of the router, in a token of the table, native or not
    function pay(address token, address to, uint256 amount) internal {
        if (token == NATIVE) sendNative(to, amount);
        else move(token, address(this), to, amount);
    }

    /// @notice Sends the native coin with all gas, so that contract wallets can receive it
    function sendNative(address to, uint256 amount) internal {
        bool done;
        assembly ("memory-safe") {
            done := call(gas(), to, amount, 0x00, 0x00, 0x00, 0x00)
        }
        if (!done) revert NativeRefused(to, amount);
    }

    /// @notice A balance in a token of the table, native or not
    function balance(address token, address account) internal view returns (uint256 held) {
        bool done;
        assembly ("memory-safe") {
            switch eq(token, NATIVE)
            case 0 {
                mstore(0x00, 0x70a08231) // balanceOf(address)
                mstore(0x20, account)
                done := and(gt(returndatasize(), 0x1f), staticcall(gas(), token, 0x1c, 0x24, 0x00, 0x20))
                held := mload(0x00)
            }
            default {
                held := balance(account)
                done := 1
            }
        }
        if (!done) revert BadAnswer(token);
    }

    /// @notice Lets a pool that pulls its input have exactly that
    function approve(address token, address spender, uint256 amount) internal {
        bool done;
        bool usual;
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, 0x095ea7b3) // approve(address,uint256)
            mstore(add(m, 0x20), spender)
            mstore(add(m, 0x40), amount)
            done := call(gas(), token, 0, add(m, 0x1c), 0x44, 0x00, 0x20)
            usual := and(and(eq(mload(0x00), 1), gt(returndatasize(), 0x1f)), done)
        }
        if (!usual) judge(done, token, spender, amount);
    }

    /// @notice Refuses a pool that has not pulled all of its input: no allowance of the router outlives its step
    function requireUsed(address token, address spender) internal view {
        bool done;
        uint256 rest;
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, 0xdd62ed3e) // allowance(address,address)
            mstore(add(m, 0x20), address())
            mstore(add(m, 0x40), spender)
            done := and(gt(returndatasize(), 0x1f), staticcall(gas(), token, add(m, 0x1c), 0x44, 0x00, 0x20))
            rest := mload(0x00)
        }
        if (!done) revert BadAnswer(token);
        if (rest != 0) revert NotTaken(spender);
    }

    /// @notice Accepts or refuses what a token answered
    /// @dev    Whatever is not a plain `true`: a revert with or without a reason, nothing at all, `false`, too few bytes.
    ///         An answer of nothing counts only from code.
    function judge(bool done, address token, address to, uint256 amount) internal view {
        bool fine;
        assembly ("memory-safe") {
            if iszero(done) {
                if returndatasize() {
                    let m := mload(0x40)
                    returndatacopy(m, 0x00, returndatasize())
                    revert(m, returndatasize())
                }
            }
            fine := and(and(done, iszero(returndatasize())), gt(extcodesize(token), 0))
        }
        if (!fine) revert TransferFailed(token, to, amount);
    }
}
