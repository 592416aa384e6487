// A model of PancakeSwap Infinity's manager of concentrated liquidity: our own code after its published rules, not the
// protocol's, over the open libraries of Uniswap v4 from which that design is a fork.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LiquidityMath} from "@uniswap/v4-core/src/libraries/LiquidityMath.sol";
import {SwapMath} from "@uniswap/v4-core/src/libraries/SwapMath.sol";
import {TickBitmap} from "@uniswap/v4-core/src/libraries/TickBitmap.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {InfinityManager} from "./InfinityManager.sol";

/// @notice Pools of ticks. Positions are those of the opening.
contract InfinityClManager is InfinityManager {
    using TickBitmap for mapping(int16 => uint256);

    struct Position {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    /// @dev Growth of fees beyond the tick, per unit of liquidity, as a real pool keeps it for its providers
    struct Tick {
        uint128 liquidityGross;
        int128 liquidityNet;
        uint256 feeGrowthOutside0X128;
        uint256 feeGrowthOutside1X128;
    }

    struct Pool {
        uint160 sqrtPriceX96;
        int24 tick;
        uint24 protocolFee;
        uint24 lpFee;
        uint256[2] feeGrowth;
        uint128 liquidity;
        mapping(int24 tick => Tick) ticks;
        mapping(int16 word => uint256) bitmap;
    }

    /// @dev A swap on its way; `remaining` is below 0 for what is left to be sold, above for what is left to be bought
    struct Swapped {
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 liquidity;
        uint24 fee;
        int24 tickSpacing;
        int256 remaining;
        uint256 sold;
        uint256 bought;
        uint256 protocolFee;
        uint256 protocolPart;
        uint256 growth;
    }

    mapping(bytes32 id => Pool) private pools;

    event Initialize(
        bytes32 indexed id,
        address indexed currency0,
        address indexed currency1,
        address hooks,
        uint24 fee,
        bytes32 parameters,
        uint160 sqrtPriceX96,
        int24 tick
    );
    event ModifyLiquidity(
        bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt
    );
    event Swap(
        bytes32 indexed id,
        address indexed sender,
        int128 amount0,
        int128 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick,
        uint24 fee,
        uint16 protocolFee
    );

    error SwapAmountCannotBeZero();
    error InvalidSqrtPriceLimit(uint160 current, uint160 limit);

    /// @notice Makes a pool with positions, whose tokens the Vault holds already.
    function create(PoolKey calldata key, uint160 sqrtPriceX96, uint24 protocolFee, Position[] calldata positions)
        external
    {
        bytes32 id = _newId(key);
        Pool storage pool = pools[id];
        if (pool.sqrtPriceX96 != 0) revert PoolAlreadyInitialized();
        int24 tick = TickMath.getTickAtSqrtPrice(sqrtPriceX96);
        (pool.sqrtPriceX96, pool.tick, pool.protocolFee, pool.lpFee) = (sqrtPriceX96, tick, protocolFee, key.fee);
        // A real pool's slots have been written to before.
        pool.feeGrowth = [uint256(1), 1];
        emit Initialize(id, key.currency0, key.currency1, key.hooks, key.fee, key.parameters, sqrtPriceX96, tick);
        for (uint256 k = 0; k < positions.length; k++) {
            Position calldata position = positions[k];
            _flip(pool, key, position.tickLower, int128(position.liquidity), position.liquidity);
            _flip(pool, key, position.tickUpper, -int128(position.liquidity), position.liquidity);
            if (position.tickLower <= tick && tick < position.tickUpper) pool.liquidity += position.liquidity;
            int256 added = int256(uint256(position.liquidity));
            emit ModifyLiquidity(id, msg.sender, position.tickLower, position.tickUpper, added, 0);
        }
    }

    function getSlot0(bytes32 id) external view returns (uint160, int24, uint24, uint24) {
        Pool storage pool = pools[id];
        return (pool.sqrtPriceX96, pool.tick, pool.protocolFee, pool.lpFee);
    }

    function getLiquidity(bytes32 id) external view returns (uint128) {
        return pools[id].liquidity;
    }

    function getPoolBitmapInfo(bytes32 id, int16 word) external view returns (uint256) {
        return pools[id].bitmap[word];
    }

    function getPoolTickInfo(bytes32 id, int24 tick) external view returns (Tick memory) {
        return pools[id].ticks[tick];
    }

    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata) external returns (int256 delta) {
        if (params.amountSpecified == 0) revert SwapAmountCannotBeZero();
        bytes32 id = _idOf(key);
        Pool storage pool = pools[id];
        if (pool.sqrtPriceX96 == 0) revert PoolNotInitialized();
        Swapped memory done = _walk(pool, key, params);
        (pool.sqrtPriceX96, pool.tick) = (done.sqrtPriceX96, done.tick);
        if (pool.liquidity != done.liquidity) pool.liquidity = done.liquidity;
        pool.feeGrowth[params.zeroForOne ? 0 : 1] = done.growth;
        _accrue(key, params.zeroForOne, done.protocolPart);
        delta = _settle(key, params.zeroForOne, done.sold, done.bought);
        emit Swap(
            id,
            msg.sender,
            int128(delta >> 128),
            int128(delta),
            done.sqrtPriceX96,
            done.liquidity,
            done.tick,
            done.fee,
            uint16(done.protocolFee)
        );
    }

    function _flip(Pool storage pool, PoolKey calldata key, int24 tick, int128 net, uint128 gross) private {
        Tick storage at = pool.ticks[tick];
        if (at.liquidityGross == 0) pool.bitmap.flipTick(tick, int24(uint24(_spacingOf(key))));
        at.liquidityGross += gross;
        at.liquidityNet += net;
        (at.feeGrowthOutside0X128, at.feeGrowthOutside1X128) = (1, 1);
    }

    function _walk(Pool storage pool, PoolKey calldata key, SwapParams calldata params)
        private
        returns (Swapped memory swapped)
    {
        (bool down, uint160 limit) = (params.zeroForOne, params.sqrtPriceLimitX96);
        uint160 price = pool.sqrtPriceX96;
        bool isRight = down
            ? limit < price && limit > TickMath.MIN_SQRT_PRICE
            : limit > price && limit < TickMath.MAX_SQRT_PRICE;
        if (!isRight) revert InvalidSqrtPriceLimit(price, limit);
        (swapped.sqrtPriceX96, swapped.tick, swapped.liquidity) = (price, pool.tick, pool.liquidity);
        swapped.remaining = params.amountSpecified;
        swapped.growth = pool.feeGrowth[down ? 0 : 1];
        swapped.tickSpacing = int24(uint24(_spacingOf(key)));
        uint256 fee;
        (swapped.protocolFee, fee) = _fees(pool.protocolFee, pool.lpFee, down);
        swapped.fee = uint24(fee);
        while (swapped.remaining != 0 && swapped.sqrtPriceX96 != limit) _step(pool, swapped, down, limit);
    }

    /// @dev As far as the next tick with liquidity, the end of its word of the bitmap, or the limit.
    function _step(Pool storage pool, Swapped memory swapped, bool down, uint160 limit) private {
        (int24 next, bool initialized) =
            pool.bitmap.nextInitializedTickWithinOneWord(swapped.tick, swapped.tickSpacing, down);
        if (next < TickMath.MIN_TICK) next = TickMath.MIN_TICK;
        if (next > TickMath.MAX_TICK) next = TickMath.MAX_TICK;
        uint160 edge = TickMath.getSqrtPriceAtTick(next);
        uint160 start = swapped.sqrtPriceX96;
        uint160 target = (down ? edge < limit : edge > limit) ? limit : edge;
        _trade(swapped, target);
        if (swapped.sqrtPriceX96 == edge) {
            if (initialized) _arrive(pool, swapped, next, down);
            swapped.tick = down ? next - 1 : next;
        } else if (swapped.sqrtPriceX96 != start) {
            swapped.tick = TickMath.getTickAtSqrtPrice(swapped.sqrtPriceX96);
        }
    }

    function _trade(Swapped memory swapped, uint160 target) private pure {
        (uint160 price, uint256 net, uint256 paid, uint256 fee) = SwapMath.computeSwapStep(
            swapped.sqrtPriceX96, target, swapped.liquidity, swapped.remaining, swapped.fee
        );
        uint256 taken = net + fee;
        swapped.sqrtPriceX96 = price;
        swapped.remaining = swapped.remaining < 0 ? swapped.remaining + int256(taken) : swapped.remaining - int256(paid);
        swapped.sold += taken;
        swapped.bought += paid;
        if (swapped.protocolFee > 0) {
            uint256 part = swapped.fee == swapped.protocolFee ? fee : (taken * swapped.protocolFee) / PPM;
            swapped.protocolPart += part;
            fee -= part;
        }
        if (swapped.liquidity > 0) swapped.growth += (fee << 128) / swapped.liquidity;
    }

    function _arrive(Pool storage pool, Swapped memory swapped, int24 at, bool down) private {
        Tick storage tick = pool.ticks[at];
        (uint256 growth0, uint256 growth1) = (pool.feeGrowth[0], pool.feeGrowth[1]);
        if (down) growth0 = swapped.growth;
        else growth1 = swapped.growth;
        unchecked {
            tick.feeGrowthOutside0X128 = growth0 - tick.feeGrowthOutside0X128;
            tick.feeGrowthOutside1X128 = growth1 - tick.feeGrowthOutside1X128;
        }
        int128 net = tick.liquidityNet;
        swapped.liquidity = LiquidityMath.addDelta(swapped.liquidity, down ? -net : net);
    }
}
