// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Head, PREFUNDED, ZERO_FOR_ONE} from "../Head.sol";
import {Run} from "../Run.sol";
import {Tokens} from "../Tokens.sol";

interface ILiquidityBookPair {
    function swap(bool swapForY, address to) external returns (bytes32 amountsOut);
}

interface IWooPool {
    function swap(address from, address to, uint256 amount, uint256 minOut, address receiver, address rebateTo)
        external
        returns (uint256);
}

/// @notice Pools that sell what they were sent: Trader Joe's Liquidity Book (2.1 and later), WooFi v2
library Funded {
    function swapLiquidityBook(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256) {
        _fund(run, head, amount);
        bool forY = head.has(ZERO_FOR_ONE);
        uint256 amounts = uint256(ILiquidityBookPair(head.target()).swap(forY, run.receiver(head, next)));
        return forY ? amounts >> 128 : uint128(amounts);
    }

    function swapWooFi(Run run, Head head, uint256 amount, uint256 next) internal returns (uint256) {
        _fund(run, head, amount);
        return IWooPool(head.target()).swap(
            run.token(head.src()), run.token(head.dst()), amount, 0, run.receiver(head, next), address(0)
        );
    }

    function _fund(Run run, Head head, uint256 amount) private {
        if (head.has(PREFUNDED)) return;
        Tokens.move(run.token(head.src()), run.holder(head.src()), head.target(), amount);
    }
}
