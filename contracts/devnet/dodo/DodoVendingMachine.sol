// A model of a DODO vending machine: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PmmCurve} from "./PmmCurve.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IDodoToken {
    function balanceOf(address owner) external view returns (uint256);
}

/// @notice A proactive market maker whose base target follows from its reserves. It sells what it finds above them. There
///         is no share token, and nobody changes the fees.
contract DodoVendingMachine {
    uint256 private constant ONE = 1e18;

    address public _BASE_TOKEN_;
    address public _QUOTE_TOKEN_;
    /// Gets the part of the fee that leaves the pool
    address public _MAINTAINER_;
    uint256 public _I_;
    uint256 public _K_;
    uint256 public _LP_FEE_RATE_;
    uint256 private mtFeeRate;
    uint112 public _BASE_RESERVE_;
    uint112 public _QUOTE_RESERVE_;

    event DODOSwap(
        address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, address trader, address receiver
    );

    error AlreadyOpen();

    /// @notice Opens the pool with the tokens that it holds. The caller is its maintainer.
    /// @param i  Quote units for one base unit, 18 decimals
    /// @param k  0 … 10^18
    /// @param lp Part of what is paid that stays in the pool, 18 decimals
    /// @param mt Part that leaves it
    function open(address base, address quote, uint256 i, uint256 k, uint256 lp, uint256 mt) external {
        if (_BASE_TOKEN_ != address(0)) revert AlreadyOpen();
        (_BASE_TOKEN_, _QUOTE_TOKEN_, _MAINTAINER_) = (base, quote, msg.sender);
        (_I_, _K_, _LP_FEE_RATE_, mtFeeRate) = (i, k, lp, mt);
        _sync();
    }

    function getVaultReserve() external view returns (uint256, uint256) {
        return (_BASE_RESERVE_, _QUOTE_RESERVE_);
    }

    function getUserFeeRate(address) public view returns (uint256 lpFeeRate, uint256 feeRate) {
        return (_LP_FEE_RATE_, mtFeeRate);
    }

    function querySellBase(address, uint256 amount) public view returns (uint256 paid, uint256 mtFee) {
        return _lessFees(PmmCurve.sellBase(_curve(), amount));
    }

    function querySellQuote(address, uint256 amount) public view returns (uint256 paid, uint256 mtFee) {
        return _lessFees(PmmCurve.sellQuote(_curve(), amount));
    }

    function sellBase(address to) external returns (uint256 paid) {
        uint256 amount = IDodoToken(_BASE_TOKEN_).balanceOf(address(this)) - _BASE_RESERVE_;
        uint256 mtFee;
        (paid, mtFee) = querySellBase(tx.origin, amount);
        _pay(_QUOTE_TOKEN_, to, paid, mtFee);
        emit DODOSwap(_BASE_TOKEN_, _QUOTE_TOKEN_, amount, paid, msg.sender, to);
    }

    function sellQuote(address to) external returns (uint256 paid) {
        uint256 amount = IDodoToken(_QUOTE_TOKEN_).balanceOf(address(this)) - _QUOTE_RESERVE_;
        uint256 mtFee;
        (paid, mtFee) = querySellQuote(tx.origin, amount);
        _pay(_BASE_TOKEN_, to, paid, mtFee);
        emit DODOSwap(_QUOTE_TOKEN_, _BASE_TOKEN_, amount, paid, msg.sender, to);
    }

    /// @dev The machine is above one whenever it is asked, with no quote target of its own.
    function _curve() private view returns (PmmCurve.Pool memory) {
        return PmmCurve.atQuoteTarget(_I_, _K_, _BASE_RESERVE_, _QUOTE_RESERVE_);
    }

    function _lessFees(uint256 gross) private view returns (uint256 paid, uint256 mtFee) {
        mtFee = (gross * mtFeeRate) / ONE;
        paid = gross - (gross * _LP_FEE_RATE_) / ONE - mtFee;
    }

    function _pay(address token, address to, uint256 paid, uint256 mtFee) private {
        SafeTransfer.send(token, to, paid);
        if (mtFee > 0) SafeTransfer.send(token, _MAINTAINER_, mtFee);
        _sync();
    }

    function _sync() private {
        _BASE_RESERVE_ = uint112(IDodoToken(_BASE_TOKEN_).balanceOf(address(this)));
        _QUOTE_RESERVE_ = uint112(IDodoToken(_QUOTE_TOKEN_).balanceOf(address(this)));
    }
}
