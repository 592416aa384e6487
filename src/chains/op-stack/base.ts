import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain } from "../../core/types.ts";
import { balancerHints } from "../shared/balancer-hints.ts";
import { buffersOnBase, gyroscopeOnBase } from "../shared/balancer-vaults.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveFactoryOnBase } from "../shared/curve-factory.ts";
import { curveStableNgOf2023 } from "../shared/curve-stable-ng.ts";
import { dodo } from "../shared/dodo.ts";
import { forks } from "../shared/forks.ts";
import { iziswap } from "../shared/iziswap.ts";
import { maverickV2 } from "../shared/maverick-v2.ts";
import { sparkPsm } from "../shared/spark.ts";
import { hooksOnBase } from "../shared/uniswap-v4-hooks.ts";
import { woofi } from "../shared/woofi.ts";
import { aerodromeSlipstream } from "./aerodrome.ts";
import { hubs } from "./hubs.ts";

/** Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const base: Chain = {
  id: 8_453,
  name: "Base",
  shortname: "base",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://basescan.org",
  genesis: "0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd",
  dollarTokens: [
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca",
    "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2",
    "0x50c5725949a6f0c72e6c4a641f24049a917db0cb",
  ],
  hubs: hubs.base,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0x4200000000000000000000000000000000000006",
      fromBlock: undefined,
      source:
        "token lists of SmolDapp (MIT), cowprotocol (MIT or Apache-2.0), viaprotocol (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
      fromBlock: 6_601_915,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x33128a8fc17869897dce68ed026d694621f6fdfd",
      fromBlock: 1_371_680,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: the earliest that indexers name; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0x71524b4f93c58fcbf659783284e38825f0622859",
      fromBlock: 2_631_214,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      fromBlock: 1_759_510,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.pancakeswapV2,
      factory: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      fromBlock: 2_910_387,
      source:
        "npm sushi 7.3.15 (MIT); first block: pancakeswap/pancake-subgraph config; not checked against the chain",
    },
    {
      ...forks.pancakeswapV3,
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      fromBlock: 2_912_007,
      source:
        "npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters projects/pancakeswap-v3; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/pancakeswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.uniswapV4,
      factory: "0x498581ff718922c3f8e6a244956af099b2652b2b",
      fromBlock: 25_350_988,
      facts: { stateView: "0xa3c0c9b65bad0b08107aa264b0f3db444b867a71", hooks: hooksOnBase },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT); manager and first block: Uniswap/v4-subgraph networks.json; not checked against the chain",
    },
    {
      ...forks.pancakeInfinityCl,
      factory: "0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b",
      fromBlock: 30_544_106,
      source:
        "pancakeswap/infinity-core 7c04695 script/config/base-mainnet.json and npm @pancakeswap/infinity-sdk 1.0.11 (MIT); first block: DefiLlama-Adapters and dimension-adapters; not checked against the chain",
    },
    {
      ...forks.pancakeInfinityBin,
      factory: "0xc697d2898e0d09264376196696c51d7abbbaa4a9",
      fromBlock: 30_544_106,
      source:
        "pancakeswap/infinity-core 7c04695 script/config/base-mainnet.json and npm @pancakeswap/infinity-sdk 1.0.11 (MIT); first block: the manager of concentrated liquidity's, which that repository's scripts deploy before this one; not checked against the chain",
    },
    {
      ...forks.balancerV2,
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      fromBlock: 1_196_036,
      facts: {
        hints: balancerHints("base", "v2"),
        factories: writeNamed({
          weighted: ["0x4c32a8a8fda4e24139b51b456b42290f51d6a1c4"],
          "composable-stable": [
            "0x8df317a729fcaa260306d7de28888932cb579b88",
            "0x956ccab09898c0af2aca5e6c229c3ad4e93d9288",
          ],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/base.json at 6826feb; first block: balancer/balancer-subgraph-v2 8040b35 networks.json; not checked against the chain",
    },
    {
      ...forks.balancerV3,
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
      fromBlock: 25_343_854,
      facts: {
        hints: balancerHints("base", "v3"),
        factories: writeNamed({
          weighted: [
            "0x5cf4928a3205728bd12830e1840f7db85c62a4b9",
            "0xbdbadc891bb95dee80ebc491699228ef0f7d6ff1",
          ],
          stable: [
            "0xb9f8ab3ed3f3acba64bc6cd2dca74b7f38fd7b88",
            "0x4fb47126fa83a8734991e41b942ac29a3266c968",
            "0xc49ca921c4cd1117162eaeec0ee969649997950c",
            "0x8e3feaab11b7b351e3ea1e01247ab6ccc847dd52",
            "0xfc2986feab34713e659da84f3b1fa32c1da95832",
            "0x6623d1ceeab236ae93acafb285ddfb77336b6981",
          ],
          "gyro-e": [
            "0x5f6848976c2914403b425f18b589a65772f082e3",
            "0x86a0e97ec0d5db8dae106d3067358d41968fd12c",
          ],
          "reclamm-v1": ["0x3beb058de1a25dd24223fd9e1796df8589429ace"],
          reclamm: ["0x201efd508c8dfe9de1a13c2452863a78cb2a86cc"],
          lbp: [
            "0x662112b8cb18889e81459b92ca0f894a2ef2c1b8",
            "0x0b11209b8c5e821b18ded147583b8978c3e63911",
            "0x6ee18fbb1bbcc5cf700cd75ea1aef2bb21e3cb3f",
          ],
        }),
        hooks: writeNamed({
          "stable-surge": [
            "0xb2007b8b7e0260042517f635cfd8e6dd2dd7f007",
            "0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a",
          ],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/base.json at 6826feb; first block of the vault: cowprotocol/services; not checked against the chain",
    },
    {
      id: "aerodrome",
      protocol: "solidly",
      name: "Aerodrome",
      factory: "0x420dd381b31aef6683db6b902084cb0ffece40da",
      fromBlock: 0,
      trusted: true,
      facts: { solver: "nearest", feeCall: "poolAndCurve" },
      initCodeHash: "0x6f178972b07752b522a4da1c5b71af6524e8b0bd6027ccb29e5312b0e5bcdc3c",
      source:
        "aerodrome-finance/contracts README.md at a5fae2e; first block unknown; init code hash: that of a minimal proxy of the pools' code, it predicts the pool of WETH and USDC; not checked against the chain",
    },
    {
      id: "alienbase-v2",
      protocol: "uniswap-v2",
      name: "AlienBase_V2",
      factory: "0x3e84d913803b02a4a7f027165e8ca42c14c0fde7",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 1_600 },
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block unknown; not checked against the chain",
    },
    {
      id: "alienbase-v3",
      protocol: "uniswap-v3",
      name: "AlienBase_V3",
      factory: "0x0fd83557b2be93617c9c1c1b6fd549401c74558c",
      fromBlock: 7_150_708,
      trusted: false,
      facts: {},
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block: DefiLlama-Adapters 1eb4e81, registries/uniswapV3.js; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      id: "quickswap-v4",
      protocol: "algebra",
      name: "QuickSwap_V4",
      factory: "0xc5396866754799b9720125b104ae01d935ab9c7b",
      fromBlock: 30_736_835,
      trusted: false,
      facts: {
        version: "integral",
        plugin: "adaptive",
        pluginFactory: "0xd3712643ec7138dd09ae6322e7626ad99542cc04",
      },
      initCodeHash: "0xa18736c3ee97fe3c96c9428c0cc2a9116facec18e84f95f9da30543f8238a782",
      poolDeployer: "0xe08026fd8537d67c501199610c42d08bb34eaa75",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block: DefiLlama-Adapters 1eb4e81, projects/quickswap-v4; init code hash: cryptoalgebra/Algebra integral-v1.2.1 AlgebraFactory.sol; pool deployer: a public wallet; it predicts the pool of WETH and USDC; plugin factory: a public inventory of QuickSwap's contracts, verified as BasePluginV1Factory; not checked against the chain",
    },
    {
      id: "trebleswap",
      protocol: "algebra",
      name: "TrebleSwap",
      factory: "0xac900f12fb25d514e3ccfe8572b153a9991ca4e7",
      fromBlock: 25_118_568,
      trusted: false,
      facts: {
        version: "integral",
        plugin: "adaptive",
        pluginFactory: "0xf170b16f27cf5bafe4bb95985c2bd029a718e293",
      },
      initCodeHash: "0xb3fc09be5eb433d99b1ec89fd8435aaf5ffea75c1879e19028aa2414a14b3c85",
      poolDeployer: "0x19652b0d7ccddd35e9cc4acf418556c3dd0fd31f",
      source:
        "docs.algebra.finance, partners, TrebleSwap: Integral 1.2 with BasePluginV1Factory (cryptoalgebra/algebra-gitbook 7d44550); the hash is that of cryptoalgebra/Algebra 357ae6bc, compiled, and predicts the pool of WETH and USDC; first block: DefiLlama-Adapters projects/trebleswap; not checked against the chain",
    },
    ...aerodromeSlipstream,
    {
      ...forks.maverickV1,
      factory: "0xb2855783a346735e4aae0c1eb894def861fa9b45",
      fromBlock: 1_489_615,
      source: "one public indexer, with the first block; not checked against the chain",
    },
    maverickV2(15_321_281),
    gyroscopeOnBase,
    buffersOnBase,
    {
      id: "velocimeter",
      protocol: "solidly",
      name: "Velocimeter",
      factory: "0xe21aac7f113bd5dc2389e4d8a8db854a87fd6951",
      fromBlock: 0,
      trusted: false,
      facts: { solver: "unit", feeCall: "pool" },
      source:
        "DefiLlama-Adapters, VeloraDEX/paraswap-dex-lib and scripts of the protocol's own agree on the factory (address only); its rules are those of Velocimeter/v3-contracts at d4e4ea0; first block unknown; not checked against the chain",
    },
    curveFactoryOnBase,
    curveStableNgOf2023("0xd2002373543ce3527023c75e7518c274a51ce712", [
      "0x1764ee18e8b3cca4787249ceb249356192594585",
      "0x604388bb1159afd21eb5191ce22b4decdee2ae22",
    ]),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0xa5961898870943c68037f6848d2d866ed2016bcb",
        "twocrypto-ng": "0xc9fe0c63af9a39402e8a5514f9c43af0322b665f",
      },
      "curvefi/curve-js src/constants/network_constants.ts and DefiLlama-Adapters 000a20e projects/curve/contracts.json agree",
    ),
    {
      ...forks.fluid,
      factory: "0x91716c4eda1fb55e84bf8b4c7085f84285c19085",
      fromBlock: undefined,
      source:
        "Instadapp/fluid-contracts-public a9949b4 deployments/base DexFactory, DexReservesResolver; both addresses agree in several public repositories; not checked against the chain",
    },
    iziswap("0x8c7d3063579bdb0b90997e18a770eae32e1ebb08", 0),
    sparkPsm(
      "0x1601843c5e9bc251a3272907010afa41fa18347e",
      {
        usdc: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
        usds: "0x820c137fa70c8691f0e44dc420a5e53c168921dc",
        susds: "0x5875eee11cf8398102fdad704c9e96607675467a",
      },
      "VeloraDEX/paraswap-dex-lib src/dex/spark/spark-psm.ts agrees",
    ),
    ...dodo("config/base-config.js", {
      dvm: ["0x0226fce8c969604c3a0ad19c37d1fafac73e13c2", 1_996_181],
      dsp: ["0x200d866edf41070de251ef92715a6ea825a5eb80", 1_996_181],
    }),
    woofi("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", [
      "0x4200000000000000000000000000000000000006",
      "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf",
      "0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22",
    ]),
  ],
};
