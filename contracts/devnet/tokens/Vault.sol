// A model of an ERC-4626 vault: our own code after the standard and its usual formula with virtual units.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ledger} from "./Ledger.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IAsset {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// @notice Shares of all that the vault holds of one token. Nothing is lent out and no fee is taken.
contract Vault is Ledger {
    address public asset;

    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );

    error AlreadyOpen();

    /// @notice Opens the vault with the assets that it holds.
    /// @param shares What each of the holders gets
    function open(
        address asset_,
        string calldata name_,
        string calldata symbol_,
        address[] calldata holders,
        uint256 shares
    ) external {
        if (asset != address(0)) revert AlreadyOpen();
        (asset, name, symbol, decimals) = (asset_, name_, symbol_, IAsset(asset_).decimals());
        for (uint256 k = 0; k < holders.length; k++) _mint(holders[k], shares);
    }

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

    function totalAssets() public view returns (uint256) {
        return IAsset(asset).balanceOf(address(this));
    }

    function maxDeposit(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function maxRedeem(address owner) external view returns (uint256) {
        return balanceOf[owner];
    }

    /// @return Assets, rounded up
    function previewMint(uint256 shares) external view returns (uint256) {
        return _up(shares * (totalAssets() + 1), totalSupply + 1);
    }

    /// @return Shares, rounded up
    function previewWithdraw(uint256 assets) external view returns (uint256) {
        return _up(assets * (totalSupply + 1), totalAssets() + 1);
    }

    /// @return Shares, rounded down
    function previewDeposit(uint256 assets) public view returns (uint256) {
        return (assets * (totalSupply + 1)) / (totalAssets() + 1);
    }

    /// @return Assets, rounded down
    function previewRedeem(uint256 shares) public view returns (uint256) {
        return (shares * (totalAssets() + 1)) / (totalSupply + 1);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = previewDeposit(assets);
        SafeTransfer.take(asset, msg.sender, assets);
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        if (msg.sender != owner) _spend(owner, msg.sender, shares);
        assets = previewRedeem(shares);
        _move(owner, address(0), shares);
        totalSupply -= shares;
        SafeTransfer.send(asset, receiver, assets);
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function _up(uint256 above, uint256 below) private pure returns (uint256) {
        return (above + below - 1) / below;
    }

    function _mint(address to, uint256 shares) private {
        totalSupply += shares;
        balanceOf[to] += shares;
        emit Transfer(address(0), to, shares);
    }
}
