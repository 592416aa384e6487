// A model of an Algebra v1 pool: our own code after the published interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FullMath} from "@uniswap/v4-core/src/libraries/FullMath.sol";
import {SqrtPriceMath} from "@uniswap/v4-core/src/libraries/SqrtPriceMath.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {SafeTransfer} from "./SafeTransfer.sol";

interface IAlgebraToken {
    function balanceOf(address owner) external view returns (uint256);
}

interface IAlgebraSwapCallback {
    function algebraSwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}

/// @notice Concentrated liquidity at the ticks of the opening. Nobody owns it, so no fees are owed, and no past prices are
///         kept: a swap writes less than the deployed contracts do. It is the operator of its own fee, which does not
///         follow volatility.
contract AlgebraV1Pool {
    uint256 private constant PPM = 1e6;
    int24 private constant SPACING = 60;

    /// @param index Where `net` joins the liquidity in range when the price goes up
    struct Opening {
        int24 index;
        uint128 total;
        int128 net;
    }

    /// @dev Ticks are a list from the lowest to the highest possible one
    struct Tick {
        uint128 liquidityTotal;
        int128 liquidityDelta;
        int24 prevTick;
        int24 nextTick;
    }

    /// @dev `prevTick` is the last one in the list at or below `tick`
    struct State {
        uint160 price;
        int24 tick;
        int24 prevTick;
        uint16 fee;
        bool unlocked;
    }

    /// @dev A swap on its way: `left` counts down from what was asked to 0, `other` up from 0
    struct Move {
        int256 left;
        uint256 other;
        uint160 price;
        int24 tick;
        int24 prevTick;
        uint128 liquidity;
        uint256 fee;
    }

    address public token0;
    address public token1;
    State private state;
    uint128 public liquidity;
    mapping(int24 index => Tick) public ticks;
    /// A bit for every tick that may be used
    mapping(int16 word => uint256) public tickTable;

    event Initialize(uint160 price, int24 tick);
    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 price,
        uint128 liquidity,
        int24 tick
    );

    error AlreadyOpen();
    error Locked();
    error NothingAsked();
    error LimitOnTheWrongSide();
    error NotPaid();

    /// @notice Opens the pool with the tokens that it holds already.
    /// @param ticks_ In ascending order
    function open(address[2] calldata tokens, uint16 fee, uint160 price, int24 tick, Opening[] calldata ticks_)
        external
    {
        if (state.price != 0) revert AlreadyOpen();
        (token0, token1) = (tokens[0], tokens[1]);
        int24 last = TickMath.MIN_TICK;
        int24 below = last;
        int256 inRange;
        for (uint256 k = 0; k < ticks_.length; k++) {
            Opening calldata one = ticks_[k];
            ticks[last].nextTick = one.index;
            ticks[one.index] = Tick(one.total, one.net, last, TickMath.MAX_TICK);
            int24 bit = one.index / SPACING;
            tickTable[int16(bit >> 8)] |= 1 << uint8(int8(bit));
            last = one.index;
            if (last <= tick) (below, inRange) = (last, inRange + one.net);
        }
        if (ticks_.length == 0) ticks[last].nextTick = TickMath.MAX_TICK;
        ticks[TickMath.MAX_TICK].prevTick = last;
        liquidity = uint128(uint256(inRange));
        state = State(price, tick, below, fee, true);
        emit Initialize(price, tick);
    }

    function swap(address recipient, bool zeroToOne, int256 amountRequired, uint160 limitSqrtPrice, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1)
    {
        if (!state.unlocked) revert Locked();
        Move memory move = _move(zeroToOne, amountRequired, limitSqrtPrice);
        state = State(move.price, move.tick, move.prevTick, uint16(move.fee), false);
        if (liquidity != move.liquidity) liquidity = move.liquidity;

        int256 sold = amountRequired > 0 ? amountRequired - move.left : int256(move.other);
        int256 bought = amountRequired > 0 ? int256(move.other) : move.left - amountRequired;
        (address tokenIn, address tokenOut) = zeroToOne ? (token0, token1) : (token1, token0);
        (amount0, amount1) = zeroToOne ? (sold, -bought) : (-bought, sold);
        if (bought > 0) SafeTransfer.send(tokenOut, recipient, uint256(bought));
        uint256 held = IAlgebraToken(tokenIn).balanceOf(address(this));
        IAlgebraSwapCallback(msg.sender).algebraSwapCallback(amount0, amount1, data);
        if (IAlgebraToken(tokenIn).balanceOf(address(this)) < held + uint256(sold)) revert NotPaid();
        emit Swap(msg.sender, recipient, amount0, amount1, state.price, liquidity, state.tick);
        state.unlocked = true;
    }

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

    /// @notice What a swap would do, of this model alone
    /// @return left What of the amount asked the pool does not take or pay
    function quote(bool zeroToOne, int256 amountRequired, uint160 limitSqrtPrice)
        external
        view
        returns (int256 left, uint256 other, int24 tick)
    {
        Move memory move = _move(zeroToOne, amountRequired, limitSqrtPrice);
        return (move.left, move.other, move.tick);
    }

    function _move(bool zeroToOne, int256 asked, uint160 limit) private view returns (Move memory move) {
        if (asked == 0) revert NothingAsked();
        State memory start = state;
        bool isAhead = zeroToOne
            ? limit < start.price && limit > TickMath.MIN_SQRT_PRICE
            : limit > start.price && limit < TickMath.MAX_SQRT_PRICE;
        if (!isAhead) revert LimitOnTheWrongSide();
        move = Move(asked, 0, start.price, start.tick, start.prevTick, liquidity, start.fee);
        while (move.left != 0 && move.price != limit) _stretch(move, zeroToOne, limit);
    }

    /// @dev To the next edge, the limit, or where the amount ends
    function _stretch(Move memory move, bool zeroToOne, uint160 limit) private view {
        (int24 edge, bool crosses) = _edge(move, zeroToOne);
        uint160 edgePrice = TickMath.getSqrtPriceAtTick(edge);
        uint160 start = move.price;
        _walk(move, (zeroToOne ? edgePrice < limit : edgePrice > limit) ? limit : edgePrice, zeroToOne);
        if (move.price != edgePrice) {
            if (move.price != start) move.tick = TickMath.getTickAtSqrtPrice(move.price);
            return;
        }
        move.tick = zeroToOne ? edge - 1 : edge;
        if (!crosses) return;
        int256 net = ticks[edge].liquidityDelta;
        move.liquidity = uint128(uint256(int256(uint256(move.liquidity)) + (zeroToOne ? -net : net)));
        move.prevTick = zeroToOne ? ticks[edge].prevTick : edge;
    }

    /// @dev Input and its fee are rounded up, output is rounded down. An input that ends within the stretch is taken whole.
    function _walk(Move memory move, uint160 target, bool zeroToOne) private pure {
        uint160 from = move.price;
        if (move.left > 0) {
            uint256 left = uint256(move.left);
            uint256 net = FullMath.mulDiv(left, PPM - move.fee, PPM);
            uint256 whole = _sold(from, target, move.liquidity, zeroToOne);
            move.price = net >= whole
                ? target
                : SqrtPriceMath.getNextSqrtPriceFromInput(from, move.liquidity, net, zeroToOne);
            move.left = move.price == target ? int256(left - whole - _feeOn(whole, move.fee)) : int256(0);
            move.other += _bought(from, move.price, move.liquidity, zeroToOne);
        } else {
            uint256 left = uint256(-move.left);
            uint256 paid = _bought(from, target, move.liquidity, zeroToOne);
            if (left >= paid) {
                move.price = target;
            } else {
                move.price = SqrtPriceMath.getNextSqrtPriceFromOutput(from, move.liquidity, left, zeroToOne);
                if (move.price != target) paid = _bought(from, move.price, move.liquidity, zeroToOne);
            }
            move.left += int256(paid < left ? paid : left);
            uint256 sold = _sold(from, move.price, move.liquidity, zeroToOne);
            move.other += sold + _feeOn(sold, move.fee);
        }
    }

    function _feeOn(uint256 sold, uint256 fee) private pure returns (uint256) {
        return FullMath.mulDivRoundingUp(sold, fee, PPM - fee);
    }

    function _sold(uint160 from, uint160 to, uint128 within, bool zeroToOne) private pure returns (uint256) {
        return zeroToOne
            ? SqrtPriceMath.getAmount0Delta(to, from, within, true)
            : SqrtPriceMath.getAmount1Delta(from, to, within, true);
    }

    function _bought(uint160 from, uint160 to, uint128 within, bool zeroToOne) private pure returns (uint256) {
        return zeroToOne
            ? SqrtPriceMath.getAmount1Delta(to, from, within, false)
            : SqrtPriceMath.getAmount0Delta(from, to, within, false);
    }

    /// @dev At the next tick of the list, or at the end of the bitmap word that it is not in
    /// @return edge    Where the stretch ends
    /// @return crosses Whether positions begin or end there
    function _edge(Move memory move, bool zeroToOne) private view returns (int24 edge, bool crosses) {
        int24 ahead = zeroToOne ? move.prevTick : ticks[move.prevTick].nextTick;
        int24 bit = move.tick / SPACING;
        if (move.tick < 0 && move.tick % SPACING != 0) bit--;
        edge = (zeroToOne ? (bit >> 8) << 8 : (((bit + 1) >> 8) << 8) + 255) * SPACING;
        if (zeroToOne ? ahead >= edge : ahead <= edge) return (ahead, true);
        if (edge < TickMath.MIN_TICK) return (TickMath.MIN_TICK, false);
        return (edge > TickMath.MAX_TICK ? TickMath.MAX_TICK : edge, false);
    }
}
