// A model of a Liquidity Book pair: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LiquidityBookBins} from "./LiquidityBookBins.sol";

/// @notice A pair as version 2.1 has them: fees stay in the bins, and amounts of X and Y share a word.
contract LiquidityBookPair is LiquidityBookBins {
    event Swap(
        address indexed sender,
        address indexed to,
        uint24 id,
        bytes32 amountsIn,
        bytes32 amountsOut,
        uint24 volatilityAccumulator,
        bytes32 totalFees,
        bytes32 protocolFees
    );

    function getActiveId() external view returns (uint24) {
        return activeId;
    }

    function getStaticFeeParameters()
        external
        view
        returns (uint16, uint16, uint16, uint16, uint24, uint16, uint24)
    {
        Parameters memory p = parameters;
        return (
            p.baseFactor,
            p.filterPeriod,
            p.decayPeriod,
            p.reductionFactor,
            p.variableFeeControl,
            p.protocolShare,
            p.maxVolatility
        );
    }

    function getVariableFeeParameters() external view returns (uint24, uint24, uint24, uint40) {
        Volatility memory v = volatility;
        return (v.accumulator, v.reference_, v.idReference, v.time);
    }

    /// @return Y in the high half, X in the low one
    function swap(bool swapForY, address to) external returns (bytes32) {
        return _packed(!swapForY, _sell(swapForY, to));
    }

    function _announce(uint256 id, bool swapForY, Fill memory fill, address to, uint24 accumulator)
        internal
        override
        returns (uint256 kept)
    {
        uint256 protocolFee = (fill.fee * parameters.protocolShare) / BASIS_POINTS;
        kept = fill.amountIn - protocolFee;
        emit Swap(
            msg.sender,
            to,
            uint24(id),
            _packed(swapForY, kept),
            _packed(!swapForY, fill.amountOut),
            accumulator,
            _packed(swapForY, fill.fee),
            _packed(swapForY, protocolFee)
        );
    }

    function _packed(bool isX, uint256 amount) private pure returns (bytes32) {
        return bytes32(isX ? amount : amount << WIDTH);
    }
}
