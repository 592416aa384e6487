// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IAlgebraPool {
    function initialize(uint160 price) external;
    function mint(
        address leftoversRecipient,
        address recipient,
        int24 bottomTick,
        int24 topTick,
        uint128 liquidity,
        bytes calldata data
    ) external returns (uint256 amount0, uint256 amount1, uint128 liquidityActual);
    function swap(address recipient, bool zeroToOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

/// @notice Creates Algebra pools with given positions, out of tokens that this contract holds.
contract AlgebraSeeder {
    struct Position {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    struct Pool {
        address token0;
        address token1;
        uint160 sqrtPriceX96;
        Position[] positions;
    }

    error NotCreated();
    error NotThePool(address caller);

    address private _pool;

    /// @param factory  Any of Algebra's factories
    /// @param creation The call that makes it create the pool: its arguments differ between generations
    /// @param wanted   The new pool, token0 < token1; each position becomes one `mint`
    function seed(address factory, bytes calldata creation, Pool calldata wanted) external {
        (bool created, bytes memory answer) = factory.call(creation);
        if (!created) revert NotCreated();
        IAlgebraPool pool = abi.decode(answer, (IAlgebraPool));
        pool.initialize(wanted.sqrtPriceX96);
        _pool = address(pool);
        bytes memory tokens = abi.encode(wanted.token0, wanted.token1);
        for (uint256 i = 0; i < wanted.positions.length; i++) {
            Position calldata position = wanted.positions[i];
            pool.mint(
                address(this), address(this), position.tickLower, position.tickUpper, position.liquidity, tokens
            );
        }
        _pool = address(0);
    }

    /// @notice Trades a pool down to `low`, up to `high` and back to its price, so that every tick between has been crossed
    /// @dev    A tick's first crossing writes fresh slots; a real pool's ticks have seen theirs. Liquidity and price end
    ///         as they were.
    function age(IAlgebraPool pool, Pool calldata wanted, uint160 low, uint160 high) external {
        _pool = address(pool);
        bytes memory tokens = abi.encode(wanted.token0, wanted.token1);
        pool.swap(address(this), true, type(int256).max, low, tokens);
        pool.swap(address(this), false, type(int256).max, high, tokens);
        pool.swap(address(this), true, type(int256).max, wanted.sqrtPriceX96, tokens);
        _pool = address(0);
    }

    function algebraMintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        _pay(amount0, amount1, data);
    }

    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _pay(amount0 > 0 ? uint256(amount0) : 0, amount1 > 0 ? uint256(amount1) : 0, data);
    }

    function _pay(uint256 amount0, uint256 amount1, bytes calldata data) private {
        if (msg.sender != _pool) revert NotThePool(msg.sender);
        (address token0, address token1) = abi.decode(data, (address, address));
        if (amount0 > 0) SafeTransfer.send(token0, msg.sender, amount0);
        if (amount1 > 0) SafeTransfer.send(token1, msg.sender, amount1);
    }
}
