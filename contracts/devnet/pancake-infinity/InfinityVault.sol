// A model of PancakeSwap Infinity's Vault: our own code after its published rules, not the protocol's.
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IInfinityLocker {
    function lockAcquired(bytes calldata data) external returns (bytes memory);
}

interface IVaultToken {
    function balanceOf(address owner) external view returns (uint256);
    function withdraw(uint256 amount) external;
}

/// @notice Holds the tokens of all pools. While somebody has the lock, managers say what a swap moves; what is owed is settled,
///         what is due is taken, and a lock ends even. Accounts are transient.
contract InfinityVault {
    uint256 private constant LOCKER = 0;
    uint256 private constant OPEN_ACCOUNTS = 1;
    uint256 private constant SYNCED = 2;
    uint256 private constant SYNCED_BALANCE = 3;

    mapping(address app => bool) public isAppRegistered;
    mapping(address app => mapping(address currency => uint256)) public reservesOfApp;

    error AlreadyOpen();
    error LockerAlreadySet(address locker);
    error NoLocker();
    error AppUnregistered();
    error CurrencyNotSettled();
    error SettleNonNativeCurrencyWithValue();

    modifier isLocked() {
        if (_load(LOCKER) == 0) revert NoLocker();
        _;
    }

    /// @notice Registers managers, which share what the Vault holds evenly; the wrapped coin is unwrapped first.
    function open(address[] calldata apps, address[] calldata currencies, address wrapped) external {
        if (isAppRegistered[apps[0]]) revert AlreadyOpen();
        IVaultToken(wrapped).withdraw(IVaultToken(wrapped).balanceOf(address(this)));
        for (uint256 k = 0; k < apps.length; k++) {
            isAppRegistered[apps[k]] = true;
            for (uint256 i = 0; i < currencies.length; i++) {
                reservesOfApp[apps[k]][currencies[i]] = _held(currencies[i]) / apps.length;
            }
        }
    }

    function lock(bytes calldata data) external returns (bytes memory result) {
        address locker = address(uint160(_load(LOCKER)));
        if (locker != address(0)) revert LockerAlreadySet(locker);
        _store(LOCKER, uint160(msg.sender));
        result = IInfinityLocker(msg.sender).lockAcquired(data);
        if (_load(OPEN_ACCOUNTS) != 0) revert CurrencyNotSettled();
        _store(LOCKER, 0);
    }

    /// @param delta amount of the first currency in the high half, of the second in the low half; above 0: due to `settler`
    function accountAppBalanceDelta(address currency0, address currency1, int256 delta, address settler)
        external
        isLocked
    {
        if (!isAppRegistered[msg.sender]) revert AppUnregistered();
        _move(currency0, delta >> 128, settler);
        _move(currency1, int128(delta), settler);
    }

    function sync(address currency) external {
        _store(SYNCED, uint160(currency));
        if (currency != address(0)) _store(SYNCED_BALANCE, _held(currency));
    }

    function settle() external payable isLocked returns (uint256 paid) {
        address currency = address(uint160(_load(SYNCED)));
        paid = msg.value;
        if (currency != address(0)) {
            if (msg.value != 0) revert SettleNonNativeCurrencyWithValue();
            paid = _held(currency) - _load(SYNCED_BALANCE);
            _store(SYNCED, 0);
        }
        _account(msg.sender, currency, int256(paid));
    }

    function take(address currency, address to, uint256 amount) external isLocked {
        _account(msg.sender, currency, -int256(amount));
        if (currency != address(0)) {
            SafeTransfer.send(currency, to, amount);
            return;
        }
        (bool done,) = to.call{value: amount}("");
        require(done, "native transfer failed");
    }

    receive() external payable {}

    function _move(address currency, int256 change, address settler) private {
        if (change == 0) return;
        uint256 reserve = reservesOfApp[msg.sender][currency];
        reservesOfApp[msg.sender][currency] = change > 0 ? reserve - uint256(change) : reserve + uint256(-change);
        _account(settler, currency, change);
    }

    function _account(address who, address currency, int256 change) private {
        uint256 slot = uint256(keccak256(abi.encode(who, currency)));
        int256 before = int256(_load(slot));
        int256 next = before + change;
        _store(slot, uint256(next));
        if (before == 0 && next != 0) _store(OPEN_ACCOUNTS, _load(OPEN_ACCOUNTS) + 1);
        if (before != 0 && next == 0) _store(OPEN_ACCOUNTS, _load(OPEN_ACCOUNTS) - 1);
    }

    function _held(address currency) private view returns (uint256) {
        return currency == address(0) ? address(this).balance : IVaultToken(currency).balanceOf(address(this));
    }

    function _load(uint256 slot) private view returns (uint256 value) {
        assembly ("memory-safe") {
            value := tload(slot)
        }
    }

    function _store(uint256 slot, uint256 value) private {
        assembly ("memory-safe") {
            tstore(slot, value)
        }
    }
}
