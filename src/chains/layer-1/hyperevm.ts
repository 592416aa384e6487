import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain } from "../../core/types.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveStableNg } from "../shared/curve-stable-ng.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block time: that of small blocks in Hyperliquid's documentation; a large one comes once a minute. Block 0: graphprotocol/networks-registry e40e036.
 */
export const hyperEvm: Chain = {
  id: 999,
  name: "HyperEVM",
  shortname: "hyperevm",
  native: { symbol: "HYPE", name: "HYPE", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x5555555555555555555555555555555555555555",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 1_000,
  explorer: "https://hyperevmscan.io",
  genesis: "0xd8fcc13b6a195b88b7b2da3722ff6cad767b13a8c1e9ffb1c73aa9d216d895f0",
  dollarTokens: [
    "0xb88339cb7199b77e23db6e890353e22632ba630f",
    "0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb",
    "0xb50a96253abdf803d85efcdce07ad8becbc52bd5",
  ],
  hubs: hubs.hyperEvm,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WHYPE",
      factory: "0x5555555555555555555555555555555555555555",
      fromBlock: undefined,
      source: "npm sushi 7.3.15 (MIT) and balancer/tokenlists 98df981 (MIT); not checked against the chain",
    },
    {
      id: "hyperswap-v2",
      protocol: "uniswap-v2",
      name: "HyperSwap_V2",
      factory: "0x724412c00059bf7d6ee7d4a1d0d5cd4de3ea1c48",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 3000 },
      source:
        "DefiLlama-Adapters 1eb4e81 and dimension-adapters e7346b0; first block unknown; not checked against the chain",
    },
    {
      id: "project-x-v3",
      protocol: "uniswap-v3",
      name: "ProjectX_V3",
      factory: "0xff7b3e8c00e57ea31477c32a5b52a58eea47b072",
      fromBlock: 7_876_741,
      trusted: false,
      facts: { fees: "pool" },
      initCodeHash: "0x7ef2b01a451cbf890790278981756372e549443802ece149dc0b592cbc114ee9",
      source:
        "0xProject/0x-settler f6b73031, with the init code hash, whose router calls its pools as Uniswap v3's, and dimension-adapters e7346b0; pools are asked for their fee; first block: DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.ramsesV3,
      factory: "0x07e60782535752be279929e2dffdd136db2e6b45",
      fromBlock: 17_985_840,
      source:
        "several public repositories agree on the factory, and an inventory of its verified contracts names it RamsesV3Factory; first block: DefiLlama-Adapters projects/ramses, the earlier of two; not checked against the chain",
    },
    {
      ...forks.balancerV3,
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
      fromBlock: 6_132_445,
      facts: {
        factories: writeNamed({
          weighted: [
            "0xe3881627b8deebccf9c23b291430a549fc0be5f7",
            "0x6ee18fbb1bbcc5cf700cd75ea1aef2bb21e3cb3f",
          ],
          stable: [
            "0x96484f2abf5e58b15176dbf1a799627b53f13b6d",
            "0x3f170631ed9821ca51a59d996ab095162438dc10",
            "0xb96524227c4b5ab908fc3d42005fe3b07aba40e9",
            "0xbdbadc891bb95dee80ebc491699228ef0f7d6ff1",
          ],
          "gyro-e": [
            "0x6817149cb753bf529565b4d023d7507ed2ff4bc0",
            "0xf94bb6911daf3734759105c26e0e79790281bffc",
          ],
          "reclamm-v1": ["0x25ea7b202cd8447e8e6f4a7c59b19c66dfef1925"],
          reclamm: ["0x4bb42f71cab7bd13e9f958da4351b9fa2d3a42ff"],
          lbp: [
            "0x013d4382f291be5688afbcc741ee8a24c66b2c92",
            "0xa1d0791a41318c775707c56eae247af81a05322c",
            "0xd22eecbb495380ef52b1ccef1ca594979885d484",
          ],
        }),
        hooks: writeNamed({
          "stable-surge": ["0x5dbad78818d4c8958eff2d5b95b28385a22113cd"],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/hyperevm.json at 6826feb; first block: balancer/balancer-subgraph-v3 ed5d6cb networks.json; not checked against the chain",
    },
    curveStableNg(
      "0x604388bb1159afd21eb5191ce22b4decdee2ae22",
      "curvefi/curve-core deployments/prod/hyperliquid.yaml and DefiLlama-Adapters 1eb4e81 projects/curve agree; the pools are those of curvefi/stableswap-ng 2abe778f, headers aside; asked by pair; not checked against the chain",
    ),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0x5702bdb1ec244704e3cbbaae11a0275ae5b07499",
        "twocrypto-ng": "0xc9fe0c63af9a39402e8a5514f9c43af0322b665f",
      },
      "curvefi/curve-core b4c27f3 deployments/prod/hyperliquid.yaml",
    ),
  ],
};
