// A model of a Maverick v2 pool: our own code after the published interface and behaviour, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MaverickV2Bins} from "./MaverickV2Bins.sol";
import {MaverickV2Math as M} from "./MaverickV2Math.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IMaverickToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

/// @notice Ticks of bins, one a kind; there is no way in or out for liquidity. Exact inputs that were sent ahead are sold.
contract MaverickV2Pool is MaverickV2Bins {
    struct State {
        uint128 reserveA;
        uint128 reserveB;
        int64 lastTwaD8;
        int64 lastLogPriceD8;
        uint40 lastTimestamp;
        int32 activeTick;
        bool isLocked;
        uint32 binCounter;
        uint8 protocolFeeRatioD3;
    }

    struct SwapParams {
        uint256 amount;
        bool tokenAIn;
        bool exactOutput;
        int32 tickLimit;
    }

    /// @dev Reserves in 18 digits; shares of the bin, which are also its shares of the tick
    struct Opening {
        int32 tick;
        uint8 kind;
        uint128 a;
        uint128 b;
        uint128 supply;
    }

    struct Terms {
        uint64 feeA;
        uint64 feeB;
        uint32 spacing;
        uint32 lookback;
        uint8 ratio;
        int32 active;
        int64 position;
        int64 weighted;
    }

    /// @dev A swap on its way, amounts in 18 digits
    struct Run {
        uint256 left;
        uint256 taken;
        uint256 paid;
        int32 tick;
        uint256 within;
        bool isLimited;
    }

    address public tokenA;
    address public tokenB;
    uint64 private scaleA;
    uint64 private scaleB;
    Terms private terms;
    State private state;

    event PoolSwap(address sender, address recipient, SwapParams params, uint256 amountIn, uint256 amountOut);

    error AlreadyOpen();
    error NotModelled();
    error BeyondTheLimit();
    error NotPaid();

    /// @notice Opens the pool with the tokens that it holds, which the bins must add up to. Fees have 18 digits.
    /// @param bins_ At most one of a kind in a tick
    function open(address[2] calldata tokens, Terms calldata terms_, Opening[] calldata bins_) external {
        if (state.lastTimestamp != 0) revert AlreadyOpen();
        (tokenA, tokenB, terms) = (tokens[0], tokens[1], terms_);
        scaleA = uint64(10 ** (18 - IMaverickToken(tokens[0]).decimals()));
        scaleB = uint64(10 ** (18 - IMaverickToken(tokens[1]).decimals()));
        for (uint256 k = 0; k < bins_.length; k++) {
            Opening calldata one = bins_[k];
            TickState storage tick = ticks[one.tick];
            tick.reserveA += one.a;
            tick.reserveB += one.b;
            tick.totalSupply += one.supply;
            tick.binIdsByTick[one.kind] = uint32(k + 1);
            bins[uint32(k + 1)] = BinState(0, one.supply, one.supply, one.kind, one.tick, 0);
        }
        state = State({
            reserveA: uint128(IMaverickToken(tokenA).balanceOf(address(this))),
            reserveB: uint128(IMaverickToken(tokenB).balanceOf(address(this))),
            lastTwaD8: terms_.weighted,
            lastLogPriceD8: terms_.position,
            lastTimestamp: uint40(block.timestamp),
            activeTick: terms_.active,
            isLocked: false,
            binCounter: uint32(bins_.length),
            protocolFeeRatioD3: terms_.ratio
        });
    }

    function fee(bool tokenAIn) external view returns (uint256) {
        return tokenAIn ? terms.feeA : terms.feeB;
    }

    function tickSpacing() external view returns (uint256) {
        return terms.spacing;
    }

    function lookback() external view returns (uint256) {
        return terms.lookback;
    }

    function tokenAScale() external view returns (uint256) {
        return scaleA;
    }

    function tokenBScale() external view returns (uint256) {
        return scaleB;
    }

    function getState() external view returns (State memory) {
        return state;
    }

    function getTick(int32 tick) external view returns (TickState memory) {
        return ticks[tick];
    }

    function getBin(uint32 id) external view returns (BinState memory) {
        return bins[id];
    }

    /// @param params Exact inputs alone are modelled
    /// @param data   None: payment by a callback is not modelled
    function swap(address recipient, SwapParams memory params, bytes calldata data)
        external
        returns (uint256 amountIn, uint256 amountOut)
    {
        if (params.exactOutput || data.length != 0) revert NotModelled();
        Run memory run = _run(params);
        (uint256 scaleIn, uint256 scaleOut) = params.tokenAIn ? (scaleA, scaleB) : (scaleB, scaleA);
        amountIn = (run.taken + (run.isLimited ? scaleIn - 1 : 0)) / scaleIn;
        amountOut = run.paid / scaleOut;
        if (params.tokenAIn) {
            (state.reserveA, state.reserveB) =
                (state.reserveA + uint128(amountIn), state.reserveB - uint128(amountOut));
        } else {
            (state.reserveA, state.reserveB) =
                (state.reserveA - uint128(amountOut), state.reserveB + uint128(amountIn));
        }
        _end(run);
        SafeTransfer.send(params.tokenAIn ? tokenB : tokenA, recipient, amountOut);
        (address paid, uint256 owed) = params.tokenAIn ? (tokenA, state.reserveA) : (tokenB, state.reserveB);
        if (IMaverickToken(paid).balanceOf(address(this)) < owed) revert NotPaid();
        emit PoolSwap(msg.sender, recipient, params, amountIn, amountOut);
    }

    /// @dev Weighs the price by the time since the swap before, and moves the bins that it has left behind.
    function _end(Run memory run) private {
        State memory seen = state;
        state.activeTick = run.tick;
        int256 weighted = seen.lastTwaD8;
        if (block.timestamp != seen.lastTimestamp) {
            weighted = _weigh(seen, block.timestamp - seen.lastTimestamp);
            state.lastTwaD8 = int64(weighted);
            state.lastLogPriceD8 = int64(int256(run.tick) * 1e8 + int256(run.within));
            state.lastTimestamp = uint40(block.timestamp);
        }
        _follow(seen.activeTick, run.tick, seen.lastTwaD8, weighted);
    }

    /// @dev Towards the last position, one tick at most
    function _weigh(State memory seen, uint256 passed) private view returns (int256) {
        uint256 whole = terms.lookback;
        if (passed > whole) passed = whole;
        int256 off = int256(seen.lastLogPriceD8) - seen.lastTwaD8;
        uint256 far = uint256(off < 0 ? -off : off);
        int256 way = int256((far > 1e8 ? 1e8 : far) * passed / whole);
        return off < 0 ? seen.lastTwaD8 - way : seen.lastTwaD8 + way;
    }

    function _run(SwapParams memory params) private returns (Run memory run) {
        bool sellsA = params.tokenAIn;
        int32 way = sellsA ? int32(1) : int32(-1);
        run.left = params.amount * (sellsA ? scaleA : scaleB);
        run.tick = state.activeTick;
        if ((run.tick - params.tickLimit) * way > 0) revert BeyondTheLimit();
        for (int32 tick = run.tick; run.left > 0; tick += way) {
            if ((tick - params.tickLimit) * way > 0) {
                (run.isLimited, run.within) = (true, sellsA ? 1e8 : 0);
                break;
            }
            TickState storage at = ticks[tick];
            if (at.reserveA == 0 && at.reserveB == 0) continue;
            run.tick = tick;
            _fill(run, at, sellsA);
        }
    }

    function _fill(Run memory run, TickState storage at, bool sellsA) private {
        M.Side memory side;
        (side.a, side.b, side.sellsA) = (at.reserveA, at.reserveB, sellsA);
        (side.fee, side.ratio) = (sellsA ? terms.feeA : terms.feeB, terms.ratio);
        M.locate(side, run.tick, int256(uint256(terms.spacing)));
        M.Fill memory done = M.fill(side, run.left);
        (run.left, run.taken, run.paid) = (done.excess, run.taken + done.amountIn, run.paid + done.amountOut);
        if (done.excess == 0) run.within = M.ends(side, done.kept);
        (at.reserveA, at.reserveB) = sellsA
            ? (uint128(side.a + done.kept), uint128(side.b - done.amountOut))
            : (uint128(side.a - done.amountOut), uint128(side.b + done.kept));
    }
}
