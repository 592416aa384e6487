// A model of the bins of a Liquidity Book pair: our own code after the published equations, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IBookToken {
    function balanceOf(address owner) external view returns (uint256);
}

/// @notice Bins of constant price with a fee that follows volatility, as all versions have them. The bins are those of the
///         opening; there is no share token, no flash loan and no oracle of past prices.
abstract contract LiquidityBookBins {
    uint256 private constant PRECISION = 1e18;
    uint256 private constant MAX_FEE = 0.1e18;
    uint256 internal constant BASIS_POINTS = 10_000;
    uint256 private constant REAL_ID = 1 << 23;
    uint256 internal constant WIDTH = 128;

    /// @dev Basis points, seconds, and volatility in basis points of a bin
    struct Parameters {
        uint16 baseFactor;
        uint16 filterPeriod;
        uint16 decayPeriod;
        uint16 reductionFactor;
        uint24 variableFeeControl;
        uint16 protocolShare;
        uint24 maxVolatility;
    }

    struct Volatility {
        uint24 accumulator;
        uint24 reference_;
        uint24 idReference;
        uint40 time;
    }

    struct Bin {
        uint128 x;
        uint128 y;
    }

    /// @dev What one bin takes and pays
    struct Fill {
        uint256 amountIn;
        uint256 amountOut;
        uint256 fee;
    }

    address internal _tokenX;
    address internal _tokenY;
    uint16 internal binStep;
    uint24 internal activeId;
    uint24 private firstId;
    uint24 private lastId;
    Parameters internal parameters;
    Volatility internal volatility;
    mapping(uint256 id => Bin) private bins;
    /// What the bins and the protocol's fees add up to: more than this was sent to be sold
    uint256 internal accountedX;
    uint256 internal accountedY;

    error AlreadyOpen();
    error LBPair__InsufficientAmountIn();
    error LBPair__InsufficientAmountOut();
    error LBPair__OutOfLiquidity();
    error FeeTooHigh(uint256 fee);

    /// @notice Opens the pair with the tokens that it holds, which the bins must add up to.
    /// @param active Offset of the active bin among `bins_`, whose first has the id `first`
    function open(
        address[2] calldata tokens,
        uint16 step,
        Parameters calldata parameters_,
        Volatility calldata volatility_,
        uint24 first,
        uint24 active,
        Bin[] calldata bins_
    ) external {
        if (_tokenX != address(0)) revert AlreadyOpen();
        (_tokenX, _tokenY, binStep, parameters, volatility) = (tokens[0], tokens[1], step, parameters_, volatility_);
        (firstId, lastId, activeId) = (first, first + uint24(bins_.length) - 1, first + active);
        for (uint256 k = 0; k < bins_.length; k++) bins[first + k] = bins_[k];
        (accountedX, accountedY) = (_held(_tokenX), _held(_tokenY));
    }

    function getTokenX() external view returns (address) {
        return _tokenX;
    }

    function getTokenY() external view returns (address) {
        return _tokenY;
    }

    function getBinStep() external view returns (uint16) {
        return binStep;
    }

    function getBin(uint24 id) external view returns (uint128, uint128) {
        return (bins[id].x, bins[id].y);
    }

    /// @return left What no bin takes
    /// @return paid Smallest units of the other token, the fee taken
    /// @return fee  Of the token sold
    function getSwapOut(uint128 amountIn, bool swapForY)
        external
        view
        returns (uint128 left, uint128 paid, uint128 fee)
    {
        Volatility memory moved = _atThisTime();
        uint256 rest = amountIn;
        for (uint256 id = activeId; rest > 0 && id >= firstId && id <= lastId; id = swapForY ? id - 1 : id + 1) {
            if (_reserveOut(id, swapForY) == 0) continue;
            _moveTo(moved, id);
            Fill memory fill = _fill(id, swapForY, rest, moved.accumulator);
            rest -= fill.amountIn;
            paid += uint128(fill.amountOut);
            fee += uint128(fill.fee);
        }
        left = uint128(rest);
    }

    /// @notice Sells what the pair finds above its own.
    function _sell(bool swapForY, address to) internal returns (uint256 paid) {
        uint256 rest = swapForY ? _held(_tokenX) - accountedX : _held(_tokenY) - accountedY;
        if (rest == 0) revert LBPair__InsufficientAmountIn();
        if (swapForY) accountedX += rest;
        else accountedY += rest;

        Volatility memory moved = _atThisTime();
        uint256 id = activeId;
        while (true) {
            if (_reserveOut(id, swapForY) > 0) {
                _moveTo(moved, id);
                Fill memory fill = _fill(id, swapForY, rest, moved.accumulator);
                _store(id, swapForY, fill, to, moved.accumulator);
                rest -= fill.amountIn;
                paid += fill.amountOut;
            }
            if (rest == 0) break;
            if (id == (swapForY ? firstId : lastId)) revert LBPair__OutOfLiquidity();
            id = swapForY ? id - 1 : id + 1;
        }
        if (paid == 0) revert LBPair__InsufficientAmountOut();
        (activeId, volatility) = (uint24(id), moved);
        if (swapForY) accountedY -= paid;
        else accountedX -= paid;
        SafeTransfer.send(swapForY ? _tokenY : _tokenX, to, paid);
    }

    /// @notice Says what a bin took and paid.
    /// @return kept What stays in the bin of what it took
    function _announce(uint256 id, bool swapForY, Fill memory fill, address to, uint24 accumulator)
        internal
        virtual
        returns (uint256 kept);

    /// @dev After the filter period the active bin becomes the reference, and what volatility there was decays.
    function _atThisTime() private view returns (Volatility memory moved) {
        moved = volatility;
        uint256 elapsed = block.timestamp - moved.time;
        if (elapsed >= parameters.filterPeriod) {
            moved.idReference = activeId;
            moved.reference_ = elapsed < parameters.decayPeriod
                ? uint24((uint256(moved.accumulator) * parameters.reductionFactor) / BASIS_POINTS)
                : 0;
        }
        moved.time = uint40(block.timestamp);
    }

    function _moveTo(Volatility memory moved, uint256 id) private view {
        uint256 distance = id > moved.idReference ? id - moved.idReference : moved.idReference - id;
        uint256 accumulated = moved.reference_ + distance * BASIS_POINTS;
        uint256 most = parameters.maxVolatility;
        moved.accumulator = uint24(accumulated > most ? most : accumulated);
    }

    function _reserveOut(uint256 id, bool swapForY) private view returns (uint256) {
        return swapForY ? bins[id].y : bins[id].x;
    }

    function _fill(uint256 id, bool swapForY, uint256 rest, uint256 accumulator) private view returns (Fill memory) {
        uint256 price = priceOf(id);
        uint256 fee = _feeAt(accumulator);
        uint256 reserve = _reserveOut(id, swapForY);
        uint256 most = swapForY ? _up(reserve << WIDTH, price) : _up(reserve * price, 1 << WIDTH);
        uint256 mostFee = _up(most * fee, PRECISION - fee);
        if (rest >= most + mostFee) return Fill(most + mostFee, reserve, mostFee);
        uint256 taken = _up(rest * fee, PRECISION);
        uint256 net = rest - taken;
        uint256 paid = swapForY ? (net * price) >> WIDTH : (net << WIDTH) / price;
        return Fill(rest, paid > reserve ? reserve : paid, taken);
    }

    function _store(uint256 id, bool swapForY, Fill memory fill, address to, uint24 accumulator) private {
        uint256 kept = _announce(id, swapForY, fill, to, accumulator);
        Bin storage bin = bins[id];
        if (swapForY) (bin.x, bin.y) = (bin.x + uint128(kept), bin.y - uint128(fill.amountOut));
        else (bin.x, bin.y) = (bin.x - uint128(fill.amountOut), bin.y + uint128(kept));
    }

    /// @dev Base and variable fee with 18 digits
    function _feeAt(uint256 accumulator) private view returns (uint256 fee) {
        fee = uint256(parameters.baseFactor) * binStep * 1e10;
        uint256 product = accumulator * binStep;
        if (parameters.variableFeeControl > 0) fee += _up(product * product * parameters.variableFeeControl, 100);
        if (fee > MAX_FEE) revert FeeTooHigh(fee);
    }

    /// @return result (1 + binStep/10^4)^(id - 2^23), 128.128 fixed point, cut at every multiplication
    function priceOf(uint256 id) public view returns (uint256 result) {
        result = 1 << WIDTH;
        if (id == REAL_ID) return result;
        uint256 rest = id > REAL_ID ? id - REAL_ID : REAL_ID - id;
        // The base is over 1: its inverse is raised, and the result is turned once more.
        uint256 squared = type(uint256).max / ((1 << WIDTH) + (uint256(binStep) << WIDTH) / BASIS_POINTS);
        for (; rest > 0; rest >>= 1) {
            if (rest & 1 == 1) result = (result * squared) >> WIDTH;
            squared = (squared * squared) >> WIDTH;
        }
        if (id > REAL_ID) result = type(uint256).max / result;
    }

    function _up(uint256 above, uint256 below) private pure returns (uint256) {
        return above == 0 ? 0 : (above - 1) / below + 1;
    }

    function _held(address token) private view returns (uint256) {
        return IBookToken(token).balanceOf(address(this));
    }
}
