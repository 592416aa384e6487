// A model of a pool factory of Gyroscope and of Balancer: our own code, which answers for pools that stand already.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Knows the pools of one design.
contract GyroFactory {
    mapping(address pool => bool) public isPoolFromFactory;

    event PoolCreated(address indexed pool);

    function announce(address pool) external {
        isPoolFromFactory[pool] = true;
        emit PoolCreated(pool);
    }
}
