import type { Chain } from "../core/types.ts";

/** Native coin, multicall and block time: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const avalanche: Chain = {
  id: 43_114,
  name: "Avalanche",
  shortname: "avax",
  native: { symbol: "AVAX", name: "Avalanche", decimals: 18, gasUnit: "nAVAX" },
  wrappedNative: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 1_700,
  genesis: "0x31ced5b9beb7f8782b014660da0cb18cc409f121f408186886e1ca3e8eeca96b",
  deployments: [
    {
      id: "wrapped-native",
      protocol: "wrapped-native",
      name: "WAVAX",
      factory: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
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
      fromBlock: 37_767_795,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; not checked against the chain",
    },
    {
      id: "uniswap-v3",
      protocol: "uniswap-v3",
      name: "Uniswap_V3",
      factory: "0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad",
      fromBlock: 27_832_971,
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
      fromBlock: 506_190,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "sushi-v3",
      protocol: "uniswap-v3",
      name: "Sushi_V3",
      factory: "0x3e603c14af37ebdad31709c4f848fc6ad5bec715",
      fromBlock: 28_186_391,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "trader-joe-v1",
      protocol: "uniswap-v2",
      name: "TraderJoe_V1",
      factory: "0x9ad6c38be94206ca50bb0d90783181662f0cfa10",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 3000 },
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block unknown; not checked against the chain",
    },
    {
      id: "pangolin-v2",
      protocol: "uniswap-v2",
      name: "Pangolin_V2",
      factory: "0xefa94de7a4656d787667c749f7e1223d71e9fd88",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 3000 },
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block unknown; not checked against the chain",
    },
  ],
};
