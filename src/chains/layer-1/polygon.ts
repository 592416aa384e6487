import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain } from "../../core/types.ts";
import { balancerHints } from "../shared/balancer-hints.ts";
import { gyroscopeOnPolygon } from "../shared/balancer-vaults.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveFactoryOnPolygon } from "../shared/curve-factory.ts";
import { curveStableNgOf2023 } from "../shared/curve-stable-ng.ts";
import { dodo } from "../shared/dodo.ts";
import { forks } from "../shared/forks.ts";
import { iziswap } from "../shared/iziswap.ts";
import { woofi } from "../shared/woofi.ts";
import { hubs } from "./hubs.ts";

/** Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain. */
export const polygon: Chain = {
  id: 137,
  name: "Polygon",
  shortname: "polygon",
  native: { symbol: "POL", name: "POL", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://polygonscan.com",
  genesis: "0xa9c28ce2141b56c474f1dc504bee9b01eb1bd7d1a507580d5519d4437a97de1b",
  dollarTokens: [
    "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359",
    "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
    "0xc2132d05d31c914a87c6611c10748aeb04b58e8f",
    "0x8f3cf7ad23cd3cadbd9735aff958023239c6a063",
  ],
  hubs: hubs.polygon,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WPOL",
      factory: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
      fromBlock: undefined,
      source:
        "token lists of SmolDapp (MIT), cowprotocol (MIT or Apache-2.0), viaprotocol (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c",
      fromBlock: 49_948_178,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v2-subgraph config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      fromBlock: 22_757_547,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: Uniswap/v3-subgraph networks.json; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      fromBlock: 11_333_218,
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2",
      fromBlock: 41_024_971,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs config; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v3/config.ts; not checked against the chain",
    },
    {
      id: "quickswap-v2",
      protocol: "uniswap-v2",
      name: "QuickSwap_V2",
      factory: "0x5757371414417b8c6caad45baef941abc7d3ab32",
      fromBlock: 4_931_780,
      trusted: false,
      facts: { feePpm: 3000 },
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block: messari/subgraphs 2711ac9, quickswap-polygon; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "uniswap-v4",
      protocol: "uniswap-v4",
      name: "Uniswap_V4",
      factory: "0x67366782805870060151383f4bbff9dab53e5cd6",
      fromBlock: 66_980_384,
      trusted: true,
      facts: { stateView: "0x5ea1bd7974c8a611cbab0bdcafcb1d9cc9b3ba5a" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT); manager and first block: Uniswap/v4-subgraph networks.json; not checked against the chain",
    },
    {
      ...forks.ekubo,
      factory: "0x00000000000014aa86c5d3c41765bb24e11bd701",
      fromBlock: 81_299_954,
      source:
        "EkuboProtocol/evm-contracts 5517df67 broadcast/DeployAll.s.sol (all addresses, first block); core: 0xProject/0x-settler b549d227 src/core/EkuboV3.sol; not checked against the chain",
    },
    {
      id: "balancer-v2",
      protocol: "balancer-v2",
      name: "Balancer_V2",
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      fromBlock: 15_832_990,
      trusted: true,
      facts: {
        hints: balancerHints("polygon", "v2"),
        factories: writeNamed({
          "weighted-v1": [
            "0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9",
            "0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0",
          ],
          weighted: [
            "0x0e39c3d9b2ec765efd9c5c70bb290b1fcd8536e3",
            "0x82e4cfaef85b1b6299935340c964c942280327f4",
            "0xfc8a407bba312ac761d8bfe04ce1201904842b76",
          ],
          stable: ["0xc66ba2b6595d3613ccab350c886ace23866ede24"],
          metastable: ["0xdae7e32adc5d490a43ccba1f0c736033f2b4efca"],
          "stable-v2": ["0xca96c4f198d343e251b1a01f3eba061ef3da73c1"],
          "composable-stable": [
            "0x136fd06fa01ecf624c7f2b3cb15742c1339dc2c4",
            "0x85a80afee867adf27b50bdb7b76da70f1e853062",
            "0x7bc6c0e73edaa66ef3f6e2f27b0ee8661834c6c9",
            "0x6ab5549bbd766a43afb687776ad8466f8b42f777",
            "0xe2fa4e1d17725e72dcdafe943ecf45df4b9e285b",
            "0xeaedc32a51c510d35ebc11088fd5ff2b47aacf2e",
          ],
        }),
      },
      source:
        "balancer/balancer-deployments addresses/polygon.json at 6826feb; first block: balancer/balancer-subgraph-v2 8040b35 networks.json; not checked against the chain",
    },
    {
      id: "apeswap-v1",
      protocol: "uniswap-v2",
      name: "ApeSwap_V1",
      factory: "0xcf083be4164828f00cae704ec15a36d711491284",
      fromBlock: 15_298_800,
      trusted: false,
      facts: { feePpm: 2_000 },
      initCodeHash: "0x511f0f358fe530cda0859ec20becf391718fdf5a329be02f4c95361f3d6a42d8",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block: messari/subgraphs 2711ac9, apeswap-polygon; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "wault-v1",
      protocol: "uniswap-v2",
      name: "Wault_V1",
      factory: "0xa98ea6356a316b44bf710d5f9b6b4ea0081409ef",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 2_000 },
      initCodeHash: "0x1cdc2246d318ab84d8bc7ae2a3d81c235f3db4e113f4c6fdc1e2211a9291be47",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address and fee only); first block unknown; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/uniswap-v2/config.ts; not checked against the chain",
    },
    {
      id: "quickswap-v3",
      protocol: "algebra",
      name: "QuickSwap_V3",
      factory: "0x411b0facc3489691f28ad58c47006af5e3ab3a28",
      fromBlock: 32_610_688,
      trusted: false,
      facts: { version: "v1" },
      initCodeHash: "0x6ec6c9c8091d160c0aa74b2b14ba9c1717e95093bd3ac085cee99a49aab294a4",
      poolDeployer: "0x2d98e2fa9da15aa6dc9581ab097ced7af697cb92",
      source:
        "VeloraDEX/paraswap-dex-lib aa9c75fc (address only); first block: DefiLlama-Adapters 1eb4e81, registries/uniswapV3.js; init code hash: VeloraDEX/paraswap-dex-lib aa9c75f src/dex/algebra/config.ts; not checked against the chain",
    },
    {
      id: "w-dex",
      protocol: "algebra",
      name: "W_DEX",
      factory: "0x215fde4b415b9ce21dee6cacefc27aa92441c4aa",
      fromBlock: 65_913_036,
      trusted: false,
      facts: {
        version: "integral",
        plugin: "adaptive",
        pluginFactory: "0x8352c29e53e0b74228fc610cee1ad57ab5eb6962",
      },
      initCodeHash: "0xb3fc09be5eb433d99b1ec89fd8435aaf5ffea75c1879e19028aa2414a14b3c85",
      poolDeployer: "0x0b643d3a5903ed89921b85c889797dd9887125ad",
      source:
        "docs.algebra.finance, partners, Holiverse: Integral 1.2 with BasePluginV1Factory (cryptoalgebra/algebra-gitbook 7d44550); the hash is that of cryptoalgebra/Algebra 357ae6bc, compiled, and predicts the pool of WPOL and DAI; first block: DefiLlama-Adapters projects/w-dex; not checked against the chain",
    },
    {
      ...forks.ramsesV3,
      factory: "0x2bef16a0081565e72100d73cbe19b1bd2d802380",
      fromBlock: 82_177_771,
      source:
        "several public repositories agree; first block: DefiLlama-Adapters projects/ramses; not checked against the chain",
    },
    gyroscopeOnPolygon,
    curveFactoryOnPolygon,
    curveStableNgOf2023("0x1764ee18e8b3cca4787249ceb249356192594585", [
      "0x506f594ceb4e33f5161139bae3ee911014df9f7f",
      "0xa7ba18eefcd9513230987ec2fab6711af5abd9c2",
    ]),
    ...curveCryptoNg(
      {
        "tricrypto-ng": "0xc1b393efef38140662b91441c6710aa704973228",
        "twocrypto-ng": "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f",
      },
      "curvefi/curve-js src/constants/network_constants.ts and DefiLlama-Adapters 000a20e projects/curve/contracts.json agree",
    ),
    {
      ...forks.fluid,
      factory: "0x91716c4eda1fb55e84bf8b4c7085f84285c19085",
      fromBlock: undefined,
      source:
        "Instadapp/fluid-contracts-public a9949b4 deployments/polygon DexFactory, DexReservesResolver; both addresses agree in several public repositories; not checked against the chain",
    },
    iziswap(
      "0xca7e21764cd8f7c1ec40e651e25da68aed096037",
      41_024_971,
      "that of Sushi v3, three months before its entry there",
    ),
    ...dodo("config/matic-config.js", {
      dvm: ["0x79887f65f83bdf15bcc8736b5e5bcdb48fb8fe13", 14_604_330],
      dsp: ["0x43c49f8dd240e1545f147211ec9f917376ac1e87", 14_604_330],
    }),
    woofi("0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", [
      "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
      "0x7ceb23fd6bc0add59e62ac25578270cff1b9f619",
      "0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6",
      "0xc2132d05d31c914a87c6611c10748aeb04b58e8f",
    ]),
  ],
};
