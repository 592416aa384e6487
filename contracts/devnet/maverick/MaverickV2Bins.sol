// A model of where Maverick v2's bins lie, and how they follow the price: our own code after the published behaviour, not the
// protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A bin of kind 1 follows the price upwards, of kind 2 downwards, of kind 3 both ways, of kind 0 not at all. Bins that the
///         weighted price has left behind come together in the oldest of them, which moves next to the price.
abstract contract MaverickV2Bins {
    uint256 private constant MOST_MERGED = 3;
    int256 private constant UNIT = 1e8;

    struct TickState {
        uint128 reserveA;
        uint128 reserveB;
        uint128 totalSupply;
        uint32[4] binIdsByTick;
    }

    struct BinState {
        uint128 mergeBinBalance;
        uint128 tickBalance;
        uint128 totalSupply;
        uint8 kind;
        int32 tick;
        uint32 mergeId;
    }

    /// @dev Bins that are to come together
    struct Group {
        uint32[MOST_MERGED] ids;
        uint256 count;
        uint32 oldest;
    }

    mapping(int32 tick => TickState) internal ticks;
    mapping(uint32 id => BinState) internal bins;

    /// @notice Moves the bins that a swap has left behind.
    /// @param from  The active tick before the swap, and `tick` the one after it
    /// @param before The weighted position before the swap, and `weighted` the one after it
    function _follow(int256 from, int256 tick, int256 before, int256 weighted) internal {
        (int256 below, int256 belowBefore) = (_floor(weighted - UNIT / 2), _floor(before - UNIT / 2));
        if (tick > from || below > belowBefore) {
            int256 end = tick - 1 < below ? tick - 1 : below;
            if (belowBefore - 1 < end) {
                _gather(1, belowBefore - 1, end, end);
                _gather(3, belowBefore - 1, end, end);
                return;
            }
        }
        (int256 above, int256 aboveBefore) = (_floor(weighted + UNIT / 2), _floor(before + UNIT / 2));
        if (tick < from || above < aboveBefore) {
            int256 end = tick + 1 > above ? tick + 1 : above;
            if (end < aboveBefore + 1) {
                _gather(2, end, aboveBefore + 1, end);
                _gather(3, end, aboveBefore + 1, end);
            }
        }
    }

    function _gather(uint256 kind, int256 from, int256 to, int256 end) private {
        Group memory group;
        for (int256 tick = from; tick <= to && group.count < MOST_MERGED; tick++) {
            uint32 id = ticks[int32(tick)].binIdsByTick[kind];
            if (id == 0) continue;
            if (group.oldest == 0 || id < group.oldest) group.oldest = id;
            group.ids[group.count++] = id;
        }
        if (group.count == 0) return;
        if (group.count > 1) _merge(group, kind);
        if (bins[group.oldest].tick != end) _move(group.oldest, kind, int32(end));
    }

    function _merge(Group memory group, uint256 kind) private {
        BinState storage parent = bins[group.oldest];
        TickState storage home = ticks[parent.tick];
        uint256 a;
        uint256 b;
        uint256 added;
        for (uint256 k = 0; k < group.count; k++) {
            if (group.ids[k] == group.oldest) continue;
            (uint256 moreA, uint256 moreB) = _takeOut(group.ids[k], kind);
            uint256 worth = _worth(home, parent, moreA, moreB);
            BinState storage merged = bins[group.ids[k]];
            (merged.mergeId, merged.mergeBinBalance) = (group.oldest, uint128(worth));
            (a, b, added) = (a + moreA, b + moreB, added + worth);
        }
        uint256 gained = _div(added * _notZero(parent.tickBalance), parent.totalSupply);
        parent.totalSupply += uint128(added);
        parent.tickBalance += uint128(gained);
        home.totalSupply += uint128(gained);
        home.reserveA += uint128(a);
        home.reserveB += uint128(b);
    }

    /// @dev Shares of a bin that amounts are worth, by the token of which its tick has more
    function _worth(TickState storage home, BinState storage parent, uint256 a, uint256 b)
        private
        view
        returns (uint256)
    {
        (uint256 reserve, uint256 amount) =
            home.reserveA >= home.reserveB ? (home.reserveA, a) : (home.reserveB, b);
        uint256 own = _divUp(reserve * parent.tickBalance, home.totalSupply);
        return _div(amount * _notZero(parent.totalSupply), own);
    }

    function _move(uint32 id, uint256 kind, int32 to) private {
        (uint256 a, uint256 b) = _takeOut(id, kind);
        TickState storage end = ticks[to];
        BinState storage bin = bins[id];
        bin.tick = to;
        end.binIdsByTick[kind] = id;
        bin.tickBalance = uint128(
            a > b
                ? _div(a * _notZero(end.totalSupply), end.reserveA)
                : _div(b * _notZero(end.totalSupply), end.reserveB)
        );
        end.reserveA += uint128(a);
        end.reserveB += uint128(b);
        end.totalSupply += bin.tickBalance;
    }

    /// @dev Takes a bin with its part of the reserves out of its tick.
    function _takeOut(uint32 id, uint256 kind) private returns (uint256 a, uint256 b) {
        BinState storage bin = bins[id];
        TickState storage tick = ticks[bin.tick];
        if (tick.totalSupply > 0) {
            a = uint256(tick.reserveA) * bin.tickBalance / tick.totalSupply;
            b = uint256(tick.reserveB) * bin.tickBalance / tick.totalSupply;
        }
        tick.reserveA -= uint128(a);
        tick.reserveB -= uint128(b);
        tick.totalSupply -= bin.tickBalance;
        tick.binIdsByTick[kind] = 0;
    }

    function _floor(int256 position) private pure returns (int256) {
        return position >= 0 ? position / UNIT : -((UNIT - 1 - position) / UNIT);
    }

    function _notZero(uint256 x) private pure returns (uint256) {
        return x == 0 ? 1 : x;
    }

    function _div(uint256 x, uint256 y) private pure returns (uint256) {
        return x / _notZero(y);
    }

    function _divUp(uint256 x, uint256 y) private pure returns (uint256) {
        return (x + _notZero(y) - 1) / _notZero(y);
    }
}
