// A model of a Liquidity Book pair of version 2.0: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LiquidityBookBins} from "./LiquidityBookBins.sol";

/// @notice A pair as version 2.0 has them: fees lie beside the bins, and every amount has a word of its own.
contract LiquidityBookPairOld is LiquidityBookBins {
    struct FeeParameters {
        uint16 binStep;
        Parameters fixed_;
        Volatility moving;
    }

    /// What of the accounted lies beside the bins
    uint256 private feesX;
    uint256 private feesY;

    event Swap(
        address indexed sender,
        address indexed recipient,
        uint256 indexed id,
        bool swapForY,
        uint256 amountIn,
        uint256 amountOut,
        uint256 volatilityAccumulated,
        uint256 fees
    );

    function tokenX() external view returns (address) {
        return _tokenX;
    }

    function tokenY() external view returns (address) {
        return _tokenY;
    }

    function getReservesAndId() external view returns (uint256 reserveX, uint256 reserveY, uint256 id) {
        return (accountedX - feesX, accountedY - feesY, activeId);
    }

    function feeParameters() external view returns (FeeParameters memory) {
        return FeeParameters(binStep, parameters, volatility);
    }

    /// @return x What was paid of X, y of Y
    function swap(bool swapForY, address to) external returns (uint256 x, uint256 y) {
        uint256 paid = _sell(swapForY, to);
        return swapForY ? (uint256(0), paid) : (paid, uint256(0));
    }

    function _announce(uint256 id, bool swapForY, Fill memory fill, address to, uint24 accumulator)
        internal
        override
        returns (uint256 kept)
    {
        kept = fill.amountIn - fill.fee;
        if (swapForY) feesX += fill.fee;
        else feesY += fill.fee;
        emit Swap(msg.sender, to, id, swapForY, kept, fill.amountOut, accumulator, fill.fee);
    }
}
