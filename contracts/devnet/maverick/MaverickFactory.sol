// A model of a Maverick v1 factory: our own code, with the event of the protocol.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MaverickPool} from "./MaverickPool.sol";

/// @notice Announces pools that stand already.
contract MaverickFactory {
    mapping(MaverickPool pool => bool) public isFactoryPool;

    event PoolCreated(
        address poolAddress,
        uint256 fee,
        uint256 tickSpacing,
        int32 activeTick,
        int256 lookback,
        uint64 protocolFeeRatio,
        address tokenA,
        address tokenB
    );

    function announce(MaverickPool pool) external {
        isFactoryPool[pool] = true;
        MaverickPool.State memory state = pool.getState();
        emit PoolCreated(
            address(pool),
            pool.fee(),
            pool.tickSpacing(),
            state.activeTick,
            0,
            state.protocolFeeRatio,
            pool.tokenA(),
            pool.tokenB()
        );
    }
}
