import type { Chain } from "../../core/types.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: ethereum-optimism/superchain-registry 8336d2ae and graphprotocol/networks-registry e40e036.
 * Beside gas, a transaction pays for its data on Ethereum, which is counted nowhere (docs/gas.md).
 */
export const zora: Chain = {
  id: 7_777_777,
  name: "Zora",
  shortname: "zora",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://explorer.zora.energy",
  genesis: "0x47555a45a1af8d4728ca337a1e48375a83919b1ea16591e070a07388b7364e29",
  dollarTokens: ["0xcccccccc7021b32ebb4e8c08314bd62f7c653ec4"],
  hubs: hubs.zora,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0x4200000000000000000000000000000000000006",
      fromBlock: undefined,
      source:
        "a predeploy of the OP Stack; Uniswap/v3-subgraph 0f8631d config and v4-subgraph fc74dfc agree; not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0x0f797dc7efaea995bb916f268d919d0a1950ee3c",
      fromBlock: 10_320_368,
      source:
        "Uniswap/universal-router fb25ff09 script/deployParameters/DeployZora.s.sol (factory, init code hash) and DefiLlama-Adapters 1eb4e81 projects/uniswap-v2 agree; first block: that of Uniswap v3, a month before a public indexer's of v2; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x7145f8aeef1f6510e92164038e1b6f8cb2c42cbb",
      fromBlock: 10_320_368,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/v3-subgraph 0f8631d config, with the first block; init code hash: that of Uniswap v3 on all chains; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV4,
      factory: "0x0575338e4c17006ae181b47900a84404247ca30f",
      fromBlock: 25_434_534,
      facts: { stateView: "0x385785af07d63b50d0a0ea57c4ff89d06adf7328" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v4-subgraph fc74dfc networks.json; not checked against the chain",
    },
  ],
};
