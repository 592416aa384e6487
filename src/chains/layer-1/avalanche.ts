import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain } from "../../core/types.ts";
import { balancerHints } from "../shared/balancer-hints.ts";
import { gyroscopeOnAvalanche } from "../shared/balancer-vaults.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveFactoryOnAvalanche } from "../shared/curve-factory.ts";
import { curveStableNgOf2023 } from "../shared/curve-stable-ng.ts";
import { dodo } from "../shared/dodo.ts";
import { forks } from "../shared/forks.ts";
import { woofi } from "../shared/woofi.ts";
import { hubs } from "./hubs.ts";

/** Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const avalanche: Chain = {
  id: 43_114,
  name: "Avalanche",
  shortname: "avax",
  native: { symbol: "AVAX", name: "Avalanche", decimals: 18, gasUnit: "nAVAX" },
  wrappedNative: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 1_700,
  explorer: "https://snowtrace.io",
  genesis: "0x31ced5b9beb7f8782b014660da0cb18cc409f121f408186886e1ca3e8eeca96b",
  dollarTokens: [
    "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e",
    "0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664",
    "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7",
  ],
  hubs: hubs.avalanche,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WAVAX",
      factory: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
      fromBlock: undefined,
      source:
        "token lists of SmolDapp (MIT), cowprotocol (MIT or Apache-2.0), viaprotocol (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c",
      fromBlock: 37_767_795,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad",
      fromBlock: 27_832_971,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v3-subgraph networks.json; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      fromBlock: 506_190,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "sushi-v3",
      protocol: "uniswap-v3",
      name: "Sushi_V3",
      factory: "0x3e603c14af37ebdad31709c4f848fc6ad5bec715",
      fromBlock: 28_186_391,
      trusted: true,
      facts: {},
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; not checked against the chain",
    },
    {
      id: "trader-joe-v1",
      protocol: "uniswap-v2",
      name: "TraderJoe_V1",
      factory: "0x9ad6c38be94206ca50bb0d90783181662f0cfa10",
      fromBlock: 2_486_392,
      trusted: false,
      facts: { feePpm: 3000 },
      initCodeHash: "0x0bbca9af0511ad1a1da383135cf3a8d2ac620e549ef9f6ae3a4c33c2fed0af91",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block: messari/subgraphs 2711ac9, trader-joe-avalanche; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "pangolin-v2",
      protocol: "uniswap-v2",
      name: "Pangolin_V2",
      factory: "0xefa94de7a4656d787667c749f7e1223d71e9fd88",
      fromBlock: 56_877,
      trusted: false,
      facts: { feePpm: 3000 },
      initCodeHash: "0x40231f6b438bce0797c9ada29b718a87ea0a5cea3fe9a771abdd76bd41a3e545",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block: messari/subgraphs 2711ac9, pangolin-avalanche; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "uniswap-v4",
      protocol: "uniswap-v4",
      name: "Uniswap_V4",
      factory: "0x06380c0e0912312b5150364b9dc4542ba0dbbc85",
      fromBlock: 56_195_376,
      trusted: true,
      facts: { stateView: "0xc3c9e198c735a4b97e3e683f391ccbdd60b69286" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT); manager and first block: Uniswap/v4-subgraph networks.json; not checked against the chain",
    },
    {
      id: "balancer-v2",
      protocol: "balancer-v2",
      name: "Balancer_V2",
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      fromBlock: 26_386_141,
      trusted: true,
      facts: {
        hints: balancerHints("avalanche", "v2"),
        factories: writeNamed({
          weighted: [
            "0x94f68b54191f62f781fe8298a8a5fa3ed772d227",
            "0x230a59f4d9adc147480f03b0d3fffecd56c3289a",
          ],
          "composable-stable": [
            "0x3b1eb8eb7b43882b385ab30533d9a2bef9052a98",
            "0xe42ffa682a26ef8f25891db4882932711d42e467",
            "0xb9f8ab3ed3f3acba64bc6cd2dca74b7f38fd7b88",
          ],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/avalanche.json at 6826feb; first block: balancer/balancer-subgraph-v2 8040b35 networks.json; not checked against the chain",
    },
    {
      id: "balancer-v3",
      protocol: "balancer-v3",
      name: "Balancer_V3",
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
      fromBlock: 59_955_604,
      trusted: true,
      facts: {
        factories: writeNamed({
          weighted: [
            "0xd961e30156c2e0d0d925a0de45f931cb7815e970",
            "0xbdbadc891bb95dee80ebc491699228ef0f7d6ff1",
          ],
          stable: [
            "0xeaedc32a51c510d35ebc11088fd5ff2b47aacf2e",
            "0x18cc3c68a5e64b40c846aa6e45312cbcbb94f71b",
            "0x16b50f6bf8c8ca73c07e17762188c5deee7ae5db",
            "0x8d217cb74f675b46cc2767c8cf0aab53be1c4818",
          ],
          "gyro-e": [
            "0x268e2ee1413d768b6e2dc3f5a4ddc9ae03d9af42",
            "0x86a0e97ec0d5db8dae106d3067358d41968fd12c",
          ],
          "reclamm-v1": ["0x1cd776897ef4f647bf8241ec69549e4a9cb1d608"],
          reclamm: ["0x309abcaefa19ca6d34f0d8ff4a4103317c138657"],
          lbp: ["0x3beb058de1a25dd24223fd9e1796df8589429ace"],
        }),
        hooks: writeNamed({ "stable-surge": ["0x86705ee19c0509ff68f1118c55ee2ebde383d122"] }),
      },
      source:
        "balancer/balancer-deployments addresses/avalanche.json at 6826feb; first block: DefiLlama-Adapters 1eb4e81, registries/balancer.js; not checked against the chain",
    },
    {
      id: "arenadex-v2",
      protocol: "uniswap-v2",
      name: "ArenaDex_V2",
      factory: "0xf16784dcaf838a3e16bef7711a62d12413c39bd1",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 3_000 },
      initCodeHash: "0xe5982ea9aa099c260fbe1f626ddf304ecab74f9d85fb8c5277156486875ab7fe",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block unknown; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "pangolin-v3",
      protocol: "uniswap-v3",
      name: "Pangolin_V3",
      factory: "0x1128f23d0bc0a8396e9fbc3c0c68f5ea228b8256",
      fromBlock: 59_708_285,
      trusted: false,
      facts: { fees: "pool" },
      initCodeHash: "0xa9bb1321d78097b23af97a9c07d5ec13e1adc404334585171c54ecccb5ad93b2",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block: DefiLlama-Adapters 1eb4e81, registries/uniswapV3.js; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.ramsesV3,
      id: "pharaoh-v3",
      name: "Pharaoh_V3",
      factory: "0xae6e5c62328ade73ceefd42228528b70c8157d0d",
      fromBlock: 68_700_645,
      source:
        "VeloraDEX/paraswap-dex-lib 077a7b2 src/dex/uniswap-v3/config.ts (address only) and several public repositories agree; the init code hash stated there does not predict the pool of WAVAX and USDC, so none is given; first block: DefiLlama-Adapters projects/pharaoh-exchange-v3; not checked against the chain",
    },
    {
      id: "blackhole-cl",
      protocol: "algebra",
      name: "Blackhole_CL",
      factory: "0x512eb749541b7cf294be882d636218c84a5e9e5f",
      fromBlock: 65_218_551,
      trusted: false,
      facts: { version: "integral" },
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block: DefiLlama dimension-adapters e7346b0, dexs/blackhole-CL.ts; not checked against the chain",
    },
    {
      ...forks.traderjoeV21,
      factory: "0x8e42f2f4101563bf679975178e880fd87d3efd4e",
      fromBlock: 28_371_397,
      source:
        "two public sources agree (an indexer's models and a router's list); first block: DefiLlama dimension-adapters e7346b0, factory/joeLiquidityBook.ts; not checked against the chain",
    },
    {
      ...forks.traderjoeV22,
      fromBlock: 46_536_129,
      source:
        "two public sources agree (an indexer's models and a router's list); first block: DefiLlama dimension-adapters e7346b0, factory/joeLiquidityBook.ts; not checked against the chain",
    },
    gyroscopeOnAvalanche,
    {
      ...forks.traderjoeV20,
      factory: "0x6e77932a92582f504ff6c4bdbcef7da6c198aeef",
      fromBlock: 22_426_953,
      source:
        "traderjoe-xyz/joe-v2 tests of its router and DefiLlama-Adapters agree; first block: DefiLlama dimension-adapters e7346b0, factory/joeLiquidityBook.ts; not checked against the chain",
    },
    curveFactoryOnAvalanche,
    curveStableNgOf2023("0x1764ee18e8b3cca4787249ceb249356192594585", [
      "0x506f594ceb4e33f5161139bae3ee911014df9f7f",
      "0xa7ba18eefcd9513230987ec2fab6711af5abd9c2",
    ]),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0x3d6cb2f6dcf47cdd9c13e4e3beae9af041d8796a",
        "twocrypto-ng": "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f",
      },
      "curvefi/curve-core b4c27f3 deployments/prod/avalanche.yaml and DefiLlama-Adapters 000a20e projects/curve/contracts.json agree",
    ),
    ...dodo("config/avax-config.js", {
      dvm: ["0xff133a6d335b50bdaa6612d19e1352b049a8ae6a", 8_488_454],
      dsp: ["0x2b0d94eb7a63b8a2909de1cb3951ecf7ae76d2fe", 8_488_454],
    }),
    woofi("0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e", [
      "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
      "0x49d5c2bdffac6ce2bfdb6640f4f80f226bc10bab",
      "0x152b9d0fdc40c096757f570a51e494bd4b943e50",
      "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7",
    ]),
  ],
};
