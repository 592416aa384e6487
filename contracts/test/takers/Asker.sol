// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Dealer} from "./Dealer.sol";

/// Hostile pools that pay, and then ask for their input in a callback.
abstract contract Asker is Dealer {
    bytes4 internal callbackName;

    /// Uniswap v3 and Algebra.
    function swap(address to, bool, int256 amount, uint160, bytes calldata data) external returns (int256, int256) {
        _payAndAsk(to, uint256(amount), data);
        return (-int256(claims), -int256(claims));
    }

    /// Maverick.
    function swap(address to, uint256 amount, bool, bool, uint256, bytes calldata data)
        external
        returns (uint256, uint256)
    {
        _payAndAsk(to, amount, data);
        return (amount, claims);
    }

    function _payAndAsk(address to, uint256 amount, bytes calldata data) private {
        _moment();
        _pay(to);
        _moment();
        if (takes > 0) _call(msg.sender, abi.encodeWithSelector(callbackName, _part(amount), -int256(pays), data));
        _moment();
    }

    /// iZiSwap, in both directions.
    function swapX2Y(address to, uint128 amount, int24, bytes calldata data) external returns (uint256, uint256) {
        _payAndAsk(to, amount, data);
        return (amount, claims);
    }

    function swapY2X(address to, uint128 amount, int24, bytes calldata data) external returns (uint256, uint256) {
        _payAndAsk(to, amount, data);
        return (claims, amount);
    }
}
