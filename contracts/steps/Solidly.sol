// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Head, PREFUNDED, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

interface ISolidlyPair {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

/// @notice Solidly and its heirs (Velodrome, Aerodrome …), volatile and stable: the pair prices itself
library Solidly {
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        ISolidlyPair pair = ISolidlyPair(head.target());
        address sold = run.token(head.src());
        out = pair.getAmountOut(amount, sold);
        if (!head.has(PREFUNDED)) Tokens.move(sold, run.holder(head.src()), address(pair), amount);
        bool zeroForOne = head.has(ZERO_FOR_ONE);
        sell(address(pair), zeroForOne, out, run.receiver(head, next));
    }

    /// @notice Asks a pair that has been paid for its output
    /// @dev    In free memory, while V2 uses its fixed place: were both the same, the compiler would make V2 call this one.
    function sell(address pair, bool zeroForOne, uint256 out, address to) internal {
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, 0x022c0d9f) // swap(uint256,uint256,address,bytes)
            let flip := shl(5, zeroForOne)
            mstore(add(m, add(0x20, flip)), out)
            mstore(add(m, sub(0x40, flip)), 0)
            mstore(add(m, 0x60), to)
            mstore(add(m, 0x80), 0x80)
            mstore(add(m, 0xa0), 0)
            if iszero(call(gas(), pair, 0, add(m, 0x1c), 0xa4, 0x00, 0x00)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
        }
    }
}
