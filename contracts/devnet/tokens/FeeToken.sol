// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ledger} from "./Ledger.sol";

/// @notice A token that burns a hundredth, rounded down, of whatever is moved: the receiver gets less than was sent.
contract FeeToken is Ledger {
    function approve(address spender, uint256 value) external returns (bool) {
        _approve(spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _moveLessFee(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spend(from, msg.sender, value);
        _moveLessFee(from, to, value);
        return true;
    }

    function _moveLessFee(address from, address to, uint256 value) private {
        uint256 fee = value / 100;
        _move(from, to, value - fee);
        _move(from, address(0), fee);
    }
}
