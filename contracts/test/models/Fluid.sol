// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20, Priced} from "./Pools.sol";

/// Fluid DEX: pulls by allowance or takes the native coin with the call, pays anyone, answers what it has paid.
contract FluidModel is Priced {
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    address private immutable first;
    address private immutable second;
    /// Parts of a thousand of the input that it pulls; 1000 is honest.
    uint256 public pulls = 1000;

    constructor(address token0, address token1) {
        (first, second) = (token0, token1);
    }

    function setPulls(uint256 value) external {
        pulls = value;
    }

    function swapIn(bool swap0to1, uint256 amountIn, uint256 amountOutMin, address to)
        external
        payable
        returns (uint256 out)
    {
        (address sold, address bought) = swap0to1 ? (first, second) : (second, first);
        require(msg.value == (sold == NATIVE ? amountIn : 0), "value");
        out = _price(amountIn);
        require(out >= amountOutMin, "slippage");
        if (sold != NATIVE) IErc20(sold).transferFrom(msg.sender, address(this), amountIn * pulls / 1000);
        if (bought != NATIVE) {
            IErc20(bought).transfer(to, out);
            return out;
        }
        (bool done,) = to.call{value: out, gas: 50_000}("");
        require(done, "native refused");
    }
}
