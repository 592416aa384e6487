import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain } from "../../core/types.ts";
import { gyroscopeOnOptimism } from "../shared/balancer-vaults.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveFactoryOnOptimism } from "../shared/curve-factory.ts";
import { curveStableNgOf2023 } from "../shared/curve-stable-ng.ts";
import { dodo } from "../shared/dodo.ts";
import { forks } from "../shared/forks.ts";
import { iziswap } from "../shared/iziswap.ts";
import { sparkPsm } from "../shared/spark.ts";
import { woofi } from "../shared/woofi.ts";
import { hubs } from "./hubs.ts";

/** Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const optimism: Chain = {
  id: 10,
  name: "Optimism",
  shortname: "op",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x4200000000000000000000000000000000000006",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://optimistic.etherscan.io",
  genesis: "0x7ca38a1916c42007829c55e69d3e9a73265554b586a499015373241b8a3fa48b",
  dollarTokens: [
    "0x0b2c639c533813f4aa9d7837caf62653d097ff85",
    "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58",
    "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1",
  ],
  hubs: hubs.optimism,
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
      factory: "0x0c3c1c532f1e39edf36be9fe0be1410313e074bf",
      fromBlock: 112_197_986,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      fromBlock: 0,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); pools older than the chain's regenesis are in its genesis state, without logs; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xfbc12984689e5f15626bad03ad60160fe98b303c",
      fromBlock: 110_882_086,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0x9c6522117e2ed1fe5bdb72bb0ed5e3f2bde7dbe0",
      fromBlock: 85_432_013,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      id: "uniswap-v4",
      protocol: "uniswap-v4",
      name: "Uniswap_V4",
      factory: "0x9a13f98cb987694c9f086b1f5eb990eea8264ec3",
      fromBlock: 130_947_675,
      trusted: true,
      facts: { stateView: "0xc18a3169788f4f75a170290584eca6395c75ecdb" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT); manager and first block: Uniswap/v4-subgraph networks.json; not checked against the chain",
    },
    {
      ...forks.ekubo,
      factory: "0x00000000000014aa86c5d3c41765bb24e11bd701",
      fromBlock: 145_798_647,
      source:
        "EkuboProtocol/evm-contracts 5517df67 broadcast/DeployAll.s.sol (all addresses, first block); core: 0xProject/0x-settler b549d227 src/core/EkuboV3.sol; not checked against the chain",
    },
    {
      id: "balancer-v2",
      protocol: "balancer-v2",
      name: "Balancer_V2",
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      fromBlock: 7_003_431,
      trusted: true,
      facts: {
        factories: writeNamed({
          "weighted-v1": [
            "0xdae7e32adc5d490a43ccba1f0c736033f2b4efca",
            "0x0f3e0c4218b7b0108a3643cfe9d3ec0d4f57c54e",
          ],
          weighted: [
            "0xad901309d9e9dbc5df19c84f729f429f0189a633",
            "0xa0dabebaad1b243bbb243f933013d560819eb66f",
            "0x230a59f4d9adc147480f03b0d3fffecd56c3289a",
          ],
          stable: ["0x41b953164995c11c81da73d212ed8af25741b7ac"],
          metastable: ["0xb08e16cfc07c684daa2f93c70323badb2a6cbfd2"],
          "stable-v2": ["0xeb151668006cd04dadd098afd0a82e78f77076c3"],
          "composable-stable": [
            "0xf145cafb67081895ee80eb7c04a30cf87f07b745",
            "0x85a80afee867adf27b50bdb7b76da70f1e853062",
            "0xe2e901ab09f37884ba31622df3ca7fc19aa443be",
            "0x1802953277fd955f9a254b80aa0582f193cf1d77",
            "0x043a2dad730d585c44fb79d2614f295d2d625412",
            "0x4bdcc2fb18aeb9e2d281b0278d946445070eada7",
          ],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/optimism.json at 6826feb; first block: balancer/balancer-subgraph-v2 8040b35 networks.json; not checked against the chain",
    },
    {
      id: "balancer-v3",
      protocol: "balancer-v3",
      name: "Balancer_V3",
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
      fromBlock: 133_969_439,
      trusted: true,
      facts: {
        factories: writeNamed({
          weighted: [
            "0x0f08eef2c785aa5e7539684af04755dec1347b7c",
            "0x254f3a2974b97dc2e675f6115c845567c55f83b0",
          ],
          stable: [
            "0x268e2ee1413d768b6e2dc3f5a4ddc9ae03d9af42",
            "0x3beb058de1a25dd24223fd9e1796df8589429ace",
            "0x1780e8185199dac45284039bb3e3b64060d943ab",
            "0xfd214210587fb84798cbe7f37235e12898f3128f",
          ],
          "gyro-e": [
            "0x22625eedd92c81a219a83e1dc48f88d54786b017",
            "0x53eff5068a1a3b39a9157da6ef5a18d555c479ef",
          ],
          "reclamm-v1": ["0x0b11209b8c5e821b18ded147583b8978c3e63911"],
          reclamm: ["0x891ec9b34829276a9a8ef2f8a9ceaf2486017e0d"],
          lbp: ["0xc1a64500e035d9159c8826e982dfb802003227f0"],
        }),
        hooks: writeNamed({ "stable-surge": ["0xf39ca6ede9bf7820a952b52f3c94af526bab9015"] }),
      },
      source:
        "balancer/balancer-deployments addresses/optimism.json at 6826feb; first block: DefiLlama-Adapters 1eb4e81, registries/balancer.js; not checked against the chain",
    },
    {
      id: "velodrome-v1",
      protocol: "solidly",
      name: "Velodrome_V1",
      factory: "0x25cbddb98b35ab1ff77413456b31ec81a6b6b746",
      fromBlock: 10_078_686,
      trusted: true,
      facts: { solver: "unit", feeCall: "curve" },
      initCodeHash: "0xc1ac28b1c4ebe53c0cff67bab5878c4eb68759bb1e9f73977cd266b247d149f0",
      source:
        "velodrome-finance/v1 readme.md at de6b2a1; first block: messari/subgraphs 2711ac9, velodrome-finance-v1-optimism; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/solidly/config.ts; not checked against the chain",
    },
    {
      id: "velodrome-v2",
      protocol: "solidly",
      name: "Velodrome_V2",
      factory: "0xf1046053aa5682b4f9a81b5481394da16be5ff5a",
      fromBlock: 105_896_804,
      trusted: false,
      facts: { solver: "nearest", feeCall: "poolAndCurve" },
      initCodeHash: "0xc0629f1c7daa09624e54d4f711ba99922a844907cce02997176399e4cc7e8fcf",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); the contracts are those of aerodrome-finance/contracts; first block: messari/subgraphs 2711ac9, velodrome-finance-v2-optimism; init code hash: that of a minimal proxy of the pools' code, it predicts the pool of WETH and USDC; not checked against the chain",
    },
    {
      id: "zyberswap-v3",
      protocol: "algebra",
      name: "ZyberSwap_V3",
      factory: "0x0c8f7b0cb986b31c67d994fb5c224592a03a4afd",
      fromBlock: 105_900_073,
      trusted: false,
      facts: { version: "v1.9" },
      initCodeHash: "0xbce37a54eab2fcd71913a0d40723e04238970e7fc1159bfd58ad5b79531697e7",
      poolDeployer: "0xc0d4323426c709e8d04b5b130e7f059523464a91",
      source:
        "VeloraDEX/paraswap-dex-lib (factory, init code hash); the hash is that of cryptoalgebra/AlgebraV1.9 779b568, compiled; pool deployer: a public router; first block: DefiLlama-Adapters projects/zyberswap-v3; not checked against the chain",
    },
    {
      id: "velodrome-slipstream",
      protocol: "uniswap-v3",
      name: "Velodrome_Slipstream",
      factory: "0xcc0bddb707055e04e497ab22a59c2af4391cd12f",
      fromBlock: 105_896_804,
      trusted: true,
      facts: { keys: "tickSpacing" },
      source:
        "velodrome-finance/slipstream README.md at 193a6b8; no older than Velodrome v2, whose voter it is made with; not checked against the chain",
    },
    {
      id: "velodrome-slipstream-2",
      protocol: "uniswap-v3",
      name: "Velodrome_Slipstream_2",
      factory: "0xe13dd1fba721aa81a1826d9523ac9bc7d260c879",
      fromBlock: 105_896_804,
      trusted: true,
      facts: { keys: "tickSpacing" },
      source:
        "velodrome-finance/slipstream README.md at 193a6b8; no older than Velodrome v2, whose voter it is made with; not checked against the chain",
    },
    gyroscopeOnOptimism,
    curveFactoryOnOptimism,
    curveStableNgOf2023("0x5eee3091f747e60a045a2e715a4c71e600e31f6e", [
      "0x87fe17697d0f14a222e8bef386a0860ecffdd617",
      "0x06452f9c013fc37169b57eab8f50a7a48c9198a3",
    ]),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0xc6c09471ee39c7e30a067952fcc89c8922f9ab53",
        "twocrypto-ng": "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f",
      },
      "curvefi/curve-js src/constants/network_constants.ts and DefiLlama-Adapters 000a20e projects/curve/contracts.json agree",
    ),
    {
      id: "curve-lending",
      protocol: "curve-llamma",
      name: "Curve_Lending",
      factory: "0x5ea8f3d674c70b020586933a0a5b250734798bef",
      fromBlock: 125_072_264,
      trusted: false,
      facts: {},
      source:
        "Curve's developer documentation and several public repositories agree; first block: two of them, the earlier one; not checked against the chain",
    },
    {
      id: "curve-lending-v2",
      protocol: "curve-llamma",
      name: "Curve_Lending_V2",
      factory: "0x5f94073e3f51c1fff92ffc6b4b06b7af193b3640",
      fromBlock: 152_707_578,
      trusted: false,
      facts: {},
      source:
        "curvefi/curve-stablecoin cf1d05fb deployments/llamalend/optimism/factory.jsonc; first block: a public repository, which the time that the file tells confirms; not checked against the chain",
    },
    iziswap(
      "0x8c7d3063579bdb0b90997e18a770eae32e1ebb08",
      85_432_013,
      "that of Sushi v3, months before its entry there",
    ),
    sparkPsm(
      "0xe0f9978b907853f354d79188a3defbd41978af62",
      {
        usdc: "0x0b2c639c533813f4aa9d7837caf62653d097ff85",
        usds: "0x4f13a96ec5c4cf34e442b46bbd98a0791f20edc3",
        susds: "0xb5b2dc7fd34c249f4be7fb1fcea07950784229e0",
      },
      "DefiLlama-Adapters projects/spark-liquidity-layer agrees on the module",
    ),
    ...dodo("config/optimism-config.js", {
      dvm: ["0x2b800dc6270726f7e2266ce8cd5a3f8436fe0b40", 5_886_090],
      dsp: ["0x1f83858cd6d0ae7a08ab1fd977c06dabece6d711", 5_886_090],
    }),
    woofi("0x0b2c639c533813f4aa9d7837caf62653d097ff85", [
      "0x4200000000000000000000000000000000000006",
      "0x68f180fcce6836688e9084f035309e29bf0a2095",
      "0x4200000000000000000000000000000000000042",
      "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58",
    ]),
  ],
};
