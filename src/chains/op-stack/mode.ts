import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain } from "../../core/types.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";
import { velodrome } from "./velodrome.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: ethereum-optimism/superchain-registry 8336d2ae and graphprotocol/networks-registry e40e036.
 * Beside gas, a transaction pays for its data on Ethereum, which is counted nowhere (docs/gas.md).
 */
export const mode: Chain = {
  id: 34_443,
  name: "Mode",
  shortname: "mode",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://modescan.io",
  genesis: "0xb0f682e12fc555fd5ce8fce51a59a67d66a5b46be28611a168260a549dac8a9b",
  dollarTokens: [
    "0xd988097fb8612cc24eec14542bc03424c656005f",
    "0xf0f161fda2712db8b566946122a5af183995e2ed",
    "0x102d758f688a4c1c5a80b116bd945d4455460282",
    "0xe7798f023fc62146e8aa1b36da45fb70855a77ea",
  ],
  hubs: hubs.mode,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0x4200000000000000000000000000000000000006",
      fromBlock: undefined,
      source:
        "a predeploy of the OP Stack; npm sushi 7.3.15 (MIT) and balancer/tokenlists 98df981 agree; not checked against the chain",
    },
    {
      ...forks.balancerV2,
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      fromBlock: 8_110_317,
      facts: {
        factories: writeNamed({
          weighted: ["0xc3ccace87f6d3a81724075adcb5ddd85a8a1bb68"],
          "composable-stable": ["0x5dbad78818d4c8958eff2d5b95b28385a22113cd"],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/mode.json at 6826feb; first block: balancer/balancer-subgraph-v2 8040b35 networks.json; not checked against the chain",
    },
    ...velodrome(2),
    {
      id: "kim-v4",
      protocol: "algebra",
      name: "Kim_V4",
      factory: "0xb5f00c2c5f8821155d8ed27e31932cfd9db3c5d5",
      fromBlock: 4_823_915,
      trusted: false,
      facts: {
        version: "integral",
        plugin: "adaptive",
        pluginFactory: "0x313f9dee835569f1aaea51854818c72cd6302509",
      },
      initCodeHash: "0xf96d2474815c32e070cd63233f06af5413efc5dcb430aee4ff18cc29007c562d",
      poolDeployer: "0x6414a461b19726410e52488d9d5ff33682701635",
      source:
        "docs.algebra.finance, partners, Kim: Integral 1.0 with BasePluginV1Factory (cryptoalgebra/algebra-gitbook 7d44550); 0xProject/0x-settler f6b73031 has the same hash for Integral; factory and first block: DefiLlama-Adapters 1eb4e81, registries/uniswapV3.js; the hash predicts a pool that public repositories name; not checked against the chain",
    },
  ],
};
