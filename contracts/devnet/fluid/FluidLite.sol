// A model of Fluid's DEX Lite: our own code after its published behaviour, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FluidLiteMath as M} from "./FluidLiteMath.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface ICenterPrice {
    function centerPrice(address token0, address token1) external returns (uint256);
}

interface IWrapper {
    function balanceOf(address owner) external view returns (uint256);
    function withdraw(uint256 amount) external;
}

/// @notice All pools in one contract, two words each, at the places and in the bits of the published one. An exact input
///         can be sold; parameters do not shift, and one address has all centre prices that come from outside.
/// @dev    The variables of a pool: fee in ppm 13 bits | cut of it in per cent 7 | status 2 | centre shifts 1 | centre 40 |
///         source of the centre 19 | range shifts 1 | range up 14 | range down 14 | thresholds shift 1 | upper threshold 7 |
///         lower threshold 7 | decimals 5 + 5 | supplies in 1e-9 of a token 60 + 60.
contract FluidLite {
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    bytes32 private constant ESTIMATE = keccak256("ESTIMATE_SWAP");
    uint256 private constant LARGEST = (1 << 60) - 1;
    uint256 private constant SHIFTS = (1 << 22) | (1 << 82) | (1 << 111);

    struct DexKey {
        address token0;
        address token1;
        bytes32 salt;
    }

    struct InitializeParams {
        DexKey dexKey;
        uint256 fee;
        uint256 revenueCut;
        bool rebalancingStatus;
        uint256 centerPrice;
        uint256 centerPriceContract;
        uint256 upperPercent;
        uint256 lowerPercent;
        uint256 upperShiftThreshold;
        uint256 lowerShiftThreshold;
        uint256 shiftTime;
        uint256 minCenterPrice;
        uint256 maxCenterPrice;
        uint256 token0Amount;
        uint256 token1Amount;
    }

    /// @dev A swap in its own direction; supplies and amounts in 1e-9 of a token
    struct Trade {
        bytes8 id;
        bool down;
        uint256 vars;
        uint256 center;
        uint256 reserveIn;
        uint256 reserveOut;
        uint256 supplyIn;
        uint256 supplyOut;
        uint256 given;
        uint256 paid;
    }

    mapping(address owner => uint256) private _isAuth;
    DexKey[] private _keys;
    mapping(bytes8 id => uint256) private _variables;
    mapping(bytes8 id => uint256) private _centerShift;
    mapping(bytes8 id => uint256) private _rangeShift;
    mapping(bytes8 id => uint256) private _thresholdShift;
    ICenterPrice private _center;
    bool private transient _runs;

    // Which bits have what is published with the protocol.
    event LogSwap(uint256 swapData, uint256 dexVariables);
    event LogInitialize(
        DexKey dexKey, bytes8 dexId, uint256 dexVariables, uint256 centerPriceShift, InitializeParams i
    );

    error AlreadyRuns();
    error NotSupported();
    error NativeRefused(address to);
    error EstimateSwap(uint256 amountUnspecified);
    error AmountLimitNotMet(uint256 amountUnspecified, uint256 amountLimit);
    error DexNotInitialized(bytes32 dexId);
    error AdjustedSupplyOverflow(bytes32 dexId, uint256 token0AdjustedSupply, uint256 token1AdjustedSupply);
    error InvalidSwapAmounts(uint256 adjustedAmount);
    error ExcessiveSwapAmount(uint256 adjustedAmount, uint256 imaginaryReserve);
    error TokenReservesTooLow(uint256 adjustedAmount, uint256 realReserve);
    error TokenReservesRatioTooHigh(uint256 token0RealReserve, uint256 token1RealReserve);
    error InvalidMsgValue();
    error InsufficientNativeTokenReceived(uint256 receivedAmount, uint256 requiredAmount);

    receive() external payable {}

    /// @notice Opens a pool, or sets it anew. Whoever calls sees to it that this contract holds the supplies.
    /// @param dexVariables     all of the first word
    /// @param centerPriceShift the second word; its time is replaced by that of the block
    function open(DexKey calldata key, uint256 dexVariables, uint256 centerPriceShift) external {
        bytes8 id = _idOf(key);
        _variables[id] = dexVariables;
        _centerShift[id] = _stamped(centerPriceShift);
        _keys.push(key);
        InitializeParams memory params;
        params.dexKey = key;
        emit LogInitialize(key, id, dexVariables, _centerShift[id], params);
    }

    /// @notice Who says the centre prices of the pools whose source is not 0
    function setCentre(address center) external {
        _center = ICenterPrice(center);
    }

    /// @notice Turns what this contract holds of a wrapper into the native coin
    function unwrap(address wrapper) external {
        IWrapper(wrapper).withdraw(IWrapper(wrapper).balanceOf(address(this)));
    }

    function readFromStorage(bytes32 slot) external view returns (uint256 result) {
        assembly {
            result := sload(slot)
        }
    }

    /// @notice Sells an exact input: pays first, and takes its input from the caller afterwards
    function swapSingle(
        DexKey calldata key,
        bool swap0To1,
        int256 amountSpecified,
        uint256 amountLimit,
        address to,
        bool isCallback,
        bytes calldata,
        bytes calldata extraData
    ) external payable returns (uint256 out) {
        if (_runs) revert AlreadyRuns();
        if (amountSpecified <= 0 || isCallback) revert NotSupported();
        _runs = true;
        out = _swap(key, swap0To1, uint256(amountSpecified));
        if (out < amountLimit) revert AmountLimitNotMet(out, amountLimit);
        if (extraData.length > 0) {
            if (bytes32(extraData) == ESTIMATE) revert EstimateSwap(out);
            revert NotSupported();
        }
        _pay(swap0To1 ? key.token1 : key.token0, to == address(0) ? msg.sender : to, out);
        _take(swap0To1 ? key.token0 : key.token1, uint256(amountSpecified));
        _runs = false;
    }

    function _swap(DexKey calldata key, bool down, uint256 amount) private returns (uint256) {
        Trade memory t = _tradeOf(key, down);
        t.given = _inner(amount, _decimals(t, down));
        if (t.given < 1e4 || t.given > LARGEST) revert InvalidSwapAmounts(t.given);
        if (t.given > t.reserveIn / 2) revert ExcessiveSwapAmount(t.given, t.reserveIn);
        _trade(t);
        _requireRatio(t);
        _rebalance(t);
        _store(t);
        return _outer(t.paid, _decimals(t, !down));
    }

    function _tradeOf(DexKey calldata key, bool down) private returns (Trade memory t) {
        (t.id, t.down) = (_idOf(key), down);
        t.vars = _variables[t.id];
        if (t.vars == 0) revert DexNotInitialized(t.id);
        if (t.vars & SHIFTS != 0) revert NotSupported();
        uint256 shift = M.status(t.vars) > 1 ? _centerShift[t.id] : 0;
        M.Prices memory p = M.prices(t.vars, shift, _centerOf(key, t.vars));
        t.center = p.center;
        (uint256 supply0, uint256 supply1) = (M.field(t.vars, 136, 60), t.vars >> 196);
        (t.supplyIn, t.supplyOut) = _turned(down, supply0, supply1);
        (uint256 reserve0, uint256 reserve1) = M.imaginary(p, supply0, supply1);
        (t.reserveIn, t.reserveOut) = _turned(down, reserve0, reserve1);
    }

    function _centerOf(DexKey calldata key, uint256 vars) private returns (uint256) {
        if (M.field(vars, 63, 19) == 0) return M.unpacked(M.field(vars, 23, 40));
        return _center.centerPrice(key.token0, key.token1);
    }

    /// @dev The protocol's cut of the fee does not count as supply.
    function _trade(Trade memory t) private pure {
        unchecked {
            uint256 fee = (t.given * M.field(t.vars, 0, 13)) / 1e6;
            uint256 net = t.given - fee;
            t.paid = (net * t.reserveOut) / (t.reserveIn + net);
            t.supplyIn += t.given - (fee * M.field(t.vars, 13, 7)) / 100;
            if (t.supplyOut < t.paid) revert TokenReservesTooLow(t.paid, t.supplyOut);
            t.supplyOut -= t.paid;
        }
    }

    /// @dev At the centre price, what is left must be worth a part of 10,000 of the other supply.
    function _requireRatio(Trade memory t) private pure {
        unchecked {
            uint256 least = t.down
                ? (t.supplyIn * t.center) / (M.RAY * 1e4)
                : (t.supplyIn * M.RAY) / (t.center * 1e4);
            if (t.supplyOut >= least) return;
        }
        (uint256 supply0, uint256 supply1) = _turned(t.down, t.supplyIn, t.supplyOut);
        revert TokenReservesRatioTooHigh(supply0, supply1);
    }

    /// @dev The price that decides is the one with the fee in the reserve.
    function _rebalance(Trade memory t) private {
        uint256 status = M.status(t.vars);
        if (status == M.OFF) return;
        uint256 price;
        unchecked {
            (uint256 given, uint256 left) = (t.reserveIn + t.given, t.reserveOut - t.paid);
            price = t.down ? (left * M.RAY) / given : (given * M.RAY) / left;
        }
        status = M.statusAt(t.vars, t.center, price);
        t.vars = (t.vars & ~uint256(3 << 20)) | (status << 20);
        if (status > 1) _centerShift[t.id] = _stamped(_centerShift[t.id]);
    }

    function _store(Trade memory t) private {
        (uint256 supply0, uint256 supply1) = _turned(t.down, t.supplyIn, t.supplyOut);
        if (supply0 > LARGEST || supply1 > LARGEST) revert AdjustedSupplyOverflow(t.id, supply0, supply1);
        t.vars = (t.vars & ((1 << 136) - 1)) | (supply0 << 136) | (supply1 << 196);
        _variables[t.id] = t.vars;
        uint256 head = uint256(uint64(t.id)) | (t.down ? 1 << 64 : 0);
        emit LogSwap(head | (t.given << 65) | (t.paid << 125), t.vars);
    }

    function _pay(address token, address to, uint256 amount) private {
        if (token != NATIVE) return SafeTransfer.send(token, to, amount);
        (bool done,) = to.call{value: amount, gas: 50_000}("");
        if (!done) revert NativeRefused(to);
    }

    function _take(address token, uint256 amount) private {
        if (token == NATIVE) {
            if (msg.value < amount) revert InsufficientNativeTokenReceived(msg.value, amount);
            if (msg.value > amount) _pay(NATIVE, msg.sender, msg.value - amount);
        } else {
            if (msg.value > 0) revert InvalidMsgValue();
            SafeTransfer.take(token, msg.sender, amount);
        }
    }

    function _idOf(DexKey calldata key) private pure returns (bytes8) {
        return bytes8(keccak256(abi.encode(key)));
    }

    function _stamped(uint256 shift) private view returns (uint256) {
        return ((shift >> 33) << 33) | block.timestamp;
    }

    function _turned(bool same, uint256 a, uint256 b) private pure returns (uint256, uint256) {
        return same ? (a, b) : (b, a);
    }

    function _decimals(Trade memory t, bool of0) private pure returns (uint256) {
        return M.field(t.vars, of0 ? 126 : 131, 5);
    }

    function _inner(uint256 amount, uint256 decimals) private pure returns (uint256) {
        unchecked {
            return decimals > 9 ? amount / 10 ** (decimals - 9) : amount * 10 ** (9 - decimals);
        }
    }

    function _outer(uint256 amount, uint256 decimals) private pure returns (uint256) {
        unchecked {
            return decimals > 9 ? amount * 10 ** (decimals - 9) : amount / 10 ** (9 - decimals);
        }
    }
}
