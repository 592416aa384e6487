import type { Chain } from "../../core/types.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * Block 0: graphprotocol/networks-registry e40e036.
 */
export const berachain: Chain = {
  id: 80_094,
  name: "Berachain",
  shortname: "bera",
  native: { symbol: "BERA", name: "Berachain", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x6969696969696969696969696969696969696969",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 2_000,
  explorer: "https://berascan.com",
  genesis: "0xd57819422128da1c44339fc7956662378c17e2213e669b427ac91cd11dfcfb38",
  dollarTokens: [
    "0x549943e04f40284185054145c6e4e9568c1d3241",
    "0x779ded0c9e1022225f8e0630b35a9b54be713736",
    "0x688e72142674041f8f6af4c808a4045ca1d6ac82",
  ],
  hubs: hubs.berachain,
  deployments: [
    {
      ...forks.wrappedNative,
      name: "WBERA",
      factory: "0x6969696969696969696969696969696969696969",
      fromBlock: undefined,
      source:
        "token list of berachain/metadata 1cedf1e (MIT) and npm sushi 7.3.15 (MIT); not checked against the chain",
    },
    {
      id: "kodiak-v2",
      protocol: "uniswap-v2",
      name: "Kodiak_V2",
      factory: "0x5e705e184d233ff2a7cb1553793464a9d0c3028f",
      fromBlock: 0,
      trusted: false,
      facts: { feePpm: 3000 },
      source:
        "DefiLlama-Adapters 1eb4e81 and dimension-adapters e7346b0; first block unknown; not checked against the chain",
    },
    {
      id: "kodiak-v3",
      protocol: "uniswap-v3",
      name: "Kodiak_V3",
      factory: "0xd84cbf0b02636e7f53db9e5e45a616e05d710990",
      fromBlock: 12_314,
      trusted: false,
      facts: { fees: "pool" },
      initCodeHash: "0xd8e2091bc519b509176fc39aeb148cc8444418d3ce260820edc44e806c2c2339",
      source:
        "0xProject/0x-settler f6b73031, with the init code hash, whose router calls its pools as Uniswap v3's, and dimension-adapters e7346b0; pools are asked for their fee; first block: DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      id: "bulla",
      protocol: "algebra",
      name: "Bulla",
      factory: "0x79164ea9c1aa75d19ddfc71ebeaea8092d1e71ce",
      fromBlock: 782_756,
      trusted: false,
      facts: {
        version: "integral",
        plugin: "adaptive",
        pluginFactory: "0xdc8c251dc42d549f7827dd4f3087fb63a30a3920",
      },
      initCodeHash: "0xf96d2474815c32e070cd63233f06af5413efc5dcb430aee4ff18cc29007c562d",
      poolDeployer: "0x425ec3de5feb62897dbe239aa218b2dc035dcdf1",
      source:
        "docs.algebra.finance, partners, Bulla: Integral 1.0 with BasePluginV1Factory (cryptoalgebra/algebra-gitbook 7d44550); deployer and hash: 0xProject/0x-settler f6b73031 too; first block: DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js; the hash predicts a pool that public repositories name; not checked against the chain",
    },
    {
      id: "wasabee",
      protocol: "algebra",
      name: "Wasabee",
      factory: "0x7d53327d78efd0b463bd8d7dc938c52402323b95",
      fromBlock: 786_501,
      trusted: false,
      facts: {
        version: "integral",
        plugin: "adaptive",
        pluginFactory: "0x2158b835620683e2c02a0cb915d0b818b8fbe34b",
      },
      initCodeHash: "0xb3fc09be5eb433d99b1ec89fd8435aaf5ffea75c1879e19028aa2414a14b3c85",
      poolDeployer: "0x598f320907c2ffdbc715d591ffecc3082ba14660",
      source:
        "docs.algebra.finance, partners, Wasabee: Integral 1.2 with BasePluginV1Factory (cryptoalgebra/algebra-gitbook 7d44550); the hash is that of cryptoalgebra/Algebra 357ae6bc, compiled; factory and first block: DefiLlama-Adapters 1eb4e81 registries/uniswapV3.js; not checked against the chain",
    },
  ],
};
