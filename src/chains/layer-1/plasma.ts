import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain } from "../../core/types.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveStableNg } from "../shared/curve-stable-ng.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * No source has the hash of block 0: the first endpoint's is taken.
 */
export const plasma: Chain = {
  id: 9_745,
  name: "Plasma",
  shortname: "plasma",
  native: { symbol: "XPL", name: "Plasma", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x6100e367285b01f48d07953803a2d8dca5d19873",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 1_000,
  explorer: "https://plasmascan.to",
  dollarTokens: [
    "0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb",
    "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34",
    "0x0a1a1a107e45b7ced86833863f482bc5f4ed82ef",
  ],
  hubs: hubs.plasma,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WXPL",
      factory: "0x6100e367285b01f48d07953803a2d8dca5d19873",
      fromBlock: undefined,
      source: "cowprotocol/services 6a3eb426 and npm sushi 7.3.15 (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0xcb2436774c3e191c85056d248ef4260ce5f27a9d",
      fromBlock: 430_127,
      source:
        "npm sushi 7.3.15 (MIT), cowprotocol/services 6a3eb426 and VeloraDEX/paraswap-dex-lib aa9c75f, with the init code hash; first block: DefiLlama-Adapters 1eb4e81 projects/uniswap; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.balancerV3,
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
      fromBlock: 780_207,
      facts: {
        factories: writeNamed({
          weighted: [
            "0xf23b4db826dba14c0e857029dff076b1c0264843",
            "0x86705ee19c0509ff68f1118c55ee2ebde383d122",
          ],
          stable: [
            "0x81cfae226343b24ba12ec6521db2c79e7aeeb310",
            "0x6b5da774890db7b7b96c6f44e6a4b0f657399e2e",
            "0x65a22ec32c37835ad5e77eb6f7452ac59e113a9f",
            "0x7c1b7a97bfacd39975de53e989a16c7bc4c78275",
          ],
          "gyro-e": [
            "0xe3881627b8deebccf9c23b291430a549fc0be5f7",
            "0x5c6fb490bdfd3246eb0bb062c168decaf4bd9fdd",
          ],
          reclamm: ["0x662112b8cb18889e81459b92ca0f894a2ef2c1b8"],
          lbp: ["0x0f08eef2c785aa5e7539684af04755dec1347b7c", "0x3beb058de1a25dd24223fd9e1796df8589429ace"],
        }),
        hooks: writeNamed({
          "stable-surge": ["0x6817149cb753bf529565b4d023d7507ed2ff4bc0"],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/plasma.json at 6826feb; first block: balancer/balancer-subgraph-v3 ed5d6cb networks.json; not checked against the chain",
    },
    {
      ...forks.fluid,
      factory: "0x91716c4eda1fb55e84bf8b4c7085f84285c19085",
      fromBlock: undefined,
      source:
        "Instadapp/fluid-contracts-public a9949b4 deployments/plasma DexFactory, DexReservesResolver; factory: VeloraDEX/paraswap-dex-lib aa9c75f too; not checked against the chain",
    },
    curveStableNg(
      "0x8271e06e5887fe5ba05234f5315c19f3ec90e8ad",
      "curvefi/curve-core deployments/prod/plasma.yaml and DefiLlama-Adapters 1eb4e81 projects/curve agree; the pools are those of curvefi/stableswap-ng 2abe778f, headers aside; asked by pair; not checked against the chain",
    ),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0x6e28493348446503db04a49621d8e6c9a40015fb",
        "twocrypto-ng": "0xe7fbd704b938cb8fe26313c3464d4b7b7348c88c",
      },
      "curvefi/curve-core b4c27f3 deployments/prod/plasma.yaml",
    ),
  ],
};
