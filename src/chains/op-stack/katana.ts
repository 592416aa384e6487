import type { Chain } from "../../core/types.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block time: npm @hyperlane-xyz/registry 21.1.0. Block 0: graphprotocol/networks-registry e40e036.
 * Beside gas, a transaction pays for its data on Ethereum, which is counted nowhere (docs/gas.md).
 */
export const katana: Chain = {
  id: 747_474,
  name: "Katana",
  shortname: "katana",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0xee7d8bcfb72bc1880d0cf19822eb0a2e6577ab62",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 1_000,
  explorer: "https://katanascan.com",
  genesis: "0x2d28253bc3362fb71336e4f45ba058a24167ef8f43aa2527d5ed9ecfa1d2d3d6",
  dollarTokens: [
    "0x203a662b0bd271a6ed5a60edfbd04bfce608fd36",
    "0x2dca96907fde857dd3d816880a0df407eeb2d2f2",
    "0x00000000efe302beaa2b3e6e1b18d08d69a9012a",
  ],
  hubs: hubs.katana,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0xee7d8bcfb72bc1880d0cf19822eb0a2e6577ab62",
      fromBlock: undefined,
      source:
        "npm sushi 7.3.15 (MIT) and sushiswap/subgraphs 12eacc0 config agree; agglayer/vault-bridge 542fa6c src/custom-tokens/WETH: one for one, but it may be paused, and unwraps as far as its own stock of the coin reaches; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0x72d111b4d6f31b38919ae39779f570b747d6acd9",
      fromBlock: 1_857_623,
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      source:
        "npm sushi 7.3.15 (MIT); first block and init code hash: sushiswap/subgraphs 12eacc0 config; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0x203e8740894c8955cb8950759876d7e7e45e04c1",
      fromBlock: 1_858_972,
      facts: { fees: "pool" },
      initCodeHash: "0xe040f12c7cee3904b78f24f8fc395629c2e69525c2815da7a659f7483e378ecb",
      source:
        "npm sushi 7.3.15 (MIT), with the init code hash, which is of this chain alone: pools are asked for their fee; first block: sushiswap/subgraphs 12eacc0 config; the hash predicts a pool that public repositories name; not checked against the chain",
    },
  ],
};
