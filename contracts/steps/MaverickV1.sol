// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {Owed} from "./Owed.sol";

/// @notice Maverick v1: asks for its input in a callback laid out as Uniswap v3's, (to pay, bought, data), which V3 answers
library MaverickV1 {
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address to = run.receiver(head, next);
        bool sellsA = head.has(ZERO_FOR_ONE);
        uint256 m = Owed.commit(run, head, amount);
        assembly ("memory-safe") {
            mstore(m, 0xc51c9029) // swap(address,uint256,bool,bool,uint256,bytes)
            mstore(add(m, 0x20), to)
            mstore(add(m, 0x40), amount)
            mstore(add(m, 0x60), sellsA)
            mstore(add(m, 0x80), 0) // an exact input
            mstore(add(m, 0xa0), 0) // no limit
            mstore(add(m, 0xc0), 0xc0)
            mstore(add(m, 0xe0), 0x40) // token, payer
            m := add(m, 0x1c)
        }
        (, out) = Owed.call(head.target(), m, 0x124);
    }
}
