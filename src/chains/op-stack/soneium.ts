import type { Chain } from "../../core/types.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";
import { velodrome } from "./velodrome.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: ethereum-optimism/superchain-registry 8336d2ae and graphprotocol/networks-registry e40e036.
 * Beside gas, a transaction pays for its data on Ethereum, which is counted nowhere (docs/gas.md).
 */
export const soneium: Chain = {
  id: 1_868,
  name: "Soneium",
  shortname: "soneium",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://soneium.blockscout.com",
  genesis: "0x295d22d269634c7d0055b33b887519362d0b31899e97109d1789a8a168de1b21",
  dollarTokens: ["0xba9986d2381edf1da03b0b9c1f8b00dc4aacc369", "0x102d758f688a4c1c5a80b116bd945d4455460282"],
  hubs: hubs.soneium,
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
      factory: "0x97febbc2adbd5644ba22736e962564b23f5828ce",
      fromBlock: 3_254_733,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v2-subgraph 468ce7b config; init code hash: that of Uniswap v2 on all chains; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x42ae7ec7ff020412639d443e245d936429fbe717",
      fromBlock: 3_254_740,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v3-subgraph 0f8631d config; init code hash: that of Uniswap v3 on all chains; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV4,
      factory: "0x360e68faccca8ca495c1b759fd9eee466db9fb32",
      fromBlock: 2_473_300,
      facts: { stateView: "0x76fd297e2d437cd7f76d50f01afe6160f86e9990" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v4-subgraph fc74dfc networks.json; not checked against the chain",
    },
    ...velodrome(2),
    {
      id: "quickswap-v4",
      protocol: "algebra",
      name: "QuickSwap_V4",
      factory: "0x8ff309f68f6caf77a78e9c20d2af7ed4be2d7093",
      fromBlock: 1_681_559,
      trusted: false,
      facts: {
        version: "integral",
        plugin: "adaptive",
        pluginFactory: "0x980dc694fb758c5db4a8a035212072bc962adfd9",
      },
      initCodeHash: "0xb3fc09be5eb433d99b1ec89fd8435aaf5ffea75c1879e19028aa2414a14b3c85",
      poolDeployer: "0x7b446bfb3763ed0892f08893eb06dda79ab28cb9",
      source:
        "docs.algebra.finance, partners, QuickSwap Soneium: Integral 1.2 with BasePluginV1Factory (cryptoalgebra/algebra-gitbook 7d44550); the hash is that of cryptoalgebra/Algebra 357ae6bc, compiled; factory and first block: DefiLlama-Adapters 1eb4e81, registries/uniswapV3.js; the hash predicts a pool that public repositories name; not checked against the chain",
    },
  ],
};
