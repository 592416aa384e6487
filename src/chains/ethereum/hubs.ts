import type { Address } from "../../core/types.ts";

/**
 * Hub tokens by chain: the wrapped coin, stablecoins and major tokens, the most traded first. Discovery reads the pools
 * of all pairs of hubs first. Pools of any other token are looked up by its pairs with the first few hubs.
 *
 * All are from the shipped token list (src/edge/token-lists/data/tokens.json, which names its sources and licences).
 * The choice of hubs is this project's own and only decides what is read first.
 */
export const hubs = {
  ethereum: [
    "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", // WETH
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // USDC
    "0xdac17f958d2ee523a2206206994597c13d831ec7", // USDT
    "0x6b175474e89094c44da98b954eedeac495271d0f", // DAI
    "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", // WBTC
    "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0", // wstETH
    "0x4c9edd5852cd905f086c759e8383e09bff1e68b3", // USDe
    "0xdc035d45d973e3ec169d2276ddab16f1e407384f", // USDS
    "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", // cbBTC
    "0xcd5fe23c85820f7b72d0926fc9b05b43e359b7ee", // weETH
    "0x514910771af9ca656af840dff83e8264ecf986ca", // LINK
    "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984", // UNI
    "0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9", // AAVE
    "0x6982508145454ce325ddbe47a25d4ec3d2311933", // PEPE
    "0xd533a949740bb3306d119cc777fa900ba034cd52", // CRV
    "0x853d955acef822db058eb8505911ed77f175b99e", // FRAX
    "0xf939e0a03fb07f59a73314e73794be0e57ac1b4e", // crvUSD
    "0x40d16fc0246ad3160ccc09b8d0d3a2cd28ae6c2f", // GHO
    "0x6c3ea9036406852006290770bedfcaba0e23a0e8", // PYUSD
    "0x9d39a5de30e57443bff2a8307a4256c8797a3497", // sUSDe
    "0xae7ab96520de3a18e5e111b5eaab095312d7fe84", // stETH
    "0xae78736cd615f374d3085123a210448e74fc6393", // rETH
    "0x5a98fcbea516cf06857215779fd812ca3bef1b32", // LDO
    "0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2", // MKR
    "0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce", // SHIB
    "0x57e114b691db790c35207b2e685d4a43181e6061", // ENA
    "0x18084fba666a33d37592fa2633fd49a74dd93a88", // tBTC
    "0x5f98805a4e8be255a32880fdec7f6728c6568ba0", // LUSD
    "0xfaba6f8e4a5e8ab82f62fe7c39859fa577269be3", // ONDO
    "0x808507121b80c02388fad14726482e061b8da827", // PENDLE
    "0xc00e94cb662c3520282e6f5717214004a7f26888", // COMP
    "0xc18360217d8f7ab5e7c516566761ea12ce7f9d72", // ENS
    "0xc011a73ee8576fb46f5e1c5751ca3b9fe0af2a6f", // SNX
    "0xba100000625a3754423978a60c9317c58a424e3d", // BAL
    "0x455e53cbb86018ac2b8092fdcd39d8444affc3f6", // POL
    "0xbe9895146f7af43049ca1c1ae358b0541ea49704", // cbETH
    "0x4d224452801aced8b2f0aebe155379bb5d594381", // APE
    "0xec53bf9167f50cdeb3ae105f56099aaab9061f83", // EIGEN
    "0x1abaea1f7c830bd89acc67ec4af516284b1bc33c", // EURC
    "0xc5f0f7b66764f6ec8c8dff7ba683102295e16409", // FDUSD
  ],
} as const satisfies Record<string, readonly Address[]>;
