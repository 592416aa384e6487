import type { Chain } from "../core/types.ts";

/** Native coin, multicall and block time: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const bsc: Chain = {
  id: 56,
  name: "BNB Smart Chain",
  shortname: "bsc",
  native: { symbol: "BNB", name: "BNB", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 750,
  genesis: "0x0d21840abff46b96c84b2ac9e10e4f5cdaeb5693cb665db62a2f3b02d2d57b5b",
  deployments: [
    {
      id: "wrapped-native",
      protocol: "wrapped-native",
      name: "WBNB",
      factory: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
      fromBlock: 0,
      trusted: true,
      facts: {},
      source:
        "token lists of SmolDapp (MIT), cowprotocol (MIT or Apache-2.0), viaprotocol (MIT); not checked against the chain",
    },
    {
      id: "uniswap-v2",
      protocol: "uniswap-v2",
      name: "Uniswap_V2",
      factory: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
      fromBlock: 33_496_018,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; not checked against the chain",
    },
    {
      id: "uniswap-v3",
      protocol: "uniswap-v3",
      name: "Uniswap_V3",
      factory: "0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7",
      fromBlock: 12_369_621,
      trusted: true,
      facts: {},
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v3-subgraph networks.json; not checked against the chain",
    },
    {
      id: "sushi-v2",
      protocol: "uniswap-v2",
      name: "Sushi_V2",
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      fromBlock: 5_205_069,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "sushi-v3",
      protocol: "uniswap-v3",
      name: "Sushi_V3",
      factory: "0x126555dd55a39328f69400d6ae4f782bd4c34abb",
      fromBlock: 26_976_538,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "pancakeswap-v2",
      protocol: "uniswap-v2",
      name: "PancakeSwap_V2",
      factory: "0xca143ce32fe78f1f7019d7d551a6402fc5350c73",
      fromBlock: 0,
      trusted: true,
      facts: { feePpm: 2500 },
      source: "npm sushi 7.3.15 (MIT); first block unknown; not checked against the chain",
    },
    {
      id: "pancakeswap-v3",
      protocol: "uniswap-v3",
      name: "PancakeSwap_V3",
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      fromBlock: 26_956_207,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters projects/pancakeswap-v3; not checked against the chain",
    },
  ],
};
