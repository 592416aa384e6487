// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20, Priced} from "./Pools.sol";

interface ILockCallback {
    function lockAcquired(bytes calldata data) external returns (bytes memory);
}

/// PancakeSwap Infinity's Vault reduced to its accounts: managers that it knows move debts of whoever swaps with them, settle
/// and take move tokens, and a lock ends even.
contract InfinityVaultModel {
    mapping(address => bool) private known;
    mapping(address => mapping(address => int256)) private deltas;
    uint256 private open;
    address private locker;
    address private synced;
    uint256 private syncedBalance;

    function registerApp(address app) external {
        known[app] = true;
    }

    function lock(bytes calldata data) external returns (bytes memory result) {
        require(locker == address(0), "LockerAlreadySet");
        locker = msg.sender;
        result = ILockCallback(msg.sender).lockAcquired(data);
        require(open == 0, "CurrencyNotSettled");
        locker = address(0);
    }

    function account(address who, address currency, int256 change) external {
        require(locker != address(0), "NoLocker");
        require(known[msg.sender], "AppUnregistered");
        _account(who, currency, change);
    }

    function sync(address currency) external {
        synced = currency;
        if (currency != address(0)) syncedBalance = IErc20(currency).balanceOf(address(this));
    }

    function settle() external payable returns (uint256 paid) {
        require(locker != address(0), "NoLocker");
        if (synced == address(0)) {
            paid = msg.value;
        } else {
            require(msg.value == 0, "SettleNonNativeCurrencyWithValue");
            paid = IErc20(synced).balanceOf(address(this)) - syncedBalance;
        }
        _account(msg.sender, synced, int256(paid));
        synced = address(0);
    }

    function take(address currency, address to, uint256 amount) external {
        require(locker != address(0), "NoLocker");
        _account(msg.sender, currency, -int256(amount));
        if (currency == address(0)) payable(to).transfer(amount);
        else IErc20(currency).transfer(to, amount);
    }

    function _account(address who, address currency, int256 change) private {
        int256 before = deltas[who][currency];
        deltas[who][currency] = before + change;
        if (before == 0 && change != 0) open += 1;
        if (before != 0 && before + change == 0) open -= 1;
    }

    receive() external payable {}
}

/// Both managers in one: every pool of two ordered currencies with a fee of 3000 and these parameters exists, trades at
/// `rate`, and notes how it was last asked.
contract InfinityManagerModel is Priced {
    struct PoolKey {
        address currency0;
        address currency1;
        address hooks;
        address poolManager;
        uint24 fee;
        bytes32 parameters;
    }

    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    address public constant HOOKS = address(0xc0ffee);
    uint256 public constant PARAMETERS = 5000 << 16 | 3;
    InfinityVaultModel public immutable vault;
    /// Parts of a thousand of the input that a swap takes; 1000 is honest.
    uint256 public takes = 1000;
    uint256 public swapsOfTicks;
    uint256 public swapsOfBins;

    constructor(InfinityVaultModel vault_) {
        vault = vault_;
        vault_.registerApp(address(this));
    }

    function setTakes(uint256 value) external {
        takes = value;
    }

    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata hookData) external returns (int256) {
        swapsOfTicks += 1;
        bool down = params.zeroForOne;
        uint160 limit = down ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        require(params.sqrtPriceLimitX96 == limit, "InvalidSqrtPriceLimit");
        return _swap(key, down, params.amountSpecified, hookData);
    }

    function swap(PoolKey calldata key, bool swapForY, int128 amountSpecified, bytes calldata hookData)
        external
        returns (int256)
    {
        swapsOfBins += 1;
        return _swap(key, swapForY, amountSpecified, hookData);
    }

    function _swap(PoolKey calldata key, bool down, int256 specified, bytes calldata hookData) private returns (int256) {
        require(key.currency0 < key.currency1 && key.fee == 3000, "PoolNotInitialized");
        require(key.hooks == HOOKS && uint256(key.parameters) == PARAMETERS, "PoolNotInitialized");
        require(key.poolManager == address(this), "PoolNotInitialized");
        require(hookData.length == 0 && specified < 0, "bad params");
        uint256 amount = uint256(-specified) * takes / 1000;
        int128 paid = -int128(int256(amount));
        int128 got = int128(int256(_price(amount)));
        (int128 amount0, int128 amount1) = down ? (paid, got) : (got, paid);
        vault.account(msg.sender, key.currency0, amount0);
        vault.account(msg.sender, key.currency1, amount1);
        return int256(amount0) << 128 | int256(uint256(uint128(amount1)));
    }
}
