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
        pair.swap(zeroForOne ? 0 : out, zeroForOne ? out : 0, run.receiver(head, next), "");
    }
}
