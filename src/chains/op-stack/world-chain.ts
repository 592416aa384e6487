import type { Chain } from "../../core/types.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: ethereum-optimism/superchain-registry 8336d2ae and graphprotocol/networks-registry e40e036.
 * Beside gas, a transaction pays for its data on Ethereum, which is counted nowhere (docs/gas.md).
 */
export const worldChain: Chain = {
  id: 480,
  name: "World Chain",
  shortname: "world",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://worldscan.org",
  genesis: "0x70d316d2e0973b62332ba2e9768dd7854298d7ffe77f0409ffdb8d859f2d3fa3",
  dollarTokens: ["0x79a02482a880bce3f13e09da970dc34db4cd24d1", "0x102d758f688a4c1c5a80b116bd945d4455460282"],
  hubs: hubs.worldChain,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0x4200000000000000000000000000000000000006",
      fromBlock: undefined,
      source:
        "a predeploy of the OP Stack; Uniswap/v3-subgraph 0f8631d config agrees; not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
      fromBlock: 4_063_439,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v2-subgraph 468ce7b config; init code hash: that of Uniswap v2 on all chains; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x7a5028bda40e7b173c278c5342087826455ea25a",
      fromBlock: 1_603_366,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v3-subgraph 0f8631d config; init code hash: 0xProject/0x-settler f6b73031; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV4,
      factory: "0xb1860d529182ac3bc1f51fa2abd56662b7d13f33",
      fromBlock: 9_111_872,
      facts: { stateView: "0x51d394718bc09297262e368c1a481217fdeb71eb" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v4-subgraph fc74dfc networks.json; not checked against the chain",
    },
  ],
};
