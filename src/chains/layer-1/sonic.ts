import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain } from "../../core/types.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveStableNg } from "../shared/curve-stable-ng.ts";
import { forks } from "../shared/forks.ts";
import { woofi } from "../shared/woofi.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: graphprotocol/networks-registry e40e036.
 */
export const sonic: Chain = {
  id: 146,
  name: "Sonic",
  shortname: "sonic",
  native: { symbol: "S", name: "Sonic", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x039e2fb66102314ce7b64ce5ce3e5183bc94ad38",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 630,
  explorer: "https://sonicscan.org",
  genesis: "0x411c75a1b1c2f2f458bcf243e7743d114e0117a4233cc13d91e7efc8fe8b0f3b",
  dollarTokens: [
    "0x29219dd400f2bf60e5a23d13be72b486d4038894",
    "0x6047828dc181963ba44974801ff68e538da5eaf9",
    "0xd3dce716f3ef535c5ff8d041c1a41c3bd89b97ae",
  ],
  hubs: hubs.sonic,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "wS",
      factory: "0x039e2fb66102314ce7b64ce5ce3e5183bc94ad38",
      fromBlock: undefined,
      source: "npm sushi 7.3.15 (MIT) and balancer/tokenlists 98df981; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0xcb2436774c3e191c85056d248ef4260ce5f27a9d",
      fromBlock: 322_744,
      source:
        "npm sushi 7.3.15 (MIT) and VeloraDEX/paraswap-dex-lib aa9c75f, with the init code hash; first block: DefiLlama-Adapters 1eb4e81 projects/uniswap; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xb45e53277a7e0f1d35f2a77160e91e25507f1763",
      fromBlock: 347_155,
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      source:
        "npm sushi 7.3.15 (MIT); first block and init code hash: sushiswap/subgraphs 12eacc0 config; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0x46b3fdf7b5cde91ac049936bf0bdb12c5d22202e",
      fromBlock: 347_590,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs 12eacc0 config; init code hash: that of Uniswap v3; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      id: "spookyswap-v2",
      protocol: "uniswap-v2",
      name: "SpookySwap_V2",
      factory: "0xee4bc42157cf65291ba2fe839ae127e3cc76f741",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 2000 },
      source:
        "DefiLlama-Adapters 1eb4e81 and dimension-adapters e7346b0, with the fee; first block unknown; not checked against the chain",
    },
    {
      id: "spookyswap-v3",
      protocol: "uniswap-v3",
      name: "SpookySwap_V3",
      factory: "0x3d91b700252e0e3ee7805d12e048a988ab69c8ad",
      fromBlock: 286_535,
      trusted: false,
      facts: {},
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75f and 0xProject/0x-settler f6b73031, with the init code hash; first block: DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js; not checked against the chain",
    },
    {
      id: "wagmi-v3",
      protocol: "uniswap-v3",
      name: "Wagmi_V3",
      factory: "0x56cfc796bc88c9c7e1b38c2b0af9b7120b079aef",
      fromBlock: 276_406,
      trusted: false,
      facts: { fees: "pool" },
      initCodeHash: "0x30146866f3a846fe3c636beb2756dbd24cf321bc52c9113c837c21f47470dfeb",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75f, which prices it as Uniswap v3, and 0xProject/0x-settler f6b73031, with the init code hash; pools are asked for their fee; first block: DefiLlama-Adapters 1eb4e81 projects/wagmi-com; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.ramsesV3,
      id: "shadow-v3",
      name: "Shadow_V3",
      factory: "0xcd2d0637c94fe77c2896bbcbb174ceffb08de6d7",
      fromBlock: 1_705_910,
      source:
        "DefiLlama-Adapters 1eb4e81, with the first block, and dimension-adapters e7346b0; the pools are those of Shadow-Exchange/shadow-core bb3fa4f; not checked against the chain",
    },
    {
      id: "swapx",
      protocol: "algebra",
      name: "SwapX",
      factory: "0x8121a3f8c4176e9765deea0b95fa2bdfd3016794",
      fromBlock: 1_440_914,
      trusted: false,
      facts: {
        version: "integral",
        plugin: "adaptive",
        pluginFactory: "0x11f0ccf4ac81878b81ebc907b8b9a9ecd089a227",
      },
      initCodeHash: "0xf96d2474815c32e070cd63233f06af5413efc5dcb430aee4ff18cc29007c562d",
      poolDeployer: "0x885229e48987ea4c68f0aa1bcbff5184198a9188",
      source:
        "docs.algebra.finance, partners, SwapX: Integral 1.0 with BasePluginV1Factory (cryptoalgebra/algebra-gitbook 7d44550); deployer and hash: 0xProject/0x-settler f6b73031 too; first block: DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.balancerV2,
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      fromBlock: 368_300,
      facts: {
        factories: writeNamed({
          weighted: ["0x22f5b7fdd99076f1f20f8118854ce3984544d56d"],
          "composable-stable": ["0x993767e29726ddb7f5e8a751faf54d4b83f3fc62"],
        }),
      },
      source:
        "beethovenxfi/balancer-deployments addresses/sonic.json at 12c5650 and balancer/balancer-subgraph-v2 8040b35 networks.json, with the first block; not checked against the chain",
    },
    {
      ...forks.balancerV3,
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
      fromBlock: 368_135,
      facts: {
        factories: writeNamed({
          weighted: [
            "0x4726eb55c37f0353f6d5011b5652d44a87d60fc3",
            "0x7f43e26a3f58446c4df021a690dc56a3968962ed",
          ],
          stable: [
            "0x815ab57a5a2e4976cec0b43c2d50cf26ef6f31fd",
            "0x6187f6c78ca4d89490d959e9c629b93214e6776e",
            "0x482ee54595f79b6ba34b75754a4983134148affb",
            "0x3d9319bb29daf6081d01dc56b6203efcc90f0bad",
            "0x3ed9b71b5cc9cb5987ecb63b88923824c890e0f9",
            "0x8e2e3058702feb83d45dd27311ded693f7cd162b",
          ],
          "gyro-e": [
            "0xf023731dd8758d7c869af10005e6380cb57775a9",
            "0xaf075a81f4b81dee0b57a51474437b57e3e37e13",
          ],
          reclamm: ["0x99c13b259138a8ad8badbbfb87a4074591310de0"],
          lbp: ["0x0ae401e1257bcc61403589b0122efdbfee57c9ba"],
        }),
        hooks: writeNamed({
          "stable-surge": [
            "0x8a83aa9bb7c4cff14ae0aecec0fb9ef234901c0c",
            "0x049919ae32e50aee5ea1a0998a841d175ec6f1b3",
          ],
        }),
      },
      source:
        "beethovenxfi/balancer-deployments addresses/sonic.json at 12c5650; npm @balancer/sdk 6.1.1 has the newest of them; first block: balancer/balancer-subgraph-v3 ed5d6cb networks.json; not checked against the chain",
    },
    curveStableNg(
      "0x7c2085419be6a04f4ad88ea91bc9f5c6e6c463d8",
      "curvefi/curve-core deployments/prod/sonic.yaml and DefiLlama-Adapters 1eb4e81 projects/curve agree; the pools are those of curvefi/stableswap-ng 2abe778f, headers aside; asked by pair; not checked against the chain",
    ),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0x635742dcc8313dcf8c904206037d962c042eafbd",
        "twocrypto-ng": "0x1a83348f9ccfd3fe1a8c0adba580ac4e267fe495",
      },
      "curvefi/curve-core b4c27f3 deployments/prod/sonic.yaml and DefiLlama-Adapters 000a20e projects/curve/contracts.json agree",
    ),
    woofi("0x29219dd400f2bf60e5a23d13be72b486d4038894", [
      "0x039e2fb66102314ce7b64ce5ce3e5183bc94ad38",
      "0x50c42deacd8fc9773493ed674b675be577f2634b",
    ]),
  ],
};
