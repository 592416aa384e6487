// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NotTaken} from "../Errors.sol";
import {Head, ZERO_FOR_ONE} from "../Head.sol";
import {Lock} from "../Lock.sol";
import {Run} from "../Run.sol";

interface IMaverickPool {
    function swap(
        address recipient,
        uint256 amount,
        bool tokenAIn,
        bool exactOutput,
        uint256 sqrtPriceLimit,
        bytes calldata data
    ) external returns (uint256 amountIn, uint256 amountOut);
}

/// @notice Maverick v1: asks for its input in a callback laid out as Uniswap v3's, (to pay, bought, data)
library MaverickV1 {
    function swap(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256 out) {
        address pool = head.target();
        address token = run.token(head.src());
        address payer = run.holder(head.src());
        Lock.commit(uint256(keccak256(abi.encode(token, payer, pool, amount))));
        (, out) = IMaverickPool(pool).swap(
            run.receiver(head, next), amount, head.has(ZERO_FOR_ONE), false, 0, abi.encode(token, payer)
        );
        if (!Lock.isRedeemed()) revert NotTaken(pool);
    }
}
