import type { Chain } from "../core/types.ts";

/** Native coin, multicall and block time: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const base: Chain = {
  id: 8_453,
  name: "Base",
  shortname: "base",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  genesis: "0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd",
  deployments: [
    {
      id: "wrapped-native",
      protocol: "wrapped-native",
      name: "WETH",
      factory: "0x4200000000000000000000000000000000000006",
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
      fromBlock: 6_601_915,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; not checked against the chain",
    },
    {
      id: "uniswap-v3",
      protocol: "uniswap-v3",
      name: "Uniswap_V3",
      factory: "0x33128a8fc17869897dce68ed026d694621f6fdfd",
      fromBlock: 1_371_680,
      trusted: true,
      facts: {},
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: the earliest that indexers name; not checked against the chain",
    },
    {
      id: "sushi-v2",
      protocol: "uniswap-v2",
      name: "Sushi_V2",
      factory: "0x71524b4f93c58fcbf659783284e38825f0622859",
      fromBlock: 2_631_214,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "sushi-v3",
      protocol: "uniswap-v3",
      name: "Sushi_V3",
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      fromBlock: 1_759_510,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "pancakeswap-v2",
      protocol: "uniswap-v2",
      name: "PancakeSwap_V2",
      factory: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      fromBlock: 2_910_387,
      trusted: true,
      facts: { feePpm: 2500 },
      source:
        "npm sushi 7.3.15 (MIT); first block: pancakeswap/pancake-subgraph config; not checked against the chain",
    },
    {
      id: "pancakeswap-v3",
      protocol: "uniswap-v3",
      name: "PancakeSwap_V3",
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      fromBlock: 2_912_007,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters projects/pancakeswap-v3; not checked against the chain",
    },
  ],
};
