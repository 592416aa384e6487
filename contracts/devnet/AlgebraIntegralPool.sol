// A model of an Algebra Integral pool: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AlgebraPool} from "./AlgebraPool.sol";

/// @notice Goes from tick to tick of a list, wherever the next one is. There is no plugin.
contract AlgebraIntegralPool is AlgebraPool {
    /// @param overrideFee What a plugin put in place of the pool's fee
    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 price,
        uint128 liquidity,
        int24 tick,
        uint24 overrideFee,
        uint24 pluginFee
    );

    /// @dev The fee is in parts per million.
    function globalState()
        external
        view
        returns (
            uint160 price,
            int24 tick,
            uint16 lastFee,
            uint8 pluginConfig,
            uint16 communityFee,
            bool unlocked
        )
    {
        return (state.price, state.tick, state.fee, 0, 0, state.unlocked);
    }

    function _edge(Move memory move, bool zeroToOne) internal view override returns (int24 edge, bool crosses) {
        return (_ahead(move, zeroToOne), true);
    }

    function _spacing() internal pure override returns (int24) {
        return 1;
    }

    function _announce(address recipient, int256 amount0, int256 amount1) internal override {
        emit Swap(msg.sender, recipient, amount0, amount1, state.price, liquidity, state.tick, 0, 0);
    }
}
