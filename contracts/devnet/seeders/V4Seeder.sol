// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IManager {
    struct PoolKey {
        address currency0;
        address currency1;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
    }

    struct ModifyLiquidityParams {
        int24 tickLower;
        int24 tickUpper;
        int256 liquidityDelta;
        bytes32 salt;
    }

    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    function initialize(PoolKey calldata key, uint160 sqrtPriceX96) external returns (int24 tick);
    function unlock(bytes calldata data) external returns (bytes memory);
    function modifyLiquidity(PoolKey calldata key, ModifyLiquidityParams calldata params, bytes calldata data)
        external
        returns (int256 delta, int256 fees);
    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata data)
        external
        returns (int256 delta);
    function sync(address currency) external;
    function settle() external payable returns (uint256 paid);
    function take(address currency, address to, uint256 amount) external;
}

interface IWrapped {
    function withdraw(uint256 amount) external;
    function balanceOf(address owner) external view returns (uint256);
}

/// @notice Creates pools of Uniswap v4 with given positions, out of tokens that this contract holds. The native coin is
///         the zero address; it comes out of wrapped coins.
contract V4Seeder {
    struct Position {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    error NotTheManager(address caller);

    address private _manager;

    receive() external payable {}

    function unwrap(IWrapped wrapped) external {
        wrapped.withdraw(wrapped.balanceOf(address(this)));
    }

    /// @param key       A new pool
    /// @param positions Each becomes one change of liquidity
    function seed(IManager manager, IManager.PoolKey calldata key, uint160 sqrtPriceX96, Position[] calldata positions)
        external
    {
        manager.initialize(key, sqrtPriceX96);
        _unlock(manager, abi.encode(key, positions, new uint160[](0)));
    }

    /// @notice Trades a pool to each of the prices in turn, so that every tick between has been crossed
    /// @dev    A tick's first crossing writes fresh slots; a real pool's ticks have seen theirs. The last price is the
    ///         pool's own.
    function age(IManager manager, IManager.PoolKey calldata key, uint160[] calldata prices) external {
        _unlock(manager, abi.encode(key, new Position[](0), prices));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != _manager) revert NotTheManager(msg.sender);
        (IManager.PoolKey memory key, Position[] memory positions, uint160[] memory prices) =
            abi.decode(data, (IManager.PoolKey, Position[], uint160[]));
        IManager manager = IManager(msg.sender);
        int256 owed0;
        int256 owed1;
        for (uint256 k = 0; k < positions.length; k++) {
            (int256 delta,) = manager.modifyLiquidity(
                key,
                IManager.ModifyLiquidityParams(
                    positions[k].tickLower, positions[k].tickUpper, int256(uint256(positions[k].liquidity)), 0
                ),
                ""
            );
            (owed0, owed1) = (owed0 + (delta >> 128), owed1 + int128(delta));
        }
        for (uint256 k = 0; k < prices.length; k++) {
            IManager.SwapParams memory params = IManager.SwapParams(k % 2 == 0, -(2 ** 120), prices[k]);
            int256 delta = manager.swap(key, params, "");
            (owed0, owed1) = (owed0 + (delta >> 128), owed1 + int128(delta));
        }
        _square(manager, key.currency0, owed0);
        _square(manager, key.currency1, owed1);
        return "";
    }

    function _unlock(IManager manager, bytes memory data) private {
        _manager = address(manager);
        manager.unlock(data);
        _manager = address(0);
    }

    /// @dev What the manager has coming is below zero.
    function _square(IManager manager, address currency, int256 delta) private {
        if (delta > 0) manager.take(currency, address(this), uint256(delta));
        if (delta >= 0) return;
        if (currency == address(0)) {
            manager.settle{value: uint256(-delta)}();
            return;
        }
        manager.sync(currency);
        SafeTransfer.send(currency, address(manager), uint256(-delta));
        manager.settle();
    }
}
