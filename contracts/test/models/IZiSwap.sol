// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20, Priced} from "./Pools.sol";

interface IIZiSwapCallback {
    function swapX2YCallback(uint256 x, uint256 y, bytes calldata data) external;
    function swapY2XCallback(uint256 x, uint256 y, bytes calldata data) external;
}

/// iZiSwap: trades whole units of liquidity as far as a point, pays, and asks for what it has traded in the callback of the
/// direction.
contract IZiSwapModel is Priced {
    /// How far a swap must be allowed to go, down or up, to be filled; before that it takes half.
    int24 private constant FAR = 7;
    /// Input of a unit of liquidity: what is less than that is not asked for.
    uint256 public constant GRAIN = 999;
    IErc20 private immutable tokenX;
    IErc20 private immutable tokenY;
    /// Parts of a thousand of the input that it asks for; 1000 is honest.
    uint256 private takes = 1000;

    constructor(address a, address b) {
        (tokenX, tokenY) = a < b ? (IErc20(a), IErc20(b)) : (IErc20(b), IErc20(a));
    }

    function setTakes(uint256 value) external {
        takes = value;
    }

    function swapX2Y(address to, uint128 amount, int24 lowPt, bytes calldata data) external returns (uint256 x, uint256 y) {
        (x, y) = _trade(amount, lowPt <= -FAR);
        tokenY.transfer(to, y);
        uint256 wanted = tokenX.balanceOf(address(this)) + x;
        IIZiSwapCallback(msg.sender).swapX2YCallback(x, y, data);
        require(tokenX.balanceOf(address(this)) >= wanted, "XE");
    }

    function swapY2X(address to, uint128 amount, int24 highPt, bytes calldata data) external returns (uint256 x, uint256 y) {
        (y, x) = _trade(amount, highPt >= FAR);
        tokenX.transfer(to, x);
        uint256 wanted = tokenY.balanceOf(address(this)) + y;
        IIZiSwapCallback(msg.sender).swapY2XCallback(x, y, data);
        require(tokenY.balanceOf(address(this)) >= wanted, "YE");
    }

    function _trade(uint256 amount, bool isFar) private view returns (uint256 took, uint256 out) {
        took = isFar ? (amount - amount % GRAIN) * takes / 1000 : amount / 2;
        out = _price(took);
        require(took > 0 && out > 0, "PR");
    }
}
