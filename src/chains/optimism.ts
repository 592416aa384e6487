import type { Chain } from "../core/types.ts";

/** Native coin, multicall and block time: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const optimism: Chain = {
  id: 10,
  name: "Optimism",
  shortname: "op",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  genesis: "0x7ca38a1916c42007829c55e69d3e9a73265554b586a499015373241b8a3fa48b",
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
      factory: "0x0c3c1c532f1e39edf36be9fe0be1410313e074bf",
      fromBlock: 112_197_986,
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
      fromBlock: 0,
      trusted: true,
      facts: {},
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); pools older than the chain's regenesis are in its genesis state, without logs; not checked against the chain",
    },
    {
      id: "sushi-v2",
      protocol: "uniswap-v2",
      name: "Sushi_V2",
      factory: "0xfbc12984689e5f15626bad03ad60160fe98b303c",
      fromBlock: 110_882_086,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "sushi-v3",
      protocol: "uniswap-v3",
      name: "Sushi_V3",
      factory: "0x9c6522117e2ed1fe5bdb72bb0ed5e3f2bde7dbe0",
      fromBlock: 85_432_013,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
  ],
};
