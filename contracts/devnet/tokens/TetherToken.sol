// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ledger} from "./Ledger.sol";

/// @notice A token that behaves as mainnet's USDT does: no function answers anything, and an allowance that is
///         not zero cannot be changed to another that is not zero.
contract TetherToken is Ledger {
    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "reset the allowance to zero first");
        _approve(spender, value);
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        _spend(from, msg.sender, value);
        _move(from, to, value);
    }
}
