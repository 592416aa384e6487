// A model of a Maverick v1 pool: our own code after the published interface and behaviour, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MaverickBins} from "./MaverickBins.sol";
import {MaverickMath as M} from "./MaverickMath.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IMaverickToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

interface IMaverickCallback {
    function swapCallback(uint256 amountIn, uint256 amountOut, bytes calldata data) external;
}

/// @notice Ticks of one to four bins, one a kind; there is no way in or out for liquidity. An exact input can be sold.
contract MaverickPool is MaverickBins {
    struct State {
        int32 activeTick;
        uint8 status;
        uint128 binCounter;
        uint64 protocolFeeRatio;
    }

    struct BinState {
        uint128 reserveA;
        uint128 reserveB;
        uint128 mergeBinBalance;
        uint128 mergeId;
        uint128 totalSupply;
        uint8 kind;
        int32 lowerTick;
    }

    /// @dev Reserves in 18 digits
    struct Opening {
        int32 tick;
        uint8 kind;
        uint128 a;
        uint128 b;
    }

    /// @dev A swap on its way, amounts in 18 digits
    struct Run {
        uint256 left;
        uint256 taken;
        uint256 paid;
        int256 from;
        int256 tick;
        M.Tick reserves;
        M.Fill fill;
    }

    address public tokenA;
    address public tokenB;
    uint64 private scaleA;
    uint64 private scaleB;
    uint64 private share;
    uint32 private spacing;
    State private state;
    event Swap(
        address sender,
        address recipient,
        bool tokenAIn,
        bool exactOutput,
        uint256 amountIn,
        uint256 amountOut,
        int32 activeTick
    );

    error AlreadyOpen();
    error Locked();
    error NotModelled();
    error NotTakenWhole();
    error NotPaid();

    /// @notice Opens the pool with the tokens that it holds, which the bins must add up to.
    /// @param fee_ 18 digits
    /// @param ratio Thousandths of the fee
    /// @param bins_ By tick, ascending
    function open(
        address[2] calldata tokens,
        uint64 fee_,
        uint32 spacing_,
        uint64 ratio,
        int32 active,
        Opening[] calldata bins_
    ) external {
        if (state.status != 0) revert AlreadyOpen();
        (tokenA, tokenB, share, spacing) = (tokens[0], tokens[1], fee_, spacing_);
        scaleA = uint64(10 ** (18 - IMaverickToken(tokens[0]).decimals()));
        scaleB = uint64(10 ** (18 - IMaverickToken(tokens[1]).decimals()));
        state = State(active, 1, uint128(bins_.length), ratio);
        for (uint256 k = 0; k < bins_.length; k++) {
            Opening calldata one = bins_[k];
            _add(uint128(k + 1), Bin(one.a, one.b, one.kind, one.tick));
        }
        _watch(active);
    }

    function fee() external view returns (uint256) {
        return share;
    }

    function tickSpacing() external view returns (uint256) {
        return spacing;
    }

    function getState() external view returns (State memory) {
        return state;
    }

    function getBin(uint128 id) external view returns (BinState memory) {
        Bin memory bin = bins[id];
        return BinState(bin.a, bin.b, 0, 0, 0, bin.kind, bin.tick);
    }

    /// @param exactOutput    False: nothing else is modelled
    /// @param sqrtPriceLimit 0: no limit is modelled
    function swap(
        address recipient,
        uint256 amount,
        bool tokenAIn,
        bool exactOutput,
        uint256 sqrtPriceLimit,
        bytes calldata data
    ) external returns (uint256 amountIn, uint256 amountOut) {
        if (exactOutput || sqrtPriceLimit != 0) revert NotModelled();
        if (state.status != 1) revert Locked();
        state.status = 2;
        Run memory run = _begin(amount, tokenAIn);
        do {
            _next(run, tokenAIn);
            _keep(run, tokenAIn);
        } while (run.fill.excess > 0);
        (amountIn, amountOut) = (amount, _end(run, amount, tokenAIn));
        (address tokenIn, address tokenOut) = tokenAIn ? (tokenA, tokenB) : (tokenB, tokenA);
        if (amountOut > 0) SafeTransfer.send(tokenOut, recipient, amountOut);
        uint256 held = IMaverickToken(tokenIn).balanceOf(address(this));
        IMaverickCallback(msg.sender).swapCallback(amountIn, amountOut, data);
        if (IMaverickToken(tokenIn).balanceOf(address(this)) < held + amountIn) revert NotPaid();
        state.activeTick = int32(run.tick);
        _follow(run.tick);
        state.status = 1;
        emit Swap(msg.sender, recipient, tokenAIn, false, amountIn, amountOut, int32(run.tick));
    }

    /// @notice What a swap would pay, of this model alone
    function quote(uint256 amount, bool tokenAIn) external view returns (uint256 amountOut) {
        Run memory run = _begin(amount, tokenAIn);
        do {
            _next(run, tokenAIn);
        } while (run.fill.excess > 0);
        return _end(run, amount, tokenAIn);
    }

    function _begin(uint256 amount, bool sellsA) private view returns (Run memory run) {
        run.left = amount * (sellsA ? scaleA : scaleB);
        run.from = state.activeTick;
    }

    function _end(Run memory run, uint256 amount, bool sellsA) private view returns (uint256) {
        if (run.taken != amount * (sellsA ? scaleA : scaleB)) revert NotTakenWhole();
        return run.paid / (sellsA ? scaleB : scaleA);
    }

    /// @dev Sells into the next tick that has bins.
    function _next(Run memory run, bool sellsA) private view {
        run.tick = sellsA ? _above(run.from) : _below(run.from);
        (run.reserves.a, run.reserves.b) = (0, 0);
        uint256 kinds = _kinds(run.tick);
        for (uint256 kind = 0; kind < KINDS; kind++) {
            if ((kinds >> kind) & 1 == 0) continue;
            Bin storage bin = bins[binPositions[int32(run.tick)][kind]];
            run.reserves.a += bin.a;
            run.reserves.b += bin.b;
        }
        int256 width = int256(uint256(spacing));
        run.reserves.lower = M.sqrtPriceAt(run.tick * width);
        run.reserves.upper = M.sqrtPriceAt((run.tick + 1) * width);
        M.Fill memory filled = M.fill(run.reserves, sellsA, run.left, share);
        run.fill = filled;
        run.left = filled.excess;
        run.taken += filled.amountIn;
        run.paid += filled.amountOut;
        run.from = sellsA ? run.tick + 1 : run.tick - 1;
    }

    /// @dev Bins of a tick take and pay by their share of it.
    function _keep(Run memory run, bool sellsA) private {
        if (run.reserves.a + run.reserves.b == 0) return;
        uint256 ratio = uint256(state.protocolFeeRatio) * 1e15;
        uint256 cut = ratio == 0 ? 0 : M.mul(run.fill.fee, ratio) + 1;
        uint256 kept = run.fill.amountIn > cut ? run.fill.amountIn - cut : 0;
        uint256 kinds = _kinds(run.tick);
        for (uint256 kind = 0; kind < KINDS; kind++) {
            if ((kinds >> kind) & 1 != 0) _move(bins[binPositions[int32(run.tick)][kind]], run, sellsA, kept);
        }
    }

    function _move(Bin storage bin, Run memory run, bool sellsA, uint256 kept) private {
        (uint256 a, uint256 b) = (bin.a, bin.b);
        (uint256 part, uint256 total) = run.reserves.b > 0 ? (b, run.reserves.b) : (a, run.reserves.a);
        uint256 into = kept * part / total;
        uint256 out = (run.fill.amountOut * part + total - 1) / total;
        uint256 reserve = sellsA ? b : a;
        uint256 rest = run.fill.excess > 0 || out > reserve ? 0 : reserve - out;
        (a, b) = sellsA ? (a + into, rest) : (rest, b + into);
        (bin.a, bin.b) = (uint128(a), uint128(b));
    }
}
