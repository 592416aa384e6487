// A model of Spark's peg stability module: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface ICoin {
    function decimals() external view returns (uint8);
}

/// @notice Trades USDC and USDS at par, and sUSDS at a rate that grows every second. The real one keeps USDC in a pocket of its
///         own and asks an oracle for the rate; here this contract is both.
contract Psm3 {
    uint256 private constant RAY = 10 ** 27;

    struct Savings {
        uint96 ssr;
        uint120 chi;
        uint40 rho;
    }

    address public usdc;
    address public usds;
    address public susds;
    Savings private _savings;

    event Swap(
        address indexed assetIn,
        address indexed assetOut,
        address sender,
        address indexed receiver,
        uint256 amountIn,
        uint256 amountOut,
        uint256 referralCode
    );

    error AlreadyOpen();
    error BadAsset(address asset);
    error TooLittle();

    /// @param ssr Growth of a share's worth per second, 27 decimals
    /// @param chi Its worth now, 27 decimals
    function open(address usdc_, address usds_, address susds_, uint96 ssr, uint120 chi) external {
        if (usdc != address(0)) revert AlreadyOpen();
        (usdc, usds, susds) = (usdc_, usds_, susds_);
        _savings = Savings(ssr, chi, uint40(block.timestamp));
    }

    function rateProvider() external view returns (address) {
        return address(this);
    }

    function pocket() external view returns (address) {
        return address(this);
    }

    function getSUSDSData() external view returns (Savings memory) {
        return _savings;
    }

    /// @notice What a share is worth in this block, 27 decimals
    function getConversionRate() public view returns (uint256) {
        return _power(_savings.ssr, block.timestamp - _savings.rho) * _savings.chi / RAY;
    }

    function swapExactIn(
        address assetIn,
        address assetOut,
        uint256 amountIn,
        uint256 minAmountOut,
        address receiver,
        uint256 referralCode
    ) external returns (uint256 amountOut) {
        (uint256 from, uint256 to) = (_unit(assetIn), _unit(assetOut));
        if (assetIn == assetOut) revert BadAsset(assetIn);
        if (assetOut == susds) amountOut = amountIn * RAY / getConversionRate() * to / from;
        else if (assetIn == susds) amountOut = amountIn * getConversionRate() / RAY * to / from;
        else amountOut = amountIn * to / from;
        if (amountIn == 0 || amountOut < minAmountOut) revert TooLittle();
        SafeTransfer.take(assetIn, msg.sender, amountIn);
        SafeTransfer.send(assetOut, receiver, amountOut);
        emit Swap(assetIn, assetOut, msg.sender, receiver, amountIn, amountOut, referralCode);
    }

    function _unit(address asset) private view returns (uint256) {
        if (asset != usdc && asset != usds && asset != susds) revert BadAsset(asset);
        return 10 ** ICoin(asset).decimals();
    }

    /// @dev Each product is rounded to the nearest.
    function _power(uint256 base, uint256 exponent) private pure returns (uint256 result) {
        result = exponent % 2 == 1 ? base : RAY;
        for (exponent /= 2; exponent > 0; exponent /= 2) {
            base = (base * base + RAY / 2) / RAY;
            if (exponent % 2 == 1) result = (result * base + RAY / 2) / RAY;
        }
    }
}
