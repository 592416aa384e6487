import type { Chain } from "../../core/types.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveStableNg } from "../shared/curve-stable-ng.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";
import { velodrome } from "./velodrome.ts";

/**
 * Native coin, multicall and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block time and block 0: ethereum-optimism/superchain-registry 8336d2ae; graphprotocol/networks-registry e40e036 has the same block 0.
 * Beside gas, a transaction pays for its data on Ethereum, which is counted nowhere (docs/gas.md).
 */
export const ink: Chain = {
  id: 57_073,
  name: "Ink",
  shortname: "ink",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 1_000,
  explorer: "https://explorer.inkonchain.com",
  genesis: "0x23a2658170ba70d014ba0d0d2709f8fbfe2fa660cd868c5f282f991eecbe38ee",
  dollarTokens: [
    "0x0200c29006150606b650577bbe7b6248f58470c1",
    "0x2d270e6886d130d724215a266106e6832161eaed",
    "0xf1815bd50389c46847f0bda824ec8da914045d14",
    "0xe343167631d89b6ffc58b88d6b7fb0228795491d",
  ],
  hubs: hubs.ink,
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
      factory: "0xfe57a6ba1951f69ae2ed4abe23e0f095df500c04",
      fromBlock: 524_511,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v2-subgraph 468ce7b config; init code hash: that of Uniswap v2 on all chains; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x640887a9ba3a9c53ed27d0f7e8246a4f933f3424",
      fromBlock: 284_117,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v3-subgraph 0f8631d config; init code hash: 0xProject/0x-settler f6b73031; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV4,
      factory: "0x360e68faccca8ca495c1b759fd9eee466db9fb32",
      fromBlock: 4_580_556,
      facts: { stateView: "0x76fd297e2d437cd7f76d50f01afe6160f86e9990" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/contracts b246f14 broadcast; not checked against the chain",
    },
    ...velodrome(1),
    curveStableNg(
      "0x046207cb759f527b6c10c2d61dbaca45513685cc",
      "curvefi/curve-core deployments/prod/ink.yaml and DefiLlama-Adapters 1eb4e81 projects/curve agree; the pools are those of curvefi/stableswap-ng 2abe778f, headers aside; asked by pair; not checked against the chain",
    ),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0x5ea9dd3b6f042a34df818c6c1324bc5a7c61427a",
        "twocrypto-ng": "0xd125e7a0ceddf89c6473412d85835450897be6dc",
      },
      "curvefi/curve-core b4c27f3 deployments/prod/ink.yaml and DefiLlama-Adapters 000a20e projects/curve/contracts.json agree",
    ),
  ],
};
