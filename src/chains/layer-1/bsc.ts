import type { Chain } from "../../core/types.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveFactoryOnBsc } from "../shared/curve-factory.ts";
import { curveStableNgOf2023 } from "../shared/curve-stable-ng.ts";
import { dodo } from "../shared/dodo.ts";
import { forks } from "../shared/forks.ts";
import { iziswap } from "../shared/iziswap.ts";
import { maverickV2 } from "../shared/maverick-v2.ts";
import { hooksOnBsc } from "../shared/uniswap-v4-hooks.ts";
import { woofi } from "../shared/woofi.ts";
import { hubs } from "./hubs.ts";

/** Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const bsc: Chain = {
  id: 56,
  name: "BNB Smart Chain",
  shortname: "bsc",
  native: { symbol: "BNB", name: "BNB", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 750,
  explorer: "https://bscscan.com",
  genesis: "0x0d21840abff46b96c84b2ac9e10e4f5cdaeb5693cb665db62a2f3b02d2d57b5b",
  dollarTokens: [
    "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
    "0x55d398326f99059ff775485246999027b3197955",
    "0x1af3f329e8be154074d8769d1ffa4ee058b1dbc3",
  ],
  hubs: hubs.bsc,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WBNB",
      factory: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
      fromBlock: undefined,
      source:
        "token lists of SmolDapp (MIT), cowprotocol (MIT or Apache-2.0), viaprotocol (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
      fromBlock: 33_496_018,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7",
      fromBlock: 12_369_621,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v3-subgraph networks.json; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      fromBlock: 5_205_069,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0x126555dd55a39328f69400d6ae4f782bd4c34abb",
      fromBlock: 26_976_538,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.pancakeswapV2,
      factory: "0xca143ce32fe78f1f7019d7d551a6402fc5350c73",
      fromBlock: 6_809_737,
      initCodeHash: "0x00fb7f630766e6a796048ea87d01acd3068e8ff67d078148a3fa3f4a84f69bd5",
      source:
        "npm sushi 7.3.15 (MIT); first block: pancakeswap/pancake-subgraph 2b87e81, exchange; init code hash: it predicts the pair of WBNB and BUSD; not checked against the chain",
    },
    {
      ...forks.pancakeswapV3,
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      fromBlock: 26_956_207,
      source:
        "npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters projects/pancakeswap-v3; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/pancakeswap-v3/config.ts; not checked against the chain",
    },
    {
      id: "uniswap-v4",
      protocol: "uniswap-v4",
      name: "Uniswap_V4",
      factory: "0x28e2ea090877bf75740558f6bfb36a5ffee9e9df",
      fromBlock: 45_970_610,
      trusted: true,
      facts: { stateView: "0xd13dd3d6e93f276fafc9db9e6bb47c1180aee0c4", hooks: hooksOnBsc },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT); manager and first block: Uniswap/v4-subgraph networks.json; not checked against the chain",
    },
    {
      ...forks.pancakeInfinityCl,
      factory: "0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b",
      fromBlock: 47_214_308,
      source:
        "pancakeswap/infinity-core 7c04695 script/config/bsc-mainnet.json and npm @pancakeswap/infinity-sdk 1.0.11 (MIT); first block: DefiLlama-Adapters and dimension-adapters; not checked against the chain",
    },
    {
      ...forks.pancakeInfinityBin,
      factory: "0xc697d2898e0d09264376196696c51d7abbbaa4a9",
      fromBlock: 47_214_308,
      source:
        "pancakeswap/infinity-core 7c04695 script/config/bsc-mainnet.json and npm @pancakeswap/infinity-sdk 1.0.11 (MIT); first block: the manager of concentrated liquidity's, which that repository's scripts deploy before this one; not checked against the chain",
    },
    {
      ...forks.ekubo,
      factory: "0x00000000000014aa86c5d3c41765bb24e11bd701",
      fromBlock: 74_289_536,
      source:
        "EkuboProtocol/evm-contracts 5517df67 broadcast/DeployAll.s.sol (all addresses, first block); core: 0xProject/0x-settler b549d227 src/core/EkuboV3.sol; not checked against the chain",
    },
    {
      id: "thena",
      protocol: "solidly",
      name: "Thena",
      factory: "0xafd89d21bdb66d00817d4153e055830b1c2b3970",
      fromBlock: 0,
      trusted: false,
      facts: { solver: "unit", feeCall: "curve" },
      initCodeHash: "0x8d3d214c094a9889564f695c3e9fa516dd3b50bc3258207acd7f8b8e6b94fb65",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block unknown; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/solidly/config.ts; not checked against the chain",
    },
    {
      id: "apeswap-v1",
      protocol: "uniswap-v2",
      name: "ApeSwap_V1",
      factory: "0x0841bd0b734e4f5853f0dd8d7ea041c241fb0da6",
      fromBlock: 4_855_900,
      trusted: false,
      facts: { feePpm: 2_000 },
      initCodeHash: "0xf4ccce374816856d11f00e4069e7cada164065686fbef53c6167a63ec2fd8c5b",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block: messari/subgraphs 2711ac9, apeswap-bsc; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "pancakeswap-v1",
      protocol: "uniswap-v2",
      name: "PancakeSwap_V1",
      factory: "0xbcfccbde45ce874adcb698cc183debcf17952812",
      fromBlock: 586_851,
      trusted: false,
      facts: { feePpm: 2_000 },
      initCodeHash: "0xd0d4c4cd0848c93cb4fd1f498d7013ee6bfb25783ea21593d5834f5d250ece66",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block: pancakeswap/pancake-subgraph b1f0ae1, exchange; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.traderjoeV21,
      factory: "0x8e42f2f4101563bf679975178e880fd87d3efd4e",
      fromBlock: 27_099_340,
      source:
        "a public router's list; first block: DefiLlama dimension-adapters e7346b0, factory/joeLiquidityBook.ts; not checked against the chain",
    },
    {
      id: "thena-integral",
      protocol: "algebra",
      name: "THENA_Integral",
      factory: "0x30055f87716d3dfd0e5198c27024481099fb4a98",
      fromBlock: 44_121_855,
      trusted: false,
      facts: {
        version: "integral",
        plugin: "sliding",
        pluginFactory: "0xfa78c6467b5aa53d0c1ad114dbf93082e6864573",
      },
      source:
        "DefiLlama-Adapters projects/thena-integral (factory, first block); plugins: KyberNetwork/kyberswap-dex-lib 311f31f algebra/integral says AlgebraBasePluginV2, and a public inventory of THENA's contracts has their factory, verified as BasePluginV2Factory; not checked against the chain",
    },
    {
      ...forks.pancakeswapStable,
      factory: "0x25a55f9f2279a54951133d503490342b50e5cd15",
      fromBlock: 25_535_458,
      source:
        "addresses agree in several public repositories; first block: pancakeswap/pancake-subgraph 2b87e81, exchange-stableswap; not checked against the chain",
    },
    {
      ...forks.traderjoeV20,
      factory: "0x43646a8e839b2f2766392c1bf8f60f6e587b6960",
      fromBlock: 26_153_438,
      source:
        "DefiLlama-Adapters (one source); first block: DefiLlama dimension-adapters e7346b0, factory/joeLiquidityBook.ts; not checked against the chain",
    },
    curveFactoryOnBsc,
    curveStableNgOf2023("0xd7e72f3615aa65b92a4dbdc211e296a35512988b", [
      "0x604388bb1159afd21eb5191ce22b4decdee2ae22",
      "0x64379c265fc6595065d7d835aaaa731c0584db80",
    ]),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0xc55837710bc500f1e3c7bb9dd1d51f7c5647e657",
        "twocrypto-ng": "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f",
      },
      "curvefi/curve-js src/constants/network_constants.ts and DefiLlama-Adapters 000a20e projects/curve/contracts.json agree",
    ),
    {
      ...forks.fluid,
      factory: "0x91716c4eda1fb55e84bf8b4c7085f84285c19085",
      fromBlock: undefined,
      source:
        "Instadapp/fluid-contracts-public a9949b4 deployments/bnb DexFactory, DexReservesResolver; both addresses agree in several public repositories; not checked against the chain",
    },
    maverickV2(39_421_941),
    iziswap(
      "0x93bb94a0d5269cb437a1f71ff3a77ab753844422",
      26_956_207,
      "that of PancakeSwap v3, three months before its entry there",
    ),
    ...dodo("config/bsc-config.js", {
      dvm: ["0x790b4a80fb1094589a3c0efc8740aa9b0c1733fb", 726_278],
      dsp: ["0x0fb9815938ad069bf90e14fe6c596c514bede767", 726_278],
    }),
    {
      ...forks.maverickV1,
      factory: "0x76311728ff86054ad4ac52d2e9ca005bc702f589",
      fromBlock: 29_241_049,
      source:
        "several public repositories agree; first block: the earliest of them, DefiLlama dimension-adapters e7346b0; not checked against the chain",
    },
    {
      id: "biswap-v2",
      protocol: "uniswap-v2",
      name: "BiSwap_V2",
      factory: "0x858e3312ed3a876947ea49d572a7c42de08af7ee",
      fromBlock: 7_664_646,
      trusted: false,
      facts: { fees: "swapFee" },
      initCodeHash: "0xfea293c909d87cd4153593f077b76bb7e94340200f4ee84211ae8e4f9bd7ffdf",
      source:
        "DefiLlama-Adapters 1eb4e81 and many public repositories agree; that each pair has a fee of its own, in thousandths: biswap-org/core 78a67b2 BiswapPair.sol, and KyberNetwork/kyberswap-dex-lib asks for it; first block: a public subgraph; init code hash: it predicts the pair of WBNB and USDT; not checked against the chain",
    },
    {
      id: "thena-fusion",
      protocol: "algebra",
      name: "THENA_Fusion",
      factory: "0x306f06c147f064a010530292a1eb6737c3e378e4",
      fromBlock: 26_030_310,
      trusted: false,
      facts: { version: "v1" },
      initCodeHash: "0xd61302e7691f3169f5ebeca3a0a4ab8f7f998c01e55ec944e62cfb1109fd2736",
      poolDeployer: "0xc89f69baa3ff17a842ab2de89e5fc8a8e2cc7358",
      source:
        "docs.algebra.finance, partners, Thena (cryptoalgebra/algebra-gitbook 7d44550: factory, deployer, init code hash); the hash is that of cryptoalgebra/Algebra ba18828f (branch thena), compiled, whose pools differ from QuickSwap's in the protocol's share of the fee only, and predicts the pool of USDT and USDC; first block: DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js; not checked against the chain",
    },
    woofi("0x55d398326f99059ff775485246999027b3197955", [
      "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
      "0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c",
      "0x2170ed0880ac9a755fd29b2688956bd959f933f8",
      "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
    ]),
  ],
};
