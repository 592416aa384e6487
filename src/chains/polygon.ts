import type { Chain } from "../core/types.ts";

/** Native coin, multicall and block time: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const polygon: Chain = {
  id: 137,
  name: "Polygon",
  shortname: "polygon",
  native: { symbol: "POL", name: "POL", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  genesis: "0xa9c28ce2141b56c474f1dc504bee9b01eb1bd7d1a507580d5519d4437a97de1b",
  deployments: [
    {
      id: "wrapped-native",
      protocol: "wrapped-native",
      name: "WPOL",
      factory: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
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
      factory: "0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c",
      fromBlock: 49_948_178,
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
      fromBlock: 22_757_547,
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
      fromBlock: 11_333_218,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "sushi-v3",
      protocol: "uniswap-v3",
      name: "Sushi_V3",
      factory: "0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2",
      fromBlock: 41_024_971,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "quickswap-v2",
      protocol: "uniswap-v2",
      name: "QuickSwap_V2",
      factory: "0x5757371414417b8c6caad45baef941abc7d3ab32",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 3000 },
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block unknown; not checked against the chain",
    },
  ],
};
