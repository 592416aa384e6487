import type { Chain } from "../../core/types.ts";
import { buffersOnEthereum, gyroscopeOnEthereum } from "../shared/balancer-vaults.ts";
import { forks } from "../shared/forks.ts";
import { iziswap } from "../shared/iziswap.ts";
import { maverickV2 } from "../shared/maverick-v2.ts";
import { hooksOnEthereum } from "../shared/uniswap-v4-hooks.ts";
import { balancerOnEthereum } from "./ethereum-balancer.ts";
import { curveOnEthereum } from "./ethereum-curve.ts";
import { hubs } from "./hubs.ts";

/** Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const ethereum: Chain = {
  id: 1,
  name: "Ethereum",
  shortname: "eth",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 12_000,
  explorer: "https://etherscan.io",
  genesis: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
  dollarTokens: [
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    "0xdac17f958d2ee523a2206206994597c13d831ec7",
    "0x6b175474e89094c44da98b954eedeac495271d0f",
    "0xdc035d45d973e3ec169d2276ddab16f1e407384f",
  ],
  hubs: hubs.ethereum,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      fromBlock: undefined,
      source:
        "token lists of SmolDapp (MIT), cowprotocol (MIT or Apache-2.0), viaprotocol (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
      fromBlock: 10_000_834,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      fromBlock: 12_369_621,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v3-subgraph networks.json; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
      fromBlock: 10_794_229,
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f",
      fromBlock: 16_955_547,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.pancakeswapV2,
      factory: "0x1097053fd2ea711dad45caccc45eff7548fcb362",
      fromBlock: 15_614_590,
      initCodeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
      source:
        "npm sushi 7.3.15 (MIT); first block: pancakeswap/pancake-subgraph 2b87e81, exchange-eth; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.pancakeswapV3,
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      fromBlock: 16_950_685,
      source:
        "npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters projects/pancakeswap-v3; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/pancakeswap-v3/config.ts; not checked against the chain",
    },
    {
      id: "shibaswap-v1",
      protocol: "uniswap-v2",
      name: "ShibaSwap_V1",
      factory: "0x115934131916c8b277dd010ee02de363c09d037c",
      fromBlock: 10_000_834,
      trusted: false,
      facts: { fees: "pair" },
      initCodeHash: "0x65d1a3b1e46c6e4f1be1ad5f99ef14dc488ae0549dc97db9b30afe2241ce1c7a",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); that each pair has a fee of its own, in thousandths: the source of ShibaSwap's UniswapV2Factory.sol and its tests; no older than Uniswap v2, whose code it forks; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "uniswap-v4",
      protocol: "uniswap-v4",
      name: "Uniswap_V4",
      factory: "0x000000000004444c5dc75cb358380d2e3de08a90",
      fromBlock: 21_688_329,
      trusted: true,
      facts: { stateView: "0x7ffe42c4a5deea5b0fec41c94c136cf115597227", hooks: hooksOnEthereum },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT); manager and first block: Uniswap/v4-subgraph networks.json; not checked against the chain",
    },
    {
      ...forks.ekubo,
      factory: "0x00000000000014aa86c5d3c41765bb24e11bd701",
      fromBlock: 24_133_392,
      source:
        "EkuboProtocol/evm-contracts 5517df67 broadcast/DeployAll.s.sol (all addresses, first block); core: 0xProject/0x-settler b549d227 src/core/EkuboV3.sol; not checked against the chain",
    },
    ...balancerOnEthereum,
    {
      id: "defiswap-v1",
      protocol: "uniswap-v2",
      name: "DefiSwap_V1",
      factory: "0x9deb29c9a4c7a88a3c0257393b7f3335338d9a9d",
      fromBlock: 10_000_834,
      trusted: false,
      facts: { fees: "factory" },
      initCodeHash: "0x69d637e77615df9f235f642acebbdad8963ef35c5523142078c9b8f9d0ceba7e",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); the contracts are crypto-com/swap-contracts-core; no older than Uniswap v2, whose code it forks; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "verse-v1",
      protocol: "uniswap-v2",
      name: "Verse_V1",
      factory: "0xee3e9e46e34a27dc755a63e2849c9913ee1a06e2",
      fromBlock: 10_000_834,
      trusted: false,
      facts: { feePpm: 3_000 },
      initCodeHash: "0x34768b85d02b77066b16acc7f0875ed59566bb3c32ba4fb0438750e872fddf9e",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); no older than Uniswap v2, whose code it forks; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "supernova",
      protocol: "algebra",
      name: "Supernova",
      factory: "0x44b7fbd4d87149efa5347c451e74b9fd18e89c55",
      fromBlock: 24_390_427,
      trusted: false,
      facts: { version: "integral" },
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block: DefiLlama dimension-adapters e7346b0, dexs/supernova-CL.ts; not checked against the chain",
    },
    {
      id: "sdai",
      protocol: "erc4626",
      name: "sDAI",
      factory: "0x83f20f44975d03b1b09e64809b757c47f942beea",
      fromBlock: undefined,
      trusted: false,
      facts: {
        asset: "0x6b175474e89094c44da98b954eedeac495271d0f",
        kind: "savings",
        pot: "0x197e90f9fad81970ba7976f33cbd77088e5d7cf7",
      },
      source: "addresses agree in several public repositories; not checked against the chain",
    },
    {
      id: "lite-psm",
      protocol: "psm",
      name: "Lite_PSM",
      factory: "0xf6e72db5454dd049d0788e411b06cfaf16853042",
      fromBlock: undefined,
      trusted: true,
      facts: {
        gem: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
        dai: "0x6b175474e89094c44da98b954eedeac495271d0f",
      },
      source:
        "makerdao/dss-lite-psm dbf0022 README.md (module, pocket and stablecoin); not checked against the chain",
    },
    {
      id: "dai-usds",
      protocol: "converter",
      name: "DAI_USDS",
      factory: "0x3225737a9bbb6473cb4a45b7244aca2befdb276a",
      fromBlock: undefined,
      trusted: false,
      facts: {
        kind: "daiUsds",
        token0: "0x6b175474e89094c44da98b954eedeac495271d0f",
        token1: "0xdc035d45d973e3ec169d2276ddab16f1e407384f",
      },
      source: "addresses agree in several public repositories; not checked against the chain",
    },
    {
      ...forks.maverickV1,
      factory: "0xeb6625d65a0553c9dbc64449e56abfe519bd9c9b",
      fromBlock: 17_210_221,
      source:
        "addresses agree in several public repositories, on the first block too; not checked against the chain",
    },
    maverickV2(20_027_236),
    {
      id: "dodo-v1",
      protocol: "dodo",
      name: "DODO_V1",
      factory: "0x3a97247df274a17c59a3bd12735ea3fcdfb49950",
      fromBlock: 10_613_640,
      trusted: false,
      facts: {},
      source: "one public indexer, with the first block; not checked against the chain",
    },
    {
      id: "dodo-dvm",
      protocol: "dodo",
      name: "DODO_DVM",
      factory: "0x72d220ce168c4f361dd4dee5d826a01ad8598f6c",
      fromBlock: 12_049_617,
      trusted: false,
      facts: {},
      source:
        "addresses agree in several public repositories, on the first block too; not checked against the chain",
    },
    {
      id: "dodo-dpp",
      protocol: "dodo",
      name: "DODO_DPP",
      factory: "0x5336ede8f971339f6c0e304c66ba16f1296a2fbe",
      fromBlock: 10_613_640,
      trusted: false,
      facts: {},
      source:
        "addresses agree in several public repositories; no older than the first version; not checked against the chain",
    },
    {
      id: "dodo-dsp",
      protocol: "dodo",
      name: "DODO_DSP",
      factory: "0x6fddb76c93299d985f4d3fc7ac468f9a168577a4",
      fromBlock: 10_613_640,
      trusted: false,
      facts: {},
      source:
        "addresses agree in several public repositories; no older than the first version; not checked against the chain",
    },
    {
      id: "susds",
      protocol: "erc4626",
      name: "sUSDS",
      factory: "0xa3931d71877c0e7a3148cb7eb4463524fec27fbd",
      fromBlock: undefined,
      trusted: false,
      facts: { asset: "0xdc035d45d973e3ec169d2276ddab16f1e407384f", kind: "savings" },
      source: "addresses agree in several public repositories; not checked against the chain",
    },
    gyroscopeOnEthereum,
    buffersOnEthereum,
    ...curveOnEthereum,
    {
      ...forks.fluid,
      factory: "0x91716c4eda1fb55e84bf8b4c7085f84285c19085",
      fromBlock: undefined,
      source:
        "Instadapp/fluid-contracts-public a9949b4 deployments/mainnet DexFactory, DexReservesResolver; both addresses agree in several public repositories; not checked against the chain",
    },
    {
      id: "fluid-lite",
      protocol: "fluid-lite",
      name: "Fluid_Lite",
      factory: "0xbbcb91440523216e2b87052a99f69c604a7b6e00",
      fromBlock: 23_043_041,
      trusted: true,
      facts: { deployer: "0x4ec7b668baf70d4a4b0fc7941a7708a07b6d45be" },
      source:
        "Instadapp/fluid-contracts-public a9949b4 deployments/mainnet/FluidDexLite.json: the address, the arguments of its constructor and its first block; not checked against the chain",
    },
    iziswap(
      "0x1502d025bfa624469892289d45c0352997251728",
      15_614_590,
      "older than its entry there, of April 2023, by seven months",
    ),
  ],
};
