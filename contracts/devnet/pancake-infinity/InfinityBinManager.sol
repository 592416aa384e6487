// A model of PancakeSwap Infinity's manager of bins: our own code after its published rules, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {InfinityManager} from "./InfinityManager.sol";

/// @notice Pools of bins of constant price. Bins are those of the opening, of which all that are known have providers.
contract InfinityBinManager is InfinityManager {
    uint256 private constant WIDTH = 128;
    uint256 private constant REAL_ID = 1 << 23;
    uint256 private constant BASIS_POINTS = 10_000;
    uint256 private constant SHARES = 1e18;

    struct Bin {
        uint128 x;
        uint128 y;
    }

    struct Pool {
        uint24 activeId;
        uint24 protocolFee;
        uint24 lpFee;
        uint24 firstId;
        uint24 lastId;
        uint16 binStep;
        mapping(uint256 id => Bin) bins;
    }

    /// @dev What is left of a swap's amount, and what it has moved so far
    struct Swapped {
        uint256 left;
        uint256 sold;
        uint256 bought;
        uint256 protocolPart;
    }

    mapping(bytes32 id => Pool) private pools;

    event Initialize(
        bytes32 indexed id,
        address indexed currency0,
        address indexed currency1,
        address hooks,
        uint24 fee,
        bytes32 parameters,
        uint24 activeId
    );
    event Swap(
        bytes32 indexed id,
        address indexed sender,
        int128 amount0,
        int128 amount1,
        uint24 activeId,
        uint24 fee,
        uint16 protocolFee
    );

    error AmountSpecifiedIsZero();
    error BinPool__OutOfLiquidity();
    error BinPool__InsufficientAmountUnSpecified();

    /// @notice Makes a pool with bins from `first` on, whose tokens the Vault holds already.
    function create(PoolKey calldata key, uint24 first, uint24 activeId, uint24 protocolFee, Bin[] calldata bins)
        external
    {
        bytes32 id = _newId(key);
        Pool storage pool = pools[id];
        if (pool.activeId != 0) revert PoolAlreadyInitialized();
        (pool.activeId, pool.protocolFee, pool.lpFee) = (activeId, protocolFee, key.fee);
        (pool.firstId, pool.lastId) = (first, first + uint24(bins.length) - 1);
        pool.binStep = uint16(_spacingOf(key));
        for (uint256 k = 0; k < bins.length; k++) pool.bins[first + k] = bins[k];
        emit Initialize(id, key.currency0, key.currency1, key.hooks, key.fee, key.parameters, activeId);
    }

    function getSlot0(bytes32 id) external view returns (uint24, uint24, uint24) {
        Pool storage pool = pools[id];
        return (pool.activeId, pool.protocolFee, pool.lpFee);
    }

    function getBin(bytes32 id, uint24 binId) external view returns (uint128, uint128, uint256, uint256) {
        Pool storage pool = pools[id];
        Bin memory bin = pool.bins[binId];
        bool isIn = binId >= pool.firstId && binId <= pool.lastId;
        uint256 liquidity = uint256(bin.x) * _priceOf(binId, pool.binStep) + (uint256(bin.y) << WIDTH);
        return (bin.x, bin.y, liquidity, isIn ? SHARES : 0);
    }

    /// @param amountSpecified below 0: sold; above: bought
    function swap(PoolKey calldata key, bool swapForY, int128 amountSpecified, bytes calldata)
        external
        returns (int256 delta)
    {
        if (amountSpecified == 0) revert AmountSpecifiedIsZero();
        bytes32 id = _idOf(key);
        Pool storage pool = pools[id];
        if (pool.activeId == 0) revert PoolNotInitialized();
        (uint256 protocolFee, uint256 fee) = _fees(pool.protocolFee, pool.lpFee, swapForY);
        Swapped memory swapped = _cross(pool, swapForY, amountSpecified, protocolFee, fee);
        _accrue(key, swapForY, swapped.protocolPart);
        delta = _settle(key, swapForY, swapped.sold, swapped.bought);
        emit Swap(
            id, msg.sender, int128(delta >> 128), int128(delta), pool.activeId, uint24(fee), uint16(protocolFee)
        );
    }

    function _cross(Pool storage pool, bool swapForY, int128 amountSpecified, uint256 protocolFee, uint256 fee)
        private
        returns (Swapped memory swapped)
    {
        bool sells = amountSpecified < 0;
        swapped.left = sells ? uint256(-int256(amountSpecified)) : uint256(int256(amountSpecified));
        uint256 id = pool.activeId;
        while (true) {
            _fill(pool, swapped, id, sells, swapForY, protocolFee, fee);
            if (swapped.left == 0) break;
            if (id == (swapForY ? pool.firstId : pool.lastId)) revert BinPool__OutOfLiquidity();
            id = swapForY ? id - 1 : id + 1;
        }
        if ((sells ? swapped.bought : swapped.sold) == 0) revert BinPool__InsufficientAmountUnSpecified();
        pool.activeId = uint24(id);
    }

    /// @dev Swaps within one bin, which keeps the fee but for the protocol's part.
    function _fill(
        Pool storage pool,
        Swapped memory swapped,
        uint256 id,
        bool sells,
        bool swapForY,
        uint256 protocolFee,
        uint256 fee
    ) private {
        Bin memory bin = pool.bins[id];
        uint256 reserve = swapForY ? bin.y : bin.x;
        if (reserve == 0) return;
        uint256 price = _priceOf(id, pool.binStep);
        uint256 paid = sells || reserve < swapped.left ? reserve : swapped.left;
        uint256 net = swapForY ? _up(paid << WIDTH, price) : _up(paid * price, 1 << WIDTH);
        uint256 feePart = _up(net * fee, PPM - fee);
        uint256 taken = net + feePart;
        if (sells && swapped.left < taken) {
            taken = swapped.left;
            feePart = _up(taken * fee, PPM);
            net = taken - feePart;
            paid = swapForY ? (net * price) >> WIDTH : (net << WIDTH) / price;
            if (paid > reserve) paid = reserve;
        }
        swapped.left -= sells ? taken : paid;
        swapped.sold += taken;
        swapped.bought += paid;
        uint256 part = fee == 0 ? 0 : (feePart * protocolFee) / fee;
        swapped.protocolPart += part;
        uint128 kept = uint128(taken - part);
        if (swapForY) pool.bins[id] = Bin(bin.x + kept, bin.y - uint128(paid));
        else pool.bins[id] = Bin(bin.x - uint128(paid), bin.y + kept);
    }

    /// @return result (1 + binStep/10^4)^(id - 2^23), 128.128 fixed point, cut at every multiplication
    function _priceOf(uint256 id, uint256 binStep) private pure returns (uint256 result) {
        result = 1 << WIDTH;
        if (id == REAL_ID) return result;
        uint256 rest = id > REAL_ID ? id - REAL_ID : REAL_ID - id;
        // The base is over 1: its inverse is raised, and the result is turned once more.
        uint256 squared = type(uint256).max / ((1 << WIDTH) + (binStep << WIDTH) / BASIS_POINTS);
        for (; rest > 0; rest >>= 1) {
            if (rest & 1 == 1) result = (result * squared) >> WIDTH;
            squared = (squared * squared) >> WIDTH;
        }
        if (id > REAL_ID) result = type(uint256).max / result;
    }

    function _up(uint256 above, uint256 below) private pure returns (uint256) {
        return above == 0 ? 0 : (above - 1) / below + 1;
    }
}
