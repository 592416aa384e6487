// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeTransfer} from "../shared/SafeTransfer.sol";

interface IPairFactory {
    function createPair(address tokenA, address tokenB) external returns (address pair);
}

interface IPair {
    function mint(address to) external returns (uint256 liquidity);
}

/// @notice Creates constant-product pairs with given reserves, out of tokens that this contract holds.
contract PairSeeder {
    struct Pair {
        address token0;
        address token1;
        uint112 reserve0;
        uint112 reserve1;
    }

    /// @param factory Any factory with Uniswap v2's `createPair`
    /// @param pairs   New pairs, token0 < token1, reserves in smallest units
    function seed(IPairFactory factory, Pair[] calldata pairs) external {
        for (uint256 i = 0; i < pairs.length; i++) {
            Pair calldata wanted = pairs[i];
            address pair = factory.createPair(wanted.token0, wanted.token1);
            SafeTransfer.send(wanted.token0, pair, wanted.reserve0);
            SafeTransfer.send(wanted.token1, pair, wanted.reserve1);
            IPair(pair).mint(address(this));
        }
    }
}
