// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {NATIVE, Tokens} from "../Tokens.sol";

interface IFluidDex {
    function swapIn(bool swap0to1, uint256 amountIn, uint256 amountOutMin, address to)
        external
        payable
        returns (uint256 amountOut);
}

/// @notice Pools of Fluid DEX, first kind: they pull their input, or get the native coin with the call
library Fluid {
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address pool = head.target();
        address sold = run.token(head.src());
        address to = run.receiver(head, next);
        uint256 value = sold == NATIVE ? amount : 0;
        run.hold(head, amount);
        if (value == 0) Tokens.approve(sold, pool, amount);
        out = IFluidDex(pool).swapIn{value: value}(head.has(ZERO_FOR_ONE), amount, 0, to);
        if (value == 0) Tokens.requireUsed(sold, pool);
    }
}
