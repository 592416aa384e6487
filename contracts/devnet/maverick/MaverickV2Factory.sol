// A model of a Maverick v2 factory: our own code, with the event of the protocol.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MaverickV2Pool} from "./MaverickV2Pool.sol";

/// @notice Announces pools that stand already; nobody has rights in them.
contract MaverickV2Factory {
    uint8 private constant ALL_KINDS = 15;

    event PoolCreated(
        address poolAddress,
        uint8 protocolFeeRatio,
        uint256 feeAIn,
        uint256 feeBIn,
        uint256 tickSpacing,
        uint256 lookback,
        int32 activeTick,
        address tokenA,
        address tokenB,
        uint8 kinds,
        address accessor
    );

    function announce(MaverickV2Pool pool) external {
        MaverickV2Pool.State memory state = pool.getState();
        emit PoolCreated(
            address(pool),
            state.protocolFeeRatioD3,
            pool.fee(true),
            pool.fee(false),
            pool.tickSpacing(),
            pool.lookback(),
            state.activeTick,
            pool.tokenA(),
            pool.tokenB(),
            ALL_KINDS,
            address(0)
        );
    }
}
