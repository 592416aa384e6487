import type { Chain } from "../../core/types.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveStableNg } from "../shared/curve-stable-ng.ts";
import { forks } from "../shared/forks.ts";
import { sparkPsm } from "../shared/spark.ts";
import { hubs } from "./hubs.ts";
import { velodrome } from "./velodrome.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: ethereum-optimism/superchain-registry 8336d2ae and graphprotocol/networks-registry e40e036.
 * Beside gas, a transaction pays for its data on Ethereum, which is counted nowhere (docs/gas.md).
 */
export const unichain: Chain = {
  id: 130,
  name: "Unichain",
  shortname: "unichain",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 1_000,
  explorer: "https://uniscan.xyz",
  genesis: "0x3425162ddf41a0a1f0106d67b71828c9a9577e6ddeb94e4f33d2cde1fdc3befe",
  dollarTokens: [
    "0x078d782b760474a361dda0af3839290b0ef57ad6",
    "0x9151434b16b9763660705744891fa906f660ecc5",
    "0x20cab320a855b39f724131c69424240519573f81",
    "0x588ce4f028d8e7b53b687865d6a67b3a54c75518",
  ],
  hubs: hubs.unichain,
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
      factory: "0x1f98400000000000000000000000000000000002",
      fromBlock: 0,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and VeloraDEX/paraswap-dex-lib aa9c75f; first block: Uniswap/v2-subgraph 468ce7b config, the genesis; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x1f98400000000000000000000000000000000003",
      fromBlock: 0,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and VeloraDEX/paraswap-dex-lib aa9c75f; first block: Uniswap/v3-subgraph 0f8631d config, the genesis; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV4,
      factory: "0x1f98400000000000000000000000000000000004",
      fromBlock: 25_500,
      facts: { stateView: "0x86e8631a016f9068c3f085faf484ee3f5fdee8f2" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v4-subgraph fc74dfc networks.json; not checked against the chain",
    },
    ...velodrome(1),
    curveStableNg(
      "0x604388bb1159afd21eb5191ce22b4decdee2ae22",
      "curvefi/curve-core deployments/prod/unichain.yaml and DefiLlama-Adapters 1eb4e81 projects/curve agree; the pools are those of curvefi/stableswap-ng 2abe778f, headers aside; asked by pair; not checked against the chain",
    ),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0x5702bdb1ec244704e3cbbaae11a0275ae5b07499",
        "twocrypto-ng": "0xc9fe0c63af9a39402e8a5514f9c43af0322b665f",
      },
      "curvefi/curve-core b4c27f3 deployments/prod/unichain.yaml",
    ),
    sparkPsm(
      "0x7b42ed932f26509465f7ce3faf76ffce1275312f",
      {
        usdc: "0x078d782b760474a361dda0af3839290b0ef57ad6",
        usds: "0x7e10036acc4b56d4dfca3b77810356ce52313f9c",
        susds: "0xa06b10db9f390990364a3984c04fadf1c13691b5",
      },
      "DefiLlama-Adapters projects/spark-liquidity-layer agrees on the module",
    ),
  ],
};
