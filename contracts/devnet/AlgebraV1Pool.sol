// A model of an Algebra v1 pool: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {AlgebraPool} from "./AlgebraPool.sol";

/// @notice Looks for ticks in words of 256, and stops and rounds at the end of each. It is the operator of its own fee,
///         which does not follow volatility.
contract AlgebraV1Pool is AlgebraPool {
    int24 private constant SPACING = 60;

    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 price,
        uint128 liquidity,
        int24 tick
    );

    /// @dev The fee is in parts per million.
    function globalState()
        external
        view
        returns (
            uint160 price,
            int24 tick,
            uint16 fee,
            uint16 timepointIndex,
            uint8 communityFeeToken0,
            uint8 communityFeeToken1,
            bool unlocked
        )
    {
        return (state.price, state.tick, state.fee, 0, 0, 0, state.unlocked);
    }

    function dataStorageOperator() external view returns (address) {
        return address(this);
    }

    /// @dev Both sigmoids have no height.
    function feeConfig()
        external
        view
        returns (
            uint16 alpha1,
            uint16 alpha2,
            uint32 beta1,
            uint32 beta2,
            uint16 gamma1,
            uint16 gamma2,
            uint32 volumeBeta,
            uint16 volumeGamma,
            uint16 baseFee
        )
    {
        return (0, 0, 0, 0, 1, 1, 0, 1, state.fee);
    }

    function _edge(Move memory move, bool zeroToOne) internal view override returns (int24 edge, bool crosses) {
        int24 ahead = _ahead(move, zeroToOne);
        int24 bit = move.tick / SPACING;
        if (move.tick < 0 && move.tick % SPACING != 0) bit--;
        edge = (zeroToOne ? (bit >> 8) << 8 : (((bit + 1) >> 8) << 8) + 255) * SPACING;
        if (zeroToOne ? ahead >= edge : ahead <= edge) return (ahead, true);
        if (edge < TickMath.MIN_TICK) return (TickMath.MIN_TICK, false);
        return (edge > TickMath.MAX_TICK ? TickMath.MAX_TICK : edge, false);
    }

    function _spacing() internal pure override returns (int24) {
        return SPACING;
    }

    function _announce(address recipient, int256 amount0, int256 amount1) internal override {
        emit Swap(msg.sender, recipient, amount0, amount1, state.price, liquidity, state.tick);
    }
}
