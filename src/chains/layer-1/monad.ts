import { writeNamed } from "../../core/named-addresses.ts";
import type { Chain, Deployment } from "../../core/types.ts";
import { curveCryptoNg } from "../shared/curve-crypto-ng.ts";
import { curveStableNg } from "../shared/curve-stable-ng.ts";
import { forks } from "../shared/forks.ts";
import { hubs } from "./hubs.ts";

/**
 * Storage and accounts that a transaction touches for the first time cost four times as much as on Ethereum (Monad's
 * documentation, opcode pricing). What a crossing needs there was not measured: this is a guess on the safe side.
 */
const DEARER = 2.5;
const dearer = (record: Deployment): Deployment => ({
  ...record,
  gasPermille: (record.gasPermille ?? 1000) * DEARER,
});

/**
 * Native coin, multicall, block time and explorer: npm viem 2.57.1 (MIT). No address was checked against the chain.
 * No source has the hash of block 0: the first endpoint's is taken.
 * A transaction pays for its gas limit, not for what it uses (docs/gas.md).
 */
export const monad: Chain = {
  id: 143,
  name: "Monad",
  shortname: "monad",
  native: { symbol: "MON", name: "Monad", decimals: 18, gasUnit: "GWEI" },
  wrappedNative: "0x3bd359c1119da7da1d913d1c4d2b7c461115433a",
  multicall: "0xca11bde05977b3631167028862be2a173976ca11",
  blockTimeMs: 400,
  explorer: "https://monadscan.com",
  dollarTokens: [
    "0x754704bc059f8c67012fed69bc8a327a5aafb603",
    "0xe7cd86e13ac4309349f30b3435a9d337750fc82d",
    "0x00000000efe302beaa2b3e6e1b18d08d69a9012a",
  ],
  hubs: hubs.monad,
  deployments: (
    [
      {
        ...forks.wrappedNative,
        name: "WMON",
        factory: "0x3bd359c1119da7da1d913d1c4d2b7c461115433a",
        fromBlock: undefined,
        source: "npm sushi 7.3.15 (MIT) and balancer/tokenlists 98df981 (MIT); not checked against the chain",
      },
      {
        ...forks.uniswapV2,
        factory: "0x182a927119d56008d921126764bf884221b10f59",
        fromBlock: 29_255_814,
        source:
          "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v2-subgraph 468ce7b config; init code hash: that of Uniswap v2 on all chains; the hash predicts a pool that public repositories name; not checked against the chain",
      },
      {
        ...forks.uniswapV3,
        factory: "0x204faca1764b154221e35c0d20abb3c525710498",
        fromBlock: 29_255_827,
        source:
          "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v3-subgraph 0f8631d config; init code hash: 0xProject/0x-settler f6b73031; the hash predicts a pool that public repositories name; not checked against the chain",
      },
      {
        ...forks.uniswapV4,
        factory: "0x188d586ddcf52439676ca21a244753fa19f9ea8e",
        fromBlock: 29_255_895,
        facts: { stateView: "0x77395f3b2e73ae90843717371294fa97cc419d64" },
        source:
          "npm @uniswap/sdk-core 7.19.4 (MIT) and Uniswap/contracts b246f14 deployments; first block: Uniswap/v4-subgraph fc74dfc networks.json; not checked against the chain",
      },
      {
        ...forks.pancakeswapV2,
        factory: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
        fromBlock: 0,
        initCodeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
        source:
          "npm sushi 7.3.15 (MIT), with the init code hash, and dimension-adapters e7346b0; first block unknown; not checked against the chain",
      },
      {
        ...forks.pancakeswapV3,
        factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
        fromBlock: 23_058_782,
        source:
          "npm sushi 7.3.15 (MIT); first block: DefiLlama-Adapters 1eb4e81 projects/pancakeswap-v3; init code hash and deployer: 0xProject/0x-settler f6b73031; the hash predicts a pool that public repositories name; not checked against the chain",
      },
      {
        ...forks.balancerV3,
        factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
        fromBlock: 22_091_249,
        facts: {
          factories: writeNamed({
            weighted: [
              "0x76578ecf9a141296ec657847fb45b0585bcda3a6",
              "0x4bdcc2fb18aeb9e2d281b0278d946445070eada7",
            ],
            stable: [
              "0x81cfae226343b24ba12ec6521db2c79e7aeeb310",
              "0x6b5da774890db7b7b96c6f44e6a4b0f657399e2e",
              "0xf5cddf6fed9c589f1be04899f48f9738531dad59",
              "0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a",
            ],
            "gyro-e": [
              "0xe3881627b8deebccf9c23b291430a549fc0be5f7",
              "0x4b979ed48f982ba0baa946cb69c1083eb799729c",
            ],
            reclamm: ["0x96484f2abf5e58b15176dbf1a799627b53f13b6d"],
            lbp: ["0xa3b370092aeb56770b23315252ab5e16dacbf62b"],
          }),
          hooks: writeNamed({
            "stable-surge": ["0x6817149cb753bf529565b4d023d7507ed2ff4bc0"],
          }),
        },
        source:
          "balancer/balancer-deployments addresses/monad.json at 6826feb; first block: balancer/balancer-subgraph-v3 ed5d6cb networks.json; not checked against the chain",
      },
      {
        ...forks.traderjoeV22,
        fromBlock: 32_250_766,
        source:
          "DefiLlama-Adapters 1eb4e81 registries/traderJoeV2.js, at the address that it has on Avalanche; first block: dimension-adapters e7346b0, factory/joeLiquidityBook.ts; not checked against the chain",
      },
      curveStableNg(
        "0x8271e06e5887fe5ba05234f5315c19f3ec90e8ad",
        "curvefi/curve-core deployments/prod/monad.yaml and DefiLlama-Adapters 1eb4e81 projects/curve agree; the pools are those of curvefi/stableswap-ng 2abe778f, headers aside; asked by pair; not checked against the chain",
      ),
      ...curveCryptoNg(
        {
          "tricrypto-ng": "0x6e28493348446503db04a49621d8e6c9a40015fb",
          "twocrypto-ng": "0xe7fbd704b938cb8fe26313c3464d4b7b7348c88c",
        },
        "curvefi/curve-core b4c27f3 deployments/prod/monad.yaml",
      ),
    ] satisfies readonly Deployment[]
  ).map(dearer),
};
