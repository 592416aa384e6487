// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IErc20, Priced} from "./Pools.sol";

/// Fluid DEX Lite: pools by their key, all in one contract. It pays anyone first, then pulls by allowance or keeps the native
/// coin of the call, and answers what it has paid.
contract FluidLiteModel is Priced {
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    /// Parts of a thousand of the input that it pulls; 1000 is honest.
    uint256 public pulls = 1000;

    struct DexKey {
        address token0;
        address token1;
        bytes32 salt;
    }

    mapping(bytes32 id => bool) private known;

    function setPulls(uint256 value) external {
        pulls = value;
    }

    function open(address token0, address token1, bytes32 salt) external {
        known[keccak256(abi.encode(token0, token1, salt))] = true;
    }

    function swapSingle(
        DexKey calldata key,
        bool swap0To1,
        int256 amountSpecified,
        uint256 amountLimit,
        address to,
        bool isCallback,
        bytes calldata callbackData,
        bytes calldata extraData
    ) external payable returns (uint256 out) {
        require(known[keccak256(abi.encode(key))], "no such pool");
        require(!isCallback && callbackData.length + extraData.length == 0, "plain");
        require(amountSpecified > 0, "exact input");
        out = _price(uint256(amountSpecified));
        require(out >= amountLimit, "limit");
        (address sold, address bought) = swap0To1 ? (key.token0, key.token1) : (key.token1, key.token0);
        _pay(bought, to, out);
        _take(sold, uint256(amountSpecified));
    }

    function _pay(address token, address to, uint256 amount) private {
        if (token != NATIVE) {
            IErc20(token).transfer(to, amount);
            return;
        }
        (bool done,) = to.call{value: amount, gas: 50_000}("");
        require(done, "native refused");
    }

    function _take(address token, uint256 amount) private {
        require(msg.value == (token == NATIVE ? amount : 0), "value");
        if (token != NATIVE) IErc20(token).transferFrom(msg.sender, address(this), amount * pulls / 1000);
    }
}
