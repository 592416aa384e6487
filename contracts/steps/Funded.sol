// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BadAnswer, NotTaken} from "../Errors.sol";
import {Head, PREFUNDED, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

interface IWooPool {
    function swap(address from, address to, uint256 amount, uint256 minOut, address receiver, address rebateTo)
        external
        returns (uint256);
}

/// @notice Pools that sell what they were sent: Trader Joe's Liquidity Book, WooFi v2, Maverick v2
library Funded {
    /// @dev Two answers bear one selector: version 2.0 answers X and Y in a word each, 2.1 and later both in one, Y above
    ///      X. How much was answered tells them apart.
    function swapLiquidityBook(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        _fund(run, head, amount);
        address pair = head.target();
        address to = run.receiver(head, next);
        bool forY = head.has(ZERO_FOR_ONE);
        bool answered;
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, 0x53c059a0) // swap(bool,address)
            mstore(add(m, 0x20), forY)
            mstore(add(m, 0x40), to)
            if iszero(call(gas(), pair, 0, add(m, 0x1c), 0x44, 0x00, 0x40)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
            answered := gt(returndatasize(), 0x1f)
            switch gt(returndatasize(), 0x3f)
            case 0 { out := and(shr(shl(7, forY), mload(0x00)), 0xffffffffffffffffffffffffffffffff) }
            default { out := mload(shl(5, forY)) }
        }
        if (!answered) revert BadAnswer(pair);
    }

    function swapWooFi(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256) {
        _fund(run, head, amount);
        return IWooPool(head.target()).swap(
            run.token(head.src()), run.token(head.dst()), amount, 0, run.receiver(head, next), address(0)
        );
    }

    /// @notice extra = the last tick that the swap may use, i32
    /// @dev    Without a limit, a pool that has run out looks for liquidity until the gas is used up. At the limit it takes a part;
    ///         whoever calls it next could sell the rest. No data: it asks for nothing, and sells what has come since its last call.
    function swapMaverick(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        _fund(run, head, amount);
        address pool = head.target();
        address to = run.receiver(head, next);
        bool sellsA = head.has(ZERO_FOR_ONE);
        bool taken;
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, 0x3eece7db) // swap(address,(uint256,bool,bool,int32),bytes)
            mstore(add(m, 0x20), to)
            mstore(add(m, 0x40), amount)
            mstore(add(m, 0x60), sellsA)
            mstore(add(m, 0x80), 0) // an exact input
            mstore(add(m, 0xa0), signextend(3, head))
            mstore(add(m, 0xc0), 0xc0)
            mstore(add(m, 0xe0), 0) // no data
            if iszero(call(gas(), pool, 0, add(m, 0x1c), 0xe4, 0x00, 0x40)) {
                returndatacopy(m, 0x00, returndatasize())
                revert(m, returndatasize())
            }
            taken := and(eq(mload(0x00), amount), lt(0x3f, returndatasize()))
            out := mload(0x20)
        }
        if (!taken) revert NotTaken(pool);
    }

    function _fund(Run run, Head head, uint256 amount) private {
        if (head.has(PREFUNDED)) return;
        Tokens.move(run.token(head.src()), run.holder(head.src()), head.target(), amount);
    }
}
