// A model of Fluid's DEX: our own code after its published behaviour, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Roots} from "../shared/Roots.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IFluidToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
}

interface IWrapped is IFluidToken {
    function withdraw(uint256 amount) external;
}

/// @notice Two halves with a curve each, which sell together. The pool holds its tokens itself: nothing earns interest,
///         the centre price stays, and reserves grow by what is sold and fall by what is paid. Reserves are in 1e-12 of
///         a token.
contract FluidPool {
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    uint256 private constant PPM = 1e6;
    uint256 private constant RAY = 1e27;
    uint256 private constant RATIO = 1e4;

    struct Half {
        uint128 real0;
        uint128 real1;
        uint128 imaginary0;
        uint128 imaginary1;
    }

    /// @dev What a swap may take out of a half, smallest units: grows from `available` at the opening to `expandsTo` in
    ///      `duration` seconds, and does not fall with what is taken
    struct Limit {
        uint112 available;
        uint112 expandsTo;
        uint32 duration;
    }

    /// @dev fee in ppm of the input; revenueCut in per cent of the fee; centerPrice token1 per token0, 27 decimals
    struct Terms {
        uint64 fee;
        uint64 revenueCut;
        uint128 centerPrice;
    }

    /// @dev A half in the direction of a swap
    struct Lane {
        uint256 realIn;
        uint256 realOut;
        uint256 inReserve;
        uint256 outReserve;
    }

    /// @dev Both halves, and what each takes and pays
    struct Trade {
        Lane[2] lanes;
        uint256[2] taken;
        uint256[2] paid;
        uint256 total;
        uint256 out;
        uint256 price;
    }

    address public token0;
    address public token1;
    uint32 private opened;
    uint32 private time;
    uint128 private price;
    uint128 private priceBefore;
    Terms public terms;
    Half[2] private halves;
    /// @dev Withdrawable of token 0 and 1, borrowable of token 0 and 1
    Limit[4] private limits;
    uint64[4] private scales;

    event Swap(bool swap0to1, uint256 amountIn, uint256 amountOut, address to);

    error AlreadyOpen();
    error BadAmount(uint256 amount);
    error BadValue(uint256 value);
    error TooFew(uint256 left);
    error Limited(uint256 paid);
    error PriceMoved(uint256 before, uint256 price);
    error TooLittle(uint256 paid, uint256 least);
    error NativeRefused(address to);

    /// @notice Opens the pool with the tokens that it holds.
    /// @param wrapped The wrapper of the native coin, which is unwrapped where a token is the native coin
    function open(
        address[2] calldata tokens,
        address wrapped,
        Terms calldata terms_,
        Half[2] calldata halves_,
        Limit[4] calldata limits_
    ) external {
        if (token0 != address(0)) revert AlreadyOpen();
        (token0, token1, terms) = (tokens[0], tokens[1], terms_);
        (opened, time) = (uint32(block.timestamp), uint32(block.timestamp));
        for (uint256 k = 0; k < 2; k++) {
            halves[k] = halves_[k];
            (scales[2 * k], scales[2 * k + 1]) = _scaleOf(tokens[k]);
            if (tokens[k] == NATIVE) IWrapped(wrapped).withdraw(IWrapped(wrapped).balanceOf(address(this)));
        }
        for (uint256 k = 0; k < 4; k++) limits[k] = limits_[k];
        Half memory one = halves_[halves_[0].imaginary0 > 0 ? 0 : 1];
        price = uint128(_rounded((uint256(one.imaginary1) * RAY) / one.imaginary0));
        priceBefore = price;
    }

    receive() external payable {}

    /// @notice Numerators and denominators from smallest units to 1e-12 of a token
    function constantsView2() external view returns (uint256, uint256, uint256, uint256) {
        return (scales[0], scales[1], scales[2], scales[3]);
    }

    /// @notice The packed variables of the slots 0 and 1, as far as a swap depends on them
    function readFromStorage(bytes32 slot) external view returns (uint256) {
        if (slot == 0) {
            uint256 prices = (_packed(priceBefore) << 1) | (_packed(price) << 41);
            return prices | (_packed(terms.centerPrice) << 81) | (uint256(time) << 121);
        }
        uint256 enabled = (halves[0].imaginary0 > 0 ? 1 : 0) | (halves[1].imaginary0 > 0 ? 2 : 0);
        return enabled | (uint256(terms.fee) << 2) | (uint256(terms.revenueCut) << 19);
    }

    function reserves() external view returns (Half[2] memory, Limit[4] memory now_) {
        for (uint256 k = 0; k < 4; k++) {
            now_[k] = limits[k];
            now_[k].available = uint112(_limitOf(k));
            uint32 passed = uint32(block.timestamp) - opened;
            now_[k].duration = passed < limits[k].duration ? limits[k].duration - passed : 0;
        }
        return (halves, now_);
    }

    /// @notice What a swap would pay
    function estimate(bool swap0to1, uint256 amount) external view returns (uint256) {
        return _trade(swap0to1, amount).out;
    }

    /// @notice Sells an exact amount, pulled from the caller or sent along, and pays `to`.
    function swapIn(bool swap0to1, uint256 amount, uint256 least, address to)
        external
        payable
        returns (uint256 out)
    {
        Trade memory trade = _trade(swap0to1, amount);
        out = trade.out;
        if (out < least) revert TooLittle(out, least);
        (address sold, address bought) = swap0to1 ? (token0, token1) : (token1, token0);
        if (msg.value != (sold == NATIVE ? amount : 0)) revert BadValue(msg.value);
        _book(swap0to1, trade);
        if (sold != NATIVE) SafeTransfer.take(sold, msg.sender, amount);
        if (to == address(0)) to = msg.sender;
        if (bought == NATIVE) _sendNative(to, out);
        else SafeTransfer.send(bought, to, out);
        emit Swap(swap0to1, amount, out, to);
    }

    function _sendNative(address to, uint256 amount) private {
        (bool done,) = to.call{value: amount, gas: 50_000}("");
        if (!done) revert NativeRefused(to);
    }

    function _trade(bool swap0to1, uint256 amount) private view returns (Trade memory t) {
        uint256 way = swap0to1 ? 0 : 2;
        t.total = (amount * scales[way]) / scales[way + 1];
        bool few = amount < 100 || t.total < 1e6;
        if (few || amount > type(uint128).max || t.total > type(uint96).max) revert BadAmount(amount);
        t.lanes = [_lane(halves[0], swap0to1), _lane(halves[1], swap0to1)];
        if (t.total > (t.lanes[0].inReserve + t.lanes[1].inReserve) / 2) revert BadAmount(amount);
        t.taken[0] = _shareOf(t);
        t.taken[1] = t.total - t.taken[0];
        for (uint256 k = 0; k < 2; k++) {
            if (t.taken[k] == 0) continue;
            uint256 net = (t.taken[k] * (PPM - terms.fee)) / PPM;
            t.paid[k] = (net * t.lanes[k].outReserve) / (t.lanes[k].inReserve + net);
            _requireReserves(swap0to1, t.lanes[k], t.taken[k], t.paid[k]);
            uint256 units = _units(t.paid[k], 2 - way);
            if (units > _limitOf(2 * k + (swap0to1 ? 1 : 0))) revert Limited(units);
            t.out += units;
        }
        _cut(t);
        _setPrice(swap0to1, t);
    }

    /// @dev The protocol's cut never reaches the reserves.
    function _cut(Trade memory t) private view {
        uint256 kept = 1e8 - uint256(terms.revenueCut) * terms.fee;
        for (uint256 k = 0; k < 2; k++) t.taken[k] = (t.taken[k] * kept) / 1e8;
    }

    /// @dev The price of the half that takes more, which may be 5 % from the one before.
    function _setPrice(bool swap0to1, Trade memory t) private view {
        uint256 k = t.taken[0] > t.taken[1] ? 0 : 1;
        (uint256 given, uint256 left) = (t.lanes[k].inReserve + t.taken[k], t.lanes[k].outReserve - t.paid[k]);
        t.price = swap0to1 ? (left * RAY) / given : (given * RAY) / left;
        uint256 before = block.timestamp > time ? price : priceBefore;
        int256 change = 1e18 - int256((before * 1e18) / t.price);
        if (change > 5e16 || change < -5e16) revert PriceMoved(before, t.price);
    }

    /// @dev What the first half takes so that both end at one price, fees aside.
    function _shareOf(Trade memory t) private pure returns (uint256) {
        (Lane memory c, Lane memory d) = (t.lanes[0], t.lanes[1]);
        if (d.inReserve == 0) return t.total;
        if (c.inReserve == 0) return 0;
        uint256 ours = Roots.sqrt(c.inReserve * c.outReserve * 1e18);
        uint256 other = Roots.sqrt(d.inReserve * d.outReserve * 1e18);
        (uint256 above, uint256 below) = ((d.inReserve + t.total) * ours, c.inReserve * other);
        if (above <= below) return 0;
        uint256 share = (above - below) / (ours + other);
        return share < t.total ? share : t.total;
    }

    function _requireReserves(bool swap0to1, Lane memory lane, uint256 taken, uint256 paid) private view {
        if (paid > lane.realOut) revert TooFew(0);
        (uint256 given, uint256 left) = (lane.realIn + taken, lane.realOut - paid);
        uint256 center = terms.centerPrice;
        uint256 least = swap0to1 ? (given * center) / (RAY * RATIO) : (given * RAY) / (center * RATIO);
        if (left < least) revert TooFew(left);
    }

    function _book(bool swap0to1, Trade memory t) private {
        for (uint256 k = 0; k < 2; k++) {
            (uint128 taken, uint128 paid) = (uint128(t.taken[k]), uint128(t.paid[k]));
            Half storage half = halves[k];
            (uint128 real0, uint128 real1) = (half.real0, half.real1);
            (uint128 imaginary0, uint128 imaginary1) = (half.imaginary0, half.imaginary1);
            (half.real0, half.real1) =
                swap0to1 ? (real0 + taken, real1 - paid) : (real0 - paid, real1 + taken);
            (half.imaginary0, half.imaginary1) = swap0to1
                ? (imaginary0 + taken, imaginary1 - paid)
                : (imaginary0 - paid, imaginary1 + taken);
        }
        if (block.timestamp > time) (time, priceBefore) = (uint32(block.timestamp), price);
        price = uint128(_rounded(t.price));
    }

    function _lane(Half memory h, bool swap0to1) private pure returns (Lane memory) {
        return swap0to1
            ? Lane(h.real0, h.real1, h.imaginary0, h.imaginary1)
            : Lane(h.real1, h.real0, h.imaginary1, h.imaginary0);
    }

    function _limitOf(uint256 k) private view returns (uint256) {
        (Limit memory limit, uint256 passed) = (limits[k], block.timestamp - opened);
        if (passed >= limit.duration) return limit.expandsTo;
        return limit.available + (uint256(limit.expandsTo - limit.available) * passed) / limit.duration;
    }

    function _units(uint256 amount, uint256 way) private view returns (uint256) {
        return (amount * scales[way + 1]) / scales[way];
    }

    function _scaleOf(address token) private view returns (uint64 above, uint64 below) {
        uint8 decimals = token == NATIVE ? 18 : IFluidToken(token).decimals();
        (above, below) = (1, 1);
        if (decimals > 12) below = uint64(10) ** (decimals - 12);
        else above = uint64(10) ** (12 - decimals);
    }

    /// @dev A number as 32 bits and an exponent of 8, rounded down
    function _packed(uint256 value) private pure returns (uint256) {
        uint256 shift = 0;
        while (value >> shift >= 1 << 32) shift++;
        return ((value >> shift) << 8) | shift;
    }

    function _rounded(uint256 value) private pure returns (uint256) {
        uint256 packed = _packed(value);
        return (packed >> 8) << (packed & 0xff);
    }
}
