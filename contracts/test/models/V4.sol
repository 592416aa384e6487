// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20, Priced} from "./Pools.sol";

interface IUnlockCallback {
    function unlockCallback(bytes calldata data) external returns (bytes memory);
}

/// Uniswap v4's manager reduced to its accounts: swaps move debts, settle and take move tokens, and an unlock ends even.
/// Every pool of two ordered currencies with a fee of 3000 and a spacing of 60 exists and trades at `rate`.
contract V4Model is Priced {
    struct PoolKey {
        address currency0;
        address currency1;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
    }

    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    mapping(address => int256) private deltas;
    uint256 private open;
    bool private unlocked;
    address private synced;
    uint256 private syncedBalance;
    /// Parts of a thousand of the input that a swap takes; 1000 is honest.
    uint256 public takes = 1000;
    uint256 public unlocks;

    function setTakes(uint256 value) external {
        takes = value;
    }

    function unlock(bytes calldata data) external returns (bytes memory result) {
        require(!unlocked, "AlreadyUnlocked");
        unlocked = true;
        unlocks += 1;
        result = IUnlockCallback(msg.sender).unlockCallback(data);
        require(open == 0, "CurrencyNotSettled");
        unlocked = false;
    }

    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata hookData)
        external
        returns (int256)
    {
        require(unlocked, "ManagerLocked");
        require(key.currency0 < key.currency1 && key.fee == 3000 && key.tickSpacing == 60, "PoolNotInitialized");
        require(key.hooks == address(0) && hookData.length == 0 && params.amountSpecified < 0, "bad params");
        uint256 amount = uint256(-params.amountSpecified) * takes / 1000;
        int128 paid = -int128(int256(amount));
        int128 got = int128(int256(_price(amount)));
        (int128 amount0, int128 amount1) = params.zeroForOne ? (paid, got) : (got, paid);
        _account(key.currency0, amount0);
        _account(key.currency1, amount1);
        return int256(amount0) << 128 | int256(uint256(uint128(amount1)));
    }

    function sync(address currency) external {
        synced = currency;
        if (currency != address(0)) syncedBalance = IErc20(currency).balanceOf(address(this));
    }

    function settle() external payable returns (uint256 paid) {
        require(unlocked, "ManagerLocked");
        if (synced == address(0)) {
            paid = msg.value;
        } else {
            require(msg.value == 0, "NonzeroNativeValue");
            paid = IErc20(synced).balanceOf(address(this)) - syncedBalance;
        }
        _account(synced, int256(paid));
        synced = address(0);
    }

    function take(address currency, address to, uint256 amount) external {
        require(unlocked, "ManagerLocked");
        _account(currency, -int256(amount));
        if (currency == address(0)) payable(to).transfer(amount);
        else IErc20(currency).transfer(to, amount);
    }

    function _account(address currency, int256 change) private {
        int256 before = deltas[currency];
        deltas[currency] = before + change;
        if (before == 0 && change != 0) open += 1;
        if (before != 0 && before + change == 0) open -= 1;
    }
}

/// A manager that reports whatever it was told to, pays nothing, and does as it likes in its unlock.
contract HostileV4 {
    int256[] public reports;
    uint256 private next;
    address public target;
    bytes public attack;
    bool public attackWorked;
    bytes public handBack;

    function setReports(int256[] calldata values) external {
        reports = values;
        next = 0;
    }

    function setAttack(address target_, bytes calldata data) external {
        (target, attack) = (target_, data);
    }

    function setHandBack(bytes calldata data) external {
        handBack = data;
    }

    function unlock(bytes calldata data) external returns (bytes memory result) {
        result = IUnlockCallback(msg.sender).unlockCallback(data);
        if (attack.length > 0) (attackWorked,) = target.call(attack);
        if (handBack.length > 0) result = handBack;
    }

    receive() external payable {}

    fallback() external payable {
        // swap(PoolKey,SwapParams,bytes) answers the next report; sync, settle and take succeed and do nothing.
        int256 report = msg.sig == 0xf3cd914c ? reports[next++] : int256(0);
        assembly {
            mstore(0, report)
            return(0, 0x20)
        }
    }
}
