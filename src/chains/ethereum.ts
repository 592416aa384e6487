import type { Chain } from "../core/types.ts";

/** Native coin, multicall and block time: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const ethereum: Chain = {
  id: 1,
  name: "Ethereum",
  shortname: "eth",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 12_000,
  genesis: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
  deployments: [
    {
      id: "wrapped-native",
      protocol: "wrapped-native",
      name: "WETH",
      factory: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
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
      factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
      fromBlock: 10_000_834,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; not checked against the chain",
    },
    {
      id: "uniswap-v3",
      protocol: "uniswap-v3",
      name: "Uniswap_V3",
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      fromBlock: 12_369_621,
      trusted: true,
      facts: {},
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v3-subgraph networks.json; not checked against the chain",
    },
    {
      id: "sushi-v2",
      protocol: "uniswap-v2",
      name: "Sushi_V2",
      factory: "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
      fromBlock: 10_794_229,
      trusted: true,
      facts: { feePpm: 3000 },
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "sushi-v3",
      protocol: "uniswap-v3",
      name: "Sushi_V3",
      factory: "0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f",
      fromBlock: 16_955_547,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "pancakeswap-v2",
      protocol: "uniswap-v2",
      name: "PancakeSwap_V2",
      factory: "0x1097053fd2ea711dad45caccc45eff7548fcb362",
      fromBlock: 0,
      trusted: true,
      facts: { feePpm: 2500 },
      source: "npm sushi 7.3.15 (MIT); first block unknown; not checked against the chain",
    },
    {
      id: "pancakeswap-v3",
      protocol: "uniswap-v3",
      name: "PancakeSwap_V3",
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      fromBlock: 16_950_685,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters projects/pancakeswap-v3; not checked against the chain",
    },
    {
      id: "shibaswap-v1",
      protocol: "uniswap-v2",
      name: "ShibaSwap_V1",
      factory: "0x115934131916c8b277dd010ee02de363c09d037c",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 3000 },
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block unknown; not checked against the chain",
    },
  ],
};
