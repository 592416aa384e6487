import type { Chain } from "../../core/types.ts";
import { dodo } from "../shared/dodo.ts";
import { forks } from "../shared/forks.ts";
import { iziswap } from "../shared/iziswap.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: graphprotocol/networks-registry e40e036.
 * The price of gas includes a transaction's data on Ethereum, and depends on its size: the estimate takes the price of the newest blocks (docs/gas.md).
 */
export const linea: Chain = {
  id: 59_144,
  name: "Linea",
  shortname: "linea",
  native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://lineascan.build",
  genesis: "0xb6762a65689107b2326364aefc18f94cda413209fab35c00d4af51eaa20ffbc6",
  dollarTokens: [
    "0x176211869ca2b568f2a7d4ee941e073a821ee1ff",
    "0xa219439258ca9da29e9cc4ce5596924745e12b93",
    "0xaca92e438df0b2401ff60da7e4337b687a2435da",
    "0x4af15ec2a0bd43db75dd04e62faa3b8ef36b00d5",
  ],
  hubs: hubs.linea,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WETH",
      factory: "0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f",
      fromBlock: undefined,
      source:
        "token lists of SmolDapp (MIT) and cowprotocol (MIT or Apache-2.0), and npm sushi 7.3.15 (MIT); not checked against the chain",
    },
    {
      ...forks.uniswapV2,
      factory: "0x114a43df6c5f54ebb8a9d70cd1951d3dd68004c7",
      fromBlock: 25_247,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; no older than Uniswap v3 on this chain (its subgraph begins years later); init code hash: that of Uniswap v2 on all chains; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV3,
      factory: "0x31fafd4889fa1269f7a13a66ee0fb458f27d72a9",
      fromBlock: 25_247,
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters 1eb4e81 projects/uniswap; init code hash: 0xProject/0x-settler f6b73031; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.uniswapV4,
      factory: "0x248083fb965359d82b06c1f5322480dcfc1ad857",
      fromBlock: 28_974_969,
      facts: { stateView: "0xe861de206e460a8b936b05ad3816520b58ccdf9b" },
      source:
        "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v4-subgraph fc74dfc networks.json; not checked against the chain",
    },
    {
      ...forks.sushiV2,
      factory: "0xfbc12984689e5f15626bad03ad60160fe98b303c",
      fromBlock: 631_714,
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      source:
        "npm sushi 7.3.15 (MIT); first block and init code hash: sushiswap/subgraphs 12eacc0 config; not checked against the chain",
    },
    {
      ...forks.sushiV3,
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      fromBlock: 53_256,
      source:
        "npm sushi 7.3.15 (MIT); first block: sushiswap/subgraphs 12eacc0 config; init code hash: that of Uniswap v3; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.pancakeswapV2,
      factory: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      fromBlock: 1_439,
      initCodeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
      source:
        "npm sushi 7.3.15 (MIT), with the init code hash, and pancakeswap/pancake-subgraph config/linea.js, with the first block; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      ...forks.pancakeswapV3,
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      fromBlock: 1_444,
      source:
        "npm sushi 7.3.15 (MIT) and pancakeswap/pancake-subgraph config/linea.js, with the first block; init code hash and deployer: 0xProject/0x-settler f6b73031; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    iziswap("0x45e5f26451cdb01b0fa1f8582e0aad9a6f27c218", 0),
    {
      ...forks.ramsesV3,
      ...{ id: "etherex-v3", name: "Etherex_V3" },
      factory: "0xae334f70a7fc44fcc2df9e6a37bc032497cf80f1",
      fromBlock: 21_293_324,
      source:
        "DefiLlama-Adapters 009e217 registries/uniswapV3.js and several public repositories; an inventory of verified contracts names it RamsesV3Factory, with all functions of Pharaoh's, whose source was read; first block: the same file; not checked against the chain",
    },
    ...dodo("config/linea-config.js", {
      dvm: ["0xc0f9553df63de5a97fe64422c8578d0657c360f7", 91_468],
      dsp: ["0x2933c0374089d7d98ba0c71c5e02e1a0e09debee", 91_468],
    }),
    {
      id: "lynex-v3",
      protocol: "algebra",
      name: "Lynex_V3",
      factory: "0x622b2c98123d303ae067db4925cd6282b3a08d0f",
      fromBlock: 143_660,
      trusted: false,
      facts: { version: "v1.9" },
      initCodeHash: "0xc65e01e65f37c1ec2735556a24a9c10e4c33b2613ad486dd8209d465524bc3f4",
      poolDeployer: "0x9a89490f1056a7bc607ec53f93b921fe666a2c48",
      source:
        "docs.algebra.finance, partners, Lynex (cryptoalgebra/algebra-gitbook 7d44550: factory, deployer, init code hash); the hash is that of cryptoalgebra/Algebra cec544db (branch v1.9-ve3,3), compiled, whose pools differ from Swapr's in the protocol's share of the fee only, and predicts the pool of USDC and WETH that an inventory of verified contracts names; first block: DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js; not checked against the chain",
    },
  ],
};
