// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice What the devnet's tokens have in common: balances and allowances, and no constructor.
/// @dev    The genesis writes the storage: slot 0 name, 1 symbol, 2 decimals, 3 totalSupply, 4 balanceOf, 5 allowance.
abstract contract Ledger {
    string public name;
    string public symbol;
    uint8 public decimals;
    uint256 public totalSupply;
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function _move(address from, address to, uint256 value) internal {
        uint256 held = balanceOf[from];
        require(held >= value, "transfer amount exceeds balance");
        unchecked {
            balanceOf[from] = held - value;
            // No sum of balances exceeds totalSupply, so no single one overflows.
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }

    /// @dev An allowance of 2**256 - 1 is never used up.
    function _spend(address owner, address spender, uint256 value) internal {
        uint256 allowed = allowance[owner][spender];
        require(allowed >= value, "transfer amount exceeds allowance");
        if (allowed != type(uint256).max) {
            unchecked {
                allowance[owner][spender] = allowed - value;
            }
        }
    }

    function _approve(address spender, uint256 value) internal {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }
}
