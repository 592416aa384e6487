// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PlainToken} from "../models/Tokens.sol";
import {Dealer} from "./Dealer.sol";

/// A hostile token: it acts whenever it moves, and lies about what it moves and what there is. Also the wrapper of another,
/// which is no better.
contract RogueToken is Dealer {
    uint8 public constant decimals = 18;
    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) public allowance;
    // What it says that these have beyond what they have.
    mapping(address => uint256) private bonus;
    // Parts of a thousand that it keeps of a transfer.
    uint256 private keeps;
    bool private refuses;

    function habits(uint256 keeps_, bool refuses_, address liesAbout, uint256 bonus_) external {
        (keeps, refuses) = (keeps_, refuses_);
        bonus[liesAbout] = bonus_;
    }

    function mint(address to, uint256 amount) external {
        balances[to] += amount;
    }

    function balanceOf(address account) external view returns (uint256) {
        return balances[account] + bonus[account];
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        _moment();
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(allowance[from][msg.sender] >= amount, "allowance");
        allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        _moment();
        balances[from] -= amount;
        balances[to] += amount - amount * keeps / 1000;
        _moment();
        return !refuses;
    }

    function deposit(uint256 amount, address to) public returns (uint256) {
        _moment();
        sold.transferFrom(msg.sender, address(this), _part(amount));
        balances[to] += claims;
        _moment();
        return claims;
    }

    function redeem(uint256 amount, address to, address owner) public returns (uint256) {
        _moment();
        balances[owner] -= amount;
        _pay(to);
        _moment();
        return claims;
    }

    function wrap(uint256 amount) external {
        deposit(amount, msg.sender);
    }

    function unwrap(uint256 amount) external {
        redeem(amount, msg.sender, msg.sender);
    }

    /// Sells any amount of itself, whose supply costs nothing.
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        balances[msg.sender] += uint256(amount0 > 0 ? amount0 : amount1);
    }
}
