import type { Chain } from "../core/types.ts";

/** Native coin, multicall and block time: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const arbitrum: Chain = {
  id: 42_161,
  name: "Arbitrum One",
  shortname: "arb",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 250,
  genesis: "0x7ee576b35482195fc49205cec9af72ce14f003b9ae69f6ba0faef4514be8b442",
  deployments: [
    {
      id: "wrapped-native",
      protocol: "wrapped-native",
      name: "WETH",
      factory: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
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
      factory: "0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9",
      fromBlock: 150_442_611,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; not checked against the chain",
    },
    {
      id: "uniswap-v3",
      protocol: "uniswap-v3",
      name: "Uniswap_V3",
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      fromBlock: 165,
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
      fromBlock: 70,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "sushi-v3",
      protocol: "uniswap-v3",
      name: "Sushi_V3",
      factory: "0x1af415a1eba07a4986a52b6f2e7de7003d82231e",
      fromBlock: 75_998_697,
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
      fromBlock: 101_022_992,
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
      fromBlock: 101_028_949,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters projects/pancakeswap-v3; not checked against the chain",
    },
  ],
};
