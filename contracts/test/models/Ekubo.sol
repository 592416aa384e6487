// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20, Priced} from "./Pools.sol";

/// Ekubo's core, reduced to who moves what: debts of a lock that must be zero at its end, payments that are measured between
/// two calls, and packed withdrawals. It pays `amount · rate / 1e18`. A part of the input may be left.
contract EkuboModel is Priced {
    uint256 public takes = 1000;
    address private locker;
    uint256 private locks;
    uint256 private open;
    mapping(address => int256) private debts;
    mapping(address => uint256) private before;
    bytes32 public lastConfig;
    uint256 public lastParameters;

    function setTakes(uint256 value) external {
        takes = value;
    }

    function lock() external {
        require(locker == address(0), "locked");
        locker = msg.sender;
        (bool done, bytes memory answer) = msg.sender.call(bytes.concat(bytes4(0), bytes32(locks++), msg.data[4:]));
        if (done) {
            locker = address(0);
            require(open == 0, "debts");
        }
        assembly {
            if iszero(done) { revert(add(answer, 0x20), mload(answer)) }
            return(add(answer, 0x20), mload(answer))
        }
    }

    fallback() external payable {
        require(msg.sig == 0 && msg.data.length == 132 && msg.sender == locker, "not a swap");
        (address token0, address token1, bytes32 config, uint256 parameters) =
            abi.decode(msg.data[4:], (address, address, bytes32, uint256));
        require(token0 < token1, "order");
        (lastConfig, lastParameters) = (config, parameters);
        bool isToken1 = parameters >> 31 & 1 == 1;
        int256 amount = int128(int256(parameters >> 32));
        uint256 limit = parameters >> 160;
        require(amount > 0 && limit == (isToken1 ? 79227682466138141934206691491 : 4611797791050542631), "limit");
        require(parameters & 0x7fffffff == 0x7fffffff, "search");
        int256 took = amount * int256(takes) / 1000;
        int256 out = int256(_price(uint256(took)));
        _owe(isToken1 ? token1 : token0, took);
        _owe(isToken1 ? token0 : token1, -out);
        int256 delta = isToken1 ? (-out << 128) | took : (took << 128) | int256(uint256(uint128(int128(-out))));
        assembly {
            mstore(0x00, delta)
            mstore(0x20, 0)
            return(0x00, 0x40)
        }
    }

    function startPayments() external {
        address token = abi.decode(msg.data[4:], (address));
        before[token] = IErc20(token).balanceOf(address(this)) + 1;
    }

    function completePayments() external {
        address token = abi.decode(msg.data[4:], (address));
        require(before[token] != 0, "not started");
        _owe(token, -int256(IErc20(token).balanceOf(address(this)) + 1 - before[token]));
        before[token] = 0;
    }

    function withdraw() external {
        require(msg.data.length == 60 && msg.sender == locker, "not a withdrawal");
        address token = address(bytes20(msg.data[4:24]));
        address to = address(bytes20(msg.data[24:44]));
        uint256 amount = uint128(bytes16(msg.data[44:60]));
        _owe(token, int256(amount));
        if (token != address(0)) {
            IErc20(token).transfer(to, amount);
            return;
        }
        (bool done,) = to.call{value: amount}("");
        require(done, "not received");
    }

    function _owe(address token, int256 change) private {
        int256 debt = debts[token];
        debts[token] = debt + change;
        if (debt == 0 && change != 0) open++;
        if (debt != 0 && debt + change == 0) open--;
    }

    /// What arrives outside of a lock is the model's stock.
    receive() external payable override {
        if (locker != address(0)) _owe(address(0), -int256(msg.value));
    }
}
