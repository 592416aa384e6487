import type { Chain } from "../../core/types.ts";
import { buffersOnArbitrum, gyroscopeOnArbitrum } from "../shared/balancer-vaults.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveFactoryOnArbitrum } from "../shared/curve-factory.ts";
import { curveStableNgOf2023 } from "../shared/curve-stable-ng.ts";
import { dodo } from "../shared/dodo.ts";
import { forks } from "../shared/forks.ts";
import { iziswap } from "../shared/iziswap.ts";
import { maverickV2 } from "../shared/maverick-v2.ts";
import { sparkPsm } from "../shared/spark.ts";
import { hooksOnArbitrum } from "../shared/uniswap-v4-hooks.ts";
import { woofi } from "../shared/woofi.ts";
import { balancerOnArbitrum } from "./arbitrum-balancer.ts";
import { hubs } from "./hubs.ts";

/** Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const arbitrum: Chain = {
  id: 42_161,
  name: "Arbitrum One",
  shortname: "arb",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 250,
  explorer: "https://arbiscan.io",
  genesis: "0x7ee576b35482195fc49205cec9af72ce14f003b9ae69f6ba0faef4514be8b442",
  dollarTokens: [
    "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
    "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8",
    "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
    "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1",
  ],
  hubs: hubs.arbitrum,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
      fromBlock: undefined,
      source:
        "token lists of SmolDapp (MIT), cowprotocol (MIT or Apache-2.0), viaprotocol (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9",
      fromBlock: 150_442_611,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      fromBlock: 165,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v3-subgraph networks.json; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      fromBlock: 70,
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0x1af415a1eba07a4986a52b6f2e7de7003d82231e",
      fromBlock: 75_998_697,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.pancakeswapV2,
      factory: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      fromBlock: 101_022_992,
      source:
        "npm sushi 7.3.15 (MIT); first block: pancakeswap/pancake-subgraph config; not checked against the chain",
    },
    {
      ...forks.pancakeswapV3,
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      fromBlock: 101_028_949,
      source:
        "npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters projects/pancakeswap-v3; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/pancakeswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.uniswapV4,
      factory: "0x360e68faccca8ca495c1b759fd9eee466db9fb32",
      fromBlock: 297_842_872,
      facts: { stateView: "0x76fd297e2d437cd7f76d50f01afe6160f86e9990", hooks: hooksOnArbitrum },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT); manager and first block: Uniswap/v4-subgraph networks.json; not checked against the chain",
    },
    {
      ...forks.ekubo,
      factory: "0x00000000000014aa86c5d3c41765bb24e11bd701",
      fromBlock: 416_469_411,
      source:
        "EkuboProtocol/evm-contracts 5517df67 broadcast/DeployAll.s.sol (all addresses, first block); core: 0xProject/0x-settler b549d227 src/core/EkuboV3.sol; not checked against the chain",
    },
    ...balancerOnArbitrum,
    {
      ...forks.traderjoeV21,
      factory: "0x8e42f2f4101563bf679975178e880fd87d3efd4e",
      fromBlock: 77_473_199,
      source:
        "a public router's list; first block: DefiLlama dimension-adapters e7346b0, factory/joeLiquidityBook.ts; not checked against the chain",
    },
    {
      id: "camelot-v2",
      protocol: "uniswap-v2",
      name: "Camelot_V2",
      factory: "0x6eccab422d763ac031210895c81787e87b43a652",
      fromBlock: 35_061_163,
      trusted: false,
      facts: { fees: "camelot" },
      initCodeHash: "0xa856464ae65f7619087bc369daaf7e387dae1e5af69cfa7935850ebf754b04c1",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block: messari/subgraphs 2711ac9, camelot-v2-arbitrum; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/camelot/config.ts; not checked against the chain",
    },
    {
      ...forks.ramsesV3,
      factory: "0xd0019e86edb35e1fedaab03aed5c3c60f115d28b",
      fromBlock: 420_275_312,
      source:
        "several public repositories agree; first block: DefiLlama-Adapters projects/ramses (the factory of RamsesX); not checked against the chain",
    },
    {
      id: "camelot-v3",
      protocol: "algebra",
      name: "Camelot_V3",
      factory: "0x1a3c9b1d2f0529d97f2afc5136cc23e58f1fd35b",
      fromBlock: 101_163_738,
      trusted: false,
      facts: { version: "v1.9-directional" },
      initCodeHash: "0x6c1bebd370ba84753516bc1393c0d0a6c645856da55f5393ac8ab3d6dbc861d3",
      poolDeployer: "0x6dd3fb9653b10e806650f107c3b5a0a6ff974f65",
      source:
        "docs.camelot.exchange, Arbitrum One (factory, init code hash); the hash is that of cryptoalgebra/AlgebraV1.9 a45417e, compiled; pool deployer: several public routers; it predicts the pool of WETH and USDC; first block: several public indexers; not checked against the chain",
    },
    {
      id: "zyberswap-v3",
      protocol: "algebra",
      name: "ZyberSwap_V3",
      factory: "0x9c2abd632771b433e5e7507bcaa41ca3b25d8544",
      fromBlock: 62_714_800,
      trusted: false,
      facts: { version: "v1" },
      initCodeHash: "0x6ec6c9c8091d160c0aa74b2b14ba9c1717e95093bd3ac085cee99a49aab294a4",
      poolDeployer: "0x24e85f5f94c6017d2d87b434394e87df4e4d56e3",
      source:
        "VeloraDEX/paraswap-dex-lib (factory, init code hash, that of QuickSwap's v1 pools); pool deployer: a public router; first block: DefiLlama-Adapters projects/zyberswap-v3; not checked against the chain",
    },
    gyroscopeOnArbitrum,
    buffersOnArbitrum,
    {
      ...forks.traderjoeV20,
      factory: "0x1886d09c9ade0c5db822d85d21678db67b6c2982",
      fromBlock: 47_891_979,
      source:
        "DefiLlama-Adapters (one source); first block: DefiLlama dimension-adapters e7346b0, factory/joeLiquidityBook.ts; not checked against the chain",
    },
    woofi("0xaf88d065e77c8cc2239327c5edb3a432268e5831", [
      "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
      "0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f",
      "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8",
      "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
      "0x912ce59144191c1204e64559fe8253a0e49e6548",
    ]),
    curveFactoryOnArbitrum,
    curveStableNgOf2023("0x9af14d26075f142eb3f292d5065eb3faa646167b", [
      "0x76303e4fdca0abf28ab3ee42ce086e6503431f1d",
      "0x0458ea5f4cd00e873264be2031ceb8f9d9b3116c",
    ]),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0xbc0797015fcfc47d9c1856639cae50d0e69fbee8",
        "twocrypto-ng": "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f",
      },
      "curvefi/curve-js src/constants/network_constants.ts and DefiLlama-Adapters 000a20e projects/curve/contracts.json agree",
    ),
    {
      ...forks.fluid,
      factory: "0x91716c4eda1fb55e84bf8b4c7085f84285c19085",
      fromBlock: undefined,
      source:
        "Instadapp/fluid-contracts-public a9949b4 deployments/arbitrum DexFactory, DexReservesResolver; both addresses agree in several public repositories; not checked against the chain",
    },
    maverickV2(219_205_177),
    iziswap(
      "0xcfd8a067e1fa03474e79be646c5f6b6a27847399",
      75_998_697,
      "that of Sushi v3, three months before its entry there",
    ),
    sparkPsm(
      "0x2b05f8e1cacc6974fd79a673a341fe1f58d27266",
      {
        usdc: "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
        usds: "0x6491c05a82219b8d1479057361ff1654749b876b",
        susds: "0xddb46999f8891663a8f2828d25298f70416d7610",
      },
      "VeloraDEX/paraswap-dex-lib src/dex/spark/spark-psm.ts agrees",
    ),
    ...dodo("config/arb-config.js", {
      dvm: ["0xda4c4411c55b0785e501332354a036c04833b72b", 226_001],
      dsp: ["0xc8fe2440744dcd733246a4db14093664defd5a53", 226_003],
    }),
    {
      ...forks.traderjoeV22,
      fromBlock: 220_345_864,
      source:
        "DefiLlama-Adapters 1eb4e81 registries/traderJoeV2.js and a public indexer's models of Arbitrum agree; first block: dimension-adapters e7346b0, factory/joeLiquidityBook.ts; not checked against the chain",
    },
    {
      ...forks.pancakeswapStable,
      factory: "0x5d5fbb19572c4a89846198c3dbedb2b6ef58a77a",
      fromBlock: 169_319_653,
      source:
        "pancakeswap/pancake-subgraph 2b87e81 subgraphs/exchange-stableswap/arb (factory, first block) and DefiLlama-Adapters agree; not checked against the chain",
    },
  ],
};
