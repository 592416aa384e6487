// A model of Ekubo's core and its lens: our own code after the published equations and interface, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EkuboMath as M} from "./EkuboMath.sol";
import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IBalance {
    function balanceOf(address owner) external view returns (uint256);
}

interface IWrapper {
    function withdraw(uint256 amount) external;
}

/// @notice Pools without extension whose liquidity stands; an exact input can be sold. Steps end at initialised ticks, as
///         those of a swap do that lets the search skip ahead.
contract EkuboCore {
    struct PoolKey {
        address token0;
        address token1;
        bytes32 config;
    }

    struct TickDelta {
        int32 number;
        int128 liquidityDelta;
    }

    struct QuoteData {
        int32 tick;
        uint96 sqrtRatio;
        uint128 liquidity;
        int32 minTick;
        int32 maxTick;
        TickDelta[] ticks;
    }

    struct Edge {
        int32 tick;
        int128 net;
        uint256 price;
    }

    struct Pool {
        uint256 price;
        uint128 liquidity;
        /// Number of ticks at or below the price.
        uint32 below;
        uint256 fees0;
        uint256 fees1;
    }

    struct Run {
        uint256 left;
        uint256 paid;
        uint256 fees;
        uint256 fee;
        bool up;
        uint256 limit;
    }

    error NotTheLocker(address caller);
    error DebtsNotZeroed(uint256 debts);
    error NotSupported();

    event PoolInitialized(bytes32 poolId, PoolKey poolKey, int32 tick, uint96 sqrtRatio);

    // Places in transient storage: the locker, the number of debts, and by token its debt and the balance before a payment.
    uint256 private constant LOCKER = 0;
    uint256 private constant DEBTS = 1;
    uint256 private constant DEBT_OF = 1 << 200;
    uint256 private constant BEFORE = 2 << 200;

    mapping(bytes32 poolId => Pool) private _pools;
    mapping(bytes32 poolId => Edge[]) private _edges;

    /// @notice A new pool out of what this contract holds
    /// @param ticks ascending, with what their crossing upwards adds to the liquidity
    function open(PoolKey calldata key, uint256 price, TickDelta[] calldata ticks) external {
        bytes32 id = keccak256(abi.encode(key));
        Pool storage pool = _pools[id];
        pool.price = price;
        (pool.fees0, pool.fees1) = (1, 1);
        int128 liquidity = 0;
        for (uint256 k = 0; k < ticks.length; k++) {
            uint256 at = M.priceAtTick(ticks[k].number);
            _edges[id].push(Edge(ticks[k].number, ticks[k].liquidityDelta, at));
            if (at > price) continue;
            liquidity += ticks[k].liquidityDelta;
            pool.below++;
        }
        pool.liquidity = uint128(liquidity);
        emit PoolInitialized(id, key, M.tickAtPrice(price), M.toCompact(price));
    }

    /// @notice Turns wrapped coins that this contract holds into native ones
    function unwrap(IWrapper wrapper, uint256 amount) external {
        _store(LOCKER, 1);
        wrapper.withdraw(amount);
        _store(LOCKER, 0);
    }

    /// @notice What the lens of the protocol answers, of all ticks whatever the window
    function getQuoteData(PoolKey[] calldata keys, uint32) external view returns (QuoteData[] memory results) {
        results = new QuoteData[](keys.length);
        for (uint256 k = 0; k < keys.length; k++) {
            bytes32 id = keccak256(abi.encode(keys[k]));
            Pool storage pool = _pools[id];
            if (pool.price == 0) continue;
            Edge[] storage edges = _edges[id];
            TickDelta[] memory ticks = new TickDelta[](edges.length);
            for (uint256 n = 0; n < ticks.length; n++) ticks[n] = TickDelta(edges[n].tick, edges[n].net);
            int32 tick = M.tickAtPrice(pool.price);
            if (pool.below < ticks.length && ticks[pool.below].number <= tick) tick = ticks[pool.below].number - 1;
            results[k] =
                QuoteData(tick, M.toCompact(pool.price), pool.liquidity, -M.MAX_TICK, M.MAX_TICK, ticks);
        }
    }

    /// @notice Calls the caller back by the selector 0 with the lock's number and whatever follows this call's selector
    function lock() external {
        uint256 outer = _load(LOCKER);
        _store(LOCKER, uint160(msg.sender));
        (bool done, bytes memory answer) =
            msg.sender.call(bytes.concat(bytes4(0), bytes32(0), msg.data[4:]));
        if (done && _load(DEBTS) != 0) revert DebtsNotZeroed(_load(DEBTS));
        _store(LOCKER, outer);
        assembly ("memory-safe") {
            if iszero(done) { revert(add(answer, 0x20), mload(answer)) }
            return(add(answer, 0x20), mload(answer))
        }
    }

    /// @notice A swap, whose selector is 0: pool key, then price limit u96 | amount i128 | is it token 1 | skip ahead u31
    fallback() external payable {
        if (msg.sig != 0 || msg.data.length != 132) revert NotSupported();
        _requireLocker();
        (PoolKey memory key, uint256 words) = abi.decode(msg.data[4:], (PoolKey, uint256));
        (int256 delta0, int256 delta1, uint256 state) = _swap(key, words);
        _owe(key.token0, delta0);
        _owe(key.token1, delta1);
        bytes32 id = keccak256(abi.encode(key));
        bytes32 change = bytes32(uint256(delta0) << 128 | uint128(int128(delta1)));
        bytes memory swapped = abi.encodePacked(msg.sender, id, change, state);
        assembly ("memory-safe") {
            log0(add(swapped, 0x20), mload(swapped))
            mstore(0x00, change)
            mstore(0x20, state)
            return(0x00, 0x40)
        }
    }

    /// @notice What a swap would do, for calls that no transaction makes: they come from nobody
    function quote(PoolKey calldata key, uint256 words) external returns (int256 delta0, int256 delta1) {
        if (msg.sender != address(0)) revert NotTheLocker(msg.sender);
        (delta0, delta1,) = _swap(key, words);
    }

    function startPayments() external {
        address token = abi.decode(msg.data[4:], (address));
        _store(BEFORE | uint160(token), IBalance(token).balanceOf(address(this)) + 1);
    }

    function completePayments() external {
        address token = abi.decode(msg.data[4:], (address));
        uint256 before = _load(BEFORE | uint160(token));
        if (before == 0) return;
        _store(BEFORE | uint160(token), 0);
        _owe(token, -int256(IBalance(token).balanceOf(address(this)) + 1 - before));
    }

    function withdraw() external {
        _requireLocker();
        address token = address(bytes20(msg.data[4:24]));
        address to = address(bytes20(msg.data[24:44]));
        uint256 amount = uint128(bytes16(msg.data[44:60]));
        _owe(token, int256(amount));
        if (token != address(0)) return SafeTransfer.send(token, to, amount);
        (bool done,) = to.call{value: amount}("");
        if (!done) revert SafeTransfer.TransferFailed(token, to, amount);
    }

    receive() external payable {
        if (_load(LOCKER) == 0) revert NotTheLocker(msg.sender);
        if (_load(LOCKER) != 1) _owe(address(0), -int256(msg.value));
    }

    function _swap(PoolKey memory key, uint256 words) private returns (int256 delta0, int256 delta1, uint256 state) {
        bytes32 id = keccak256(abi.encode(key));
        Pool storage pool = _pools[id];
        int256 amount = int128(int256(words >> 32));
        bool up = words >> 31 & 1 == 1;
        if (amount <= 0 || pool.price == 0) revert NotSupported();
        Run memory run = Run({
            left: uint256(amount),
            paid: 0,
            fees: 0,
            fee: uint64(uint256(key.config) >> 32),
            up: up,
            limit: M.priceAtTick(up ? M.MAX_TICK : -M.MAX_TICK)
        });
        _walk(pool, _edges[id], run);
        if (run.fees != 0) {
            if (up) pool.fees1 += run.fees;
            else pool.fees0 += run.fees;
        }
        (delta0, delta1) = (amount - int256(run.left), -int256(run.paid));
        if (up) (delta0, delta1) = (delta1, delta0);
        state = uint256(M.toCompact(pool.price)) << 160 | pool.liquidity;
    }

    function _walk(Pool storage pool, Edge[] storage edges, Run memory run) private {
        uint256 price = pool.price;
        uint256 liquidity = pool.liquidity;
        uint256 below = pool.below;
        while (run.left != 0 && price != run.limit) {
            bool crosses = run.up ? below < edges.length : below != 0;
            uint256 edge = crosses ? edges[run.up ? below : below - 1].price : run.limit;
            price = liquidity == 0 ? edge : _step(run, price, edge, liquidity);
            if (price != edge || !crosses) continue;
            int128 net = edges[run.up ? below : below - 1].net;
            liquidity = uint256(int256(liquidity) + (run.up ? net : -net));
            below = run.up ? below + 1 : below - 1;
        }
        (pool.price, pool.liquidity, pool.below) = (price, uint128(liquidity), uint32(below));
    }

    /// @dev One stretch of constant liquidity, up to the edge at most
    function _step(Run memory run, uint256 price, uint256 edge, uint256 liquidity) private pure returns (uint256) {
        uint256 net = run.left - M.feeOf(run.left, run.fee);
        uint256 next = run.up ? M.priceAfter1(price, liquidity, net) : M.priceAfter0(price, liquidity, net);
        bool passes = run.up ? next > edge : next < edge;
        if (passes) next = edge;
        (uint256 low, uint256 high) = run.up ? (price, next) : (next, price);
        uint256 taken = run.left;
        if (passes) {
            net = run.up ? M.amount1(low, high, liquidity, true) : M.amount0(low, high, liquidity, true);
            taken = M.beforeFee(net, run.fee);
        }
        run.paid += run.up ? M.amount0(low, high, liquidity, false) : M.amount1(low, high, liquidity, false);
        run.fees += ((taken - net) << 128) / liquidity;
        run.left -= taken;
        return next;
    }

    function _requireLocker() private view {
        if (_load(LOCKER) != uint160(msg.sender)) revert NotTheLocker(msg.sender);
    }

    function _owe(address token, int256 change) private {
        int256 debt = int256(_load(DEBT_OF | uint160(token)));
        int256 next = debt + change;
        _store(DEBT_OF | uint160(token), uint256(next));
        uint256 debts = _load(DEBTS);
        if (debt == 0 && next != 0) _store(DEBTS, debts + 1);
        else if (debt != 0 && next == 0) _store(DEBTS, debts - 1);
    }

    function _load(uint256 place) private view returns (uint256 value) {
        assembly ("memory-safe") {
            value := tload(place)
        }
    }

    function _store(uint256 place, uint256 value) private {
        assembly ("memory-safe") {
            tstore(place, value)
        }
    }
}
