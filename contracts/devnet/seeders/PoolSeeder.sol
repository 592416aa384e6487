// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IPoolFactory {
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address pool);
}

interface IPool {
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
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

    /// @notice Trades a pool down to `low`, up to `high` and back to `start`, so that every tick between has been crossed
    /// @dev    A tick's first crossing writes fresh slots; a real pool's ticks have seen theirs. Liquidity and price end
    ///         as they were.
    function age(address pool, Pool calldata wanted, uint160 low, uint160 high) external {
        _pool = pool;
        bytes memory tokens = abi.encode(wanted.token0, wanted.token1);
        IPool(pool).swap(address(this), true, type(int256).max, low, tokens);
        IPool(pool).swap(address(this), false, type(int256).max, high, tokens);
        IPool(pool).swap(address(this), true, type(int256).max, wanted.sqrtPriceX96, tokens);
        _pool = address(0);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        _pay(amount0, amount1, data);
    }

    function uniswapV3SwapCallback(int256 delta0, int256 delta1, bytes calldata data) external {
        _pay(delta0 > 0 ? uint256(delta0) : 0, delta1 > 0 ? uint256(delta1) : 0, data);
    }

    function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        _pay(amount0, amount1, data);
    }

    function pancakeV3SwapCallback(int256 delta0, int256 delta1, bytes calldata data) external {
        _pay(delta0 > 0 ? uint256(delta0) : 0, delta1 > 0 ? uint256(delta1) : 0, data);
    }

    function _pay(uint256 amount0, uint256 amount1, bytes calldata data) private {
        if (msg.sender != _pool) revert NotThePool(msg.sender);
        (address token0, address token1) = abi.decode(data, (address, address));
        if (amount0 > 0) SafeTransfer.send(token0, msg.sender, amount0);
        if (amount1 > 0) SafeTransfer.send(token1, msg.sender, amount1);
    }
}
