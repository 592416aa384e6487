// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20, Priced} from "./Pools.sol";

/// Maverick v2: sells what has come since its last call, as far as a tick, and keeps what it has not sold for whoever calls next.
contract MaverickV2Model is Priced {
    struct SwapParams {
        uint256 amount;
        bool tokenAIn;
        bool exactOutput;
        int32 tickLimit;
    }

    /// How far a swap must be allowed to go, up or down, to be filled; before that it takes half.
    int32 private constant FAR = 7;
    IErc20 private immutable tokenA;
    IErc20 private immutable tokenB;
    uint256 private reserveA;
    uint256 private reserveB;
    /// Parts of a thousand of the input that it takes; 1000 is honest.
    uint256 private takes = 1000;

    constructor(address a, address b) {
        (tokenA, tokenB) = (IErc20(a), IErc20(b));
    }

    function setTakes(uint256 value) external {
        takes = value;
    }

    /// Only what comes later is for sale.
    function sync() external {
        (reserveA, reserveB) = (tokenA.balanceOf(address(this)), tokenB.balanceOf(address(this)));
    }

    function swap(address to, SwapParams calldata params, bytes calldata data)
        external
        returns (uint256 amountIn, uint256 amountOut)
    {
        require(data.length == 0 && !params.exactOutput, "prepaid");
        bool isFar = params.tokenAIn ? params.tickLimit >= FAR : params.tickLimit <= -FAR;
        amountIn = isFar ? params.amount * takes / 1000 : params.amount / 2;
        amountOut = _price(amountIn);
        if (params.tokenAIn) {
            (reserveA, reserveB) = (reserveA + amountIn, reserveB - amountOut);
        } else {
            (reserveA, reserveB) = (reserveA - amountOut, reserveB + amountIn);
        }
        (params.tokenAIn ? tokenB : tokenA).transfer(to, amountOut);
        require(tokenA.balanceOf(address(this)) >= reserveA && tokenB.balanceOf(address(this)) >= reserveB, "not paid");
    }
}
