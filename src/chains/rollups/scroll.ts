import type { Chain } from "../../core/types.ts";
import { dodo } from "../shared/dodo.ts";
import { forks } from "../shared/forks.ts";
import { iziswap } from "../shared/iziswap.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: scroll-tech/go-ethereum params/config.go and graphprotocol/networks-registry e40e036.
 * Beside gas, a transaction pays for its data on Ethereum, which is counted nowhere (docs/gas.md).
 */
export const scroll: Chain = {
  id: 534_352,
  name: "Scroll",
  shortname: "scroll",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x5300000000000000000000000000000000000004",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 3_000,
  explorer: "https://scrollscan.com",
  genesis: "0xbbc05efd412b7cd47a2ed0e5ddfcf87af251e414ea4c801d78b6784513180a80",
  dollarTokens: [
    "0x06efdbff2a14a7c8e15944d1f4a48f9f95f663a4",
    "0xf55bec9cafdbe8730f096aa55dad6d22d44099df",
    "0xca77eb3fefe3725dc33bccb54edefc3d9f764f97",
  ],
  hubs: hubs.scroll,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0x5300000000000000000000000000000000000004",
      fromBlock: undefined,
      source: "token list of SmolDapp (MIT) and npm sushi 7.3.15 (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x70c62c8b8e801124a4aa81ce07b637a3e83cb919",
      fromBlock: 1_367,
      source:
        "npm sushi 7.3.15 (MIT), 0xProject/0x-settler f6b73031 and DefiLlama-Adapters 1eb4e81 projects/uniswap, with the first block; init code hash: 0xProject/0x-settler; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xb45e53277a7e0f1d35f2a77160e91e25507f1763",
      fromBlock: 81_841,
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      source:
        "npm sushi 7.3.15 (MIT); first block and init code hash: sushiswap/subgraphs 12eacc0 config; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0x46b3fdf7b5cde91ac049936bf0bdb12c5d22202e",
      fromBlock: 82_522,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs 12eacc0 config; init code hash: that of Uniswap v3; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      id: "metavault-v3",
      protocol: "uniswap-v3",
      name: "Metavault_V3",
      factory: "0x9367c561915f9d062afe3b57b18e30dec62b8488",
      fromBlock: 77_008,
      trusted: false,
      facts: {},
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      source:
        "0xProject/0x-settler f6b73031, with the init code hash, and DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js, with the first block; not checked against the chain",
    },
    iziswap("0x8c7d3063579bdb0b90997e18a770eae32e1ebb08", 0),
    ...dodo("config/scroll-config.js", {
      dvm: ["0x5a0c840a7089aa222c4458b3be0947fe5a5006de", 83_070],
      dsp: ["0x7e9c460d0a10bd0605b15f0d0388e307d34a62e6", 83_070],
    }),
  ],
};
