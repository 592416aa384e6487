import type { Chain } from "../../core/types.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: blast-io/deployment mainnet/rollup.json and graphprotocol/networks-registry e40e036.
 * WETH and USDB grow by themselves. Pools that keep reserves leave what they grow by to whoever skims it, as for any such token.
 * Beside gas, a transaction pays for its data on Ethereum, which is counted nowhere (docs/gas.md).
 */
export const blast: Chain = {
  id: 81_457,
  name: "Blast",
  shortname: "blast",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4300000000000000000000000000000000000004",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://blastscan.io",
  genesis: "0xb689b35ef29d0bec5816938e0e52683c7257d2e325420ea69b739a2be4754b89",
  dollarTokens: [
    "0x4300000000000000000000000000000000000003",
    "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34",
    "0x4fee793d435c6d2c10c135983bb9d6d4fc7b9bbd",
  ],
  hubs: hubs.blast,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0x4300000000000000000000000000000000000004",
      fromBlock: undefined,
      source:
        "npm sushi 7.3.15 (MIT) and Uniswap/v3-subgraph 0f8631d config agree; deposits and withdrawals are one for one, and what a balance earns is on top; not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0x5c346464d33f90babaf70db6388507cc889c1070",
      fromBlock: 399_405,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v2-subgraph 468ce7b config; init code hash: that of Uniswap v2 on all chains; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x792edade80af5fc680d96a2ed80a44247d2cf6fd",
      fromBlock: 400_903,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v3-subgraph 0f8631d config; init code hash: that of Uniswap v3 on all chains; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV4,
      factory: "0x1631559198a9e474033433b2958dabc135ab6446",
      fromBlock: 14_377_311,
      facts: { stateView: "0x12a88ae16f46dce4e8b15368008ab3380885df30" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v4-subgraph fc74dfc networks.json; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0x42fa929fc636e657ac568c0b5cf38e203b67ac2b",
      fromBlock: 285_621,
      initCodeHash: "0x0871b2842bc5ad89183710ec5587b7e7e285f1212e8960a4941335bab95cf6af",
      source:
        "npm sushi 7.3.15 (MIT); first block and init code hash: sushiswap/subgraphs 12eacc0 config; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0x7680d4b43f3d1d54d6cfeeb2169463bfa7a6cf0d",
      fromBlock: 284_122,
      initCodeHash: "0x8e13daee7f5a62e37e71bf852bcd44e7d16b90617ed2b17c24c2ee62411c5bae",
      source:
        "npm sushi 7.3.15 (MIT), with the init code hash, which is of this chain alone; first block: sushiswap/subgraphs 12eacc0 config; the hash predicts a pool that public repositories name; not checked against the chain",
    },
  ],
};
