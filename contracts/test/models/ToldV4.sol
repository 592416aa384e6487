// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20} from "./Pools.sol";
import {IUnlockCallback} from "./V4.sol";

/// A v4 manager that reports what it was told of every swap, pays what it is asked for, and can leave the last byte of an
/// answer out. It notes how long the payload of its last unlock was.
contract ToldV4 {
    bytes4 internal constant UNLOCK = 0x48c89491;
    bytes4 internal constant SWAP = 0xf3cd914c;

    int256 private immutable report;
    bytes4 public shortens;
    uint256 public payloadBytes;

    /// In the direction from zero to one.
    constructor(uint256 takes, uint256 pays) {
        report = -int256(takes) << 128 | int256(pays);
    }

    function shorten(bytes4 call) external {
        shortens = call;
    }

    function unlock(bytes calldata data) external {
        payloadBytes = data.length;
        _answer(UNLOCK, abi.encode(IUnlockCallback(msg.sender).unlockCallback(data)));
    }

    function take(address currency, address to, uint256 amount) external {
        IErc20(currency).transfer(to, amount);
    }

    receive() external payable {}

    fallback() external payable {
        _answer(msg.sig, msg.sig == SWAP ? abi.encode(report) : bytes(""));
    }

    function _answer(bytes4 call, bytes memory all) private view {
        uint256 length = call == shortens ? all.length - 1 : all.length;
        assembly {
            return(add(all, 0x20), length)
        }
    }
}
