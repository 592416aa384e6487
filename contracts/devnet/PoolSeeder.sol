// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "./SafeTransfer.sol";

interface IPoolFactory {
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address pool);
}

interface IPool {
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
}

/// @notice Creates concentrated-liquidity pools with given positions, out of tokens that this contract holds.
contract PoolSeeder {
    struct Position {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    struct Pool {
        address token0;
        address token1;
        uint24 fee;
        uint160 sqrtPriceX96;
        Position[] positions;
    }

    error NotThePool(address caller);

    address private _pool;

    /// @param factory Any factory with Uniswap v3's `createPool`
    /// @param wanted  A new pool, token0 < token1; each position becomes one `mint`
    function seed(IPoolFactory factory, Pool calldata wanted) external {
        address pool = factory.createPool(wanted.token0, wanted.token1, wanted.fee);
        IPool(pool).initialize(wanted.sqrtPriceX96);
        _pool = pool;
        bytes memory tokens = abi.encode(wanted.token0, wanted.token1);
        for (uint256 i = 0; i < wanted.positions.length; i++) {
            Position calldata position = wanted.positions[i];
            IPool(pool).mint(address(this), position.tickLower, position.tickUpper, position.liquidity, tokens);
        }
        _pool = address(0);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        if (msg.sender != _pool) revert NotThePool(msg.sender);
        (address token0, address token1) = abi.decode(data, (address, address));
        if (amount0 > 0) SafeTransfer.send(token0, msg.sender, amount0);
        if (amount1 > 0) SafeTransfer.send(token1, msg.sender, amount1);
    }
}
