// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ledger} from "./Ledger.sol";

/// @notice A plain ERC-20.
contract Token is Ledger {
    function approve(address spender, uint256 value) external returns (bool) {
        _approve(spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spend(from, msg.sender, value);
        _move(from, to, value);
        return true;
    }
}
