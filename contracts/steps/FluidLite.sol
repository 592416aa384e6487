// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {NATIVE, Tokens} from "../Tokens.sol";

/// @notice Fluid DEX Lite: one contract has all pools; it pays first, then pulls its input, or keeps the native coin that came
///         with the call. extra = the pool key's salt 32 B
/// @dev    An amount from 2^255 on would count as one of the output; of such a trade the limit of 0 refuses any input.
library FluidLite {
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address dex = head.target();
        address sold = run.token(head.src());
        address bought = run.token(head.dst());
        address to = run.receiver(head, next);
        bool down = head.has(ZERO_FOR_ONE);
        uint256 value = sold == NATIVE ? amount : 0;
        run.hold(head, amount);
        if (value == 0) Tokens.approve(sold, dex, amount);
        assembly ("memory-safe") {
            let m := mload(0x40)
            // swapSingle((address,address,bytes32),bool,int256,uint256,address,bool,bytes,bytes)
            mstore(m, 0x7fc9d4ad)
            mstore(add(m, sub(0x40, shl(5, down))), sold)
            mstore(add(m, add(0x20, shl(5, down))), bought)
            mstore(add(m, 0x60), calldataload(sub(next, 0x20)))
            mstore(add(m, 0x80), down)
            mstore(add(m, 0xa0), amount)
            mstore(add(m, 0xc0), 0) // no limit
            mstore(add(m, 0xe0), to)
            mstore(add(m, 0x100), 0) // no callback
            // Neither bytes for a callback nor others: both have the length that follows.
            mstore(add(m, 0x120), 0x140)
            mstore(add(m, 0x140), 0x140)
            mstore(add(m, 0x160), 0)
            if iszero(call(gas(), dex, value, add(m, 0x1c), 0x164, 0x00, 0x20)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
            out := mul(mload(0x00), gt(returndatasize(), 0x1f))
        }
        if (value == 0) Tokens.requireUsed(sold, dex);
    }
}
