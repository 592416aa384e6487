// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20, Priced} from "./Pools.sol";

/// Sky's converters: pull by allowance, pay anyone, answer nothing. Onward multiplies by the rate, back divides. Its peg
/// stability module names the amount of its first token in both directions; Spark's names both tokens.
contract ConverterModel is Priced {
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

    function daiToUsds(address to, uint256 amount) external {
        require(rate == 1e18, "one to one");
        _convert(first, second, to, amount, amount);
    }

    function usdsToDai(address to, uint256 amount) external {
        require(rate == 1e18, "one to one");
        _convert(second, first, to, amount, amount);
    }

    function mkrToSky(address to, uint256 amount) external {
        _convert(first, second, to, amount, _price(amount));
    }

    function skyToMkr(address to, uint256 amount) external {
        _convert(second, first, to, amount, amount * 1e18 / rate);
    }

    function sellGem(address to, uint256 amount) external {
        _convert(first, second, to, amount, _price(amount));
    }

    function buyGem(address to, uint256 amount) external {
        _convert(second, first, to, _price(amount), amount);
    }

    function swapExactIn(
        address sold,
        address bought,
        uint256 amount,
        uint256 minimum,
        address to,
        uint256 referral
    ) external {
        require(minimum == 0 && referral == 0, "no minimum, no referral");
        _convert(sold, bought, to, amount, sold == first ? _price(amount) : amount * 1e18 / rate);
    }

    function _convert(address sold, address bought, address to, uint256 amount, uint256 out) private {
        IErc20(sold).transferFrom(msg.sender, address(this), amount * pulls / 1000);
        IErc20(bought).transfer(to, out);
    }
}
