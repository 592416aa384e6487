// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer} from "../Errors.sol";
import {Head, PREFUNDED, ZERO_FOR_ONE} from "../Head.sol";
import {CALL, Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

/// @notice Constant-product pairs with the interface of Uniswap v2. extra = fee u24, parts per million
library V2 {
    uint256 private constant PPM = 1e6;

    /// @dev The pair checks its own product, so a wrong fee or a lying `getReserves` can only make it refuse, or pay
    ///      less than it could; the minimum of the whole swap judges that.
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address pair = head.target();
        if (!head.has(PREFUNDED)) Tokens.move(run.token(head.src()), run.holder(head.src()), pair, amount);
        (uint256 reserveIn, uint256 reserveOut) = _reserves(pair, head.has(ZERO_FOR_ONE));
        out = quote(amount, reserveIn, reserveOut, (Head.unwrap(head) >> 8) & 0xffffff);
        _swap(pair, head.has(ZERO_FOR_ONE), out, run.receiver(head, next));
    }

    /// @notice floor(in·(1-f)·reserveOut / (reserveIn + in·(1-f))), as the pair allows at most
    /// @dev    Rounds down, in the pair's favour. Unchecked: an amount that overflows here is far above what a
    ///         uint112 reserve can take, and the pair refuses it.
    function quote(uint256 amount, uint256 reserveIn, uint256 reserveOut, uint256 feePpm)
        internal
        pure
        returns (uint256 out)
    {
        unchecked {
            uint256 afterFee = amount * (PPM - feePpm);
            uint256 divisor = reserveIn * PPM + afterFee;
            assembly ("memory-safe") {
                out := div(mul(afterFee, reserveOut), divisor)
            }
        }
    }

    function _reserves(address pair, bool zeroForOne) private view returns (uint256 reserveIn, uint256 reserveOut) {
        bool done;
        assembly ("memory-safe") {
            mstore(0x00, 0x0902f1ac) // getReserves()
            done := staticcall(gas(), pair, 0x1c, 0x04, 0x00, 0x40)
            done := and(done, gt(returndatasize(), 0x3f))
            let flip := shl(5, zeroForOne)
            reserveIn := mload(sub(0x20, flip))
            reserveOut := mload(flip)
        }
        if (!done) revert BadAnswer(pair);
    }

    function _swap(address pair, bool zeroForOne, uint256 out, address to) private {
        assembly ("memory-safe") {
            mstore(CALL, 0x022c0d9f) // swap(uint256,uint256,address,bytes)
            let flip := shl(5, zeroForOne)
            mstore(add(CALL, add(0x20, flip)), out)
            mstore(add(CALL, sub(0x40, flip)), 0)
            mstore(add(CALL, 0x60), to)
            mstore(add(CALL, 0x80), 0x80)
            mstore(add(CALL, 0xa0), 0)
            if iszero(call(gas(), pair, 0, add(CALL, 0x1c), 0xa4, 0x00, 0x00)) {
                returndatacopy(0x00, 0x00, returndatasize())
                revert(0x00, returndatasize())
            }
        }
    }
}
