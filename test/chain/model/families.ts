import type { Address, Hex } from "../../../src/core/types.ts";

/** The factories of the fake chain, at Ethereum's addresses. */

export type Kind = "v2" | "v3" | "v4";

export type Family = {
  readonly kind: Kind;
  /** The deployment's id in `src/chains/ethereum/ethereum.ts`. */
  readonly id: string;
  /** Of v4: the manager. */
  readonly factory: Address;
  /** What CREATE2 counts as the creator. */
  readonly deployer: Address;
  readonly initCodeHash: Hex;
  /** The block of the first pool. */
  readonly fromBlock: number;
  /** Pools among 1,000 of the design. */
  readonly share: number;
  /** Fee in parts per million and ticks a bit, of each tier; v2: one, with spacing 0. */
  readonly tiers: readonly (readonly [feePpm: number, spacing: number])[];
};

const V2_UNISWAP = "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f";
const V3_UNISWAP = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54";
const ZERO_HASH: Hex = `0x${"00".repeat(32)}`;
const UNISWAP_TIERS = [
  [100, 1],
  [500, 10],
  [3000, 60],
  [10_000, 200],
] as const;

/**
 * Init-code hashes: npm @uniswap/v2-core 1.0.1, @uniswap/v3-core 1.0.1, @sushiswap/core 2.0.0-canary.1,
 * VeloraDEX/paraswap-dex-lib aa9c75fc (PancakeSwap).
 */
export const families: readonly Family[] = [
  {
    kind: "v2",
    id: "uniswap-v2",
    factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
    deployer: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
    initCodeHash: V2_UNISWAP,
    fromBlock: 10_008_355,
    share: 980,
    tiers: [[3000, 0]],
  },
  {
    kind: "v2",
    id: "sushi-v2",
    factory: "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
    deployer: "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
    initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
    fromBlock: 10_829_331,
    share: 13,
    tiers: [[3000, 0]],
  },
  {
    kind: "v2",
    id: "pancakeswap-v2",
    factory: "0x1097053fd2ea711dad45caccc45eff7548fcb362",
    deployer: "0x1097053fd2ea711dad45caccc45eff7548fcb362",
    initCodeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
    fromBlock: 15_614_590,
    share: 7,
    tiers: [[2500, 0]],
  },
  {
    kind: "v3",
    id: "uniswap-v3",
    factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
    deployer: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
    initCodeHash: V3_UNISWAP,
    fromBlock: 12_369_739,
    share: 920,
    tiers: UNISWAP_TIERS,
  },
  {
    kind: "v3",
    id: "pancakeswap-v3",
    factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
    deployer: "0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9",
    initCodeHash: "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2",
    fromBlock: 16_950_689,
    share: 55,
    tiers: [
      [100, 1],
      [500, 10],
      [2500, 50],
      [10_000, 200],
    ],
  },
  {
    kind: "v3",
    id: "sushi-v3",
    factory: "0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f",
    deployer: "0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f",
    initCodeHash: V3_UNISWAP,
    fromBlock: 16_955_551,
    share: 25,
    tiers: UNISWAP_TIERS,
  },
  {
    kind: "v4",
    id: "uniswap-v4",
    factory: "0x000000000004444c5dc75cb358380d2e3de08a90",
    deployer: "0x000000000004444c5dc75cb358380d2e3de08a90",
    initCodeHash: ZERO_HASH,
    fromBlock: 21_688_333,
    share: 1000,
    tiers: UNISWAP_TIERS,
  },
];

export const STATE_VIEW: Address = "0x7ffe42c4a5deea5b0fec41c94c136cf115597227";
export const MULTICALL3: Address = "0xca11bde05977b3631167028862be2a173976ca11";
export const BALANCER_VAULT: Address = "0xba12222222228d8ba445958a75a0704d566bf2c8";
export const MAINNET_GENESIS: Hex = "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3";
