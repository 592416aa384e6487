import type { Chain } from "../core/types.ts";
import { buffersOnEthereum, gyroscopeOnEthereum } from "./balancer-vaults.ts";
import { curveOnEthereum } from "./ethereum-curve.ts";
import { forks } from "./forks.ts";
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
      facts: { feePpm: 3000 },
      initCodeHash: "0x65d1a3b1e46c6e4f1be1ad5f99ef14dc488ae0549dc97db9b30afe2241ce1c7a",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); no older than Uniswap v2, whose code it forks; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "uniswap-v4",
      protocol: "uniswap-v4",
      name: "Uniswap_V4",
      factory: "0x000000000004444c5dc75cb358380d2e3de08a90",
      fromBlock: 21_688_329,
      trusted: true,
      facts: { stateView: "0x7ffe42c4a5deea5b0fec41c94c136cf115597227" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT); manager and first block: Uniswap/v4-subgraph networks.json; not checked against the chain",
    },
    {
      id: "balancer-v2",
      protocol: "balancer-v2",
      name: "Balancer_V2",
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      fromBlock: 12_272_146,
      trusted: true,
      facts: {
        factories:
          "weighted-v1=0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9;weighted-v1=0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0;weighted=0xcc508a455f5b0073973107db6a878ddbdab957bc;weighted=0x5dd94da3644ddd055fcf6b3e1aa310bb7801eb8b;weighted=0x897888115ada5773e02aa29f775430bfb5f34c51;stable=0xc66ba2b6595d3613ccab350c886ace23866ede24;metastable=0x67d27634e44793fe63c467035e31ea8635117cd4;stable-v2=0x8df6efec5547e31b0eb7d1291b511ff8a2bf987c;composable-stable=0xf9ac7b9df2b3454e841110cce5550bd5ac6f875f;composable-stable=0x85a80afee867adf27b50bdb7b76da70f1e853062;composable-stable=0xdba127fbc23fb20f5929c546af220a991b5c6e01;composable-stable=0xfada0f4547ab2de89d1304a668c39b3e09aa7c76;composable-stable=0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a;composable-stable=0x5b42ec6d40f7b7965be5308c70e2603c0281c1e9",
      },
      source:
        "balancer/balancer-deployments addresses/mainnet.json at 6826feb; first block: the vault's first factory in public indexers; not checked against the chain",
    },
    {
      id: "balancer-v3",
      protocol: "balancer-v3",
      name: "Balancer_V3",
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
      fromBlock: 21_332_121,
      trusted: true,
      facts: {
        factories:
          "weighted=0x201efd508c8dfe9de1a13c2452863a78cb2a86cc;weighted=0x332694ef46d880df6ea9593e04cb8abee5f81d99;stable=0xb9d01ca61b9c181da1051bfdd28e1097e920ab14;stable=0xd53f5d8d926fb2a0f7be614b16e649b8ac102d83;stable=0xe42c2e153bb0a8899b59c73f5ff941f9742f1197;stable=0x355bd33f0033066bb3de396a6d069be57353ad95;stable=0x4efcd8bce8ac9b94bd76648e2c85bef6c40f3228;stable=0x187a05fb9e4234dd310ae74215743560d1baa6ac;gyro-e=0xe9b0a3bc48178d7fe2f5453c8bc1415d73f966d0;gyro-e=0x04d584195a96dffc7f8b695aa3c9d3c1606b69d1;reclamm-v1=0x5939ab16fdf1991b0ef603c639b6b501a7841fab;reclamm=0xdaa273aeec06e9ccb7428a77e2abb1e4659b16d2;lbp=0x4eff2d77d9ffbaefb4b141a3e494c085b3ff4cb5;lbp=0x02916d8f0891309806fcb347bf4191692cbddcaf;lbp=0xd5584b37d1845ffed958c2d94bc675603ddcce68",
        surgeHooks: "0xb18fa0cb5de8cecb8899aae6e38b1b7ed77885da;0xbdbadc891bb95dee80ebc491699228ef0f7d6ff1",
      },
      source:
        "balancer/balancer-deployments addresses/mainnet.json at 6826feb; first block of the vault: cowprotocol/services; not checked against the chain",
    },
    {
      id: "defiswap-v1",
      protocol: "uniswap-v2",
      name: "DefiSwap_V1",
      factory: "0x9deb29c9a4c7a88a3c0257393b7f3335338d9a9d",
      fromBlock: 10_000_834,
      trusted: false,
      facts: { feePpm: 3_000 },
      initCodeHash: "0x69d637e77615df9f235f642acebbdad8963ef35c5523142078c9b8f9d0ceba7e",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); no older than Uniswap v2, whose code it forks; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
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
  ],
};
