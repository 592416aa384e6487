import type { Deployment } from "../../core/types.ts";

type Place = "factory" | "fromBlock" | "source";

/**
 * Common facts of DEXes that are deployed on several chains. A chain's deployment spreads them as `...forks.name`, adds
 * the factory, the first block and the source, and overrides facts that differ on its chain.
 */
export const forks = {
  wrappedNative: { id: "wrapped-native", protocol: "wrapped-native", trusted: true, facts: {} },
  uniswapV2: {
    id: "uniswap-v2",
    protocol: "uniswap-v2",
    name: "Uniswap_V2",
    trusted: true,
    facts: { feePpm: 3000 },
    initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
  },
  uniswapV3: {
    id: "uniswap-v3",
    protocol: "uniswap-v3",
    name: "Uniswap_V3",
    trusted: true,
    facts: {},
    initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
  },
  /** A chain adds `stateView`. */
  uniswapV4: { id: "uniswap-v4", protocol: "uniswap-v4", name: "Uniswap_V4", trusted: true, facts: {} },
  /** Chains add the `factories` of Balancer's vaults, and the third one's `hooks`. */
  balancerV2: { id: "balancer-v2", protocol: "balancer-v2", name: "Balancer_V2", trusted: true, facts: {} },
  balancerV3: { id: "balancer-v3", protocol: "balancer-v3", name: "Balancer_V3", trusted: true, facts: {} },
  ramsesV3: {
    id: "ramses-v3",
    protocol: "uniswap-v3",
    name: "Ramses_V3",
    trusted: false,
    facts: { keys: "tickSpacing", fees: "pool" },
  },
  sushiV2: {
    id: "sushi-v2",
    protocol: "uniswap-v2",
    name: "Sushi_V2",
    trusted: true,
    facts: { feePpm: 3000 },
  },
  sushiV3: {
    id: "sushi-v3",
    protocol: "uniswap-v3",
    name: "Sushi_V3",
    trusted: true,
    facts: {},
    initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
  },
  pancakeswapV2: {
    id: "pancakeswap-v2",
    protocol: "uniswap-v2",
    name: "PancakeSwap_V2",
    trusted: true,
    facts: { feePpm: 2500 },
  },
  pancakeswapV3: {
    id: "pancakeswap-v3",
    protocol: "uniswap-v3",
    name: "PancakeSwap_V3",
    trusted: true,
    gasPermille: 1210,
    facts: {},
    initCodeHash: "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2",
    poolDeployer: "0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9",
  },
  pancakeswapStable: {
    id: "pancakeswap-stable",
    protocol: "curve-stable",
    name: "PancakeSwap_Stable",
    trusted: false,
    facts: {},
  },
  pancakeInfinityCl: {
    id: "pancakeswap-infinity-cl",
    protocol: "pancake-infinity-cl",
    name: "PancakeSwap_Infinity_CL",
    trusted: true,
    facts: {},
  },
  pancakeInfinityBin: {
    id: "pancakeswap-infinity-bin",
    protocol: "pancake-infinity-bin",
    name: "PancakeSwap_Infinity_Bin",
    trusted: true,
    facts: {},
  },
  maverickV1: { id: "maverick-v1", protocol: "maverick", name: "Maverick_V1", trusted: false, facts: {} },
  fluid: {
    id: "fluid",
    protocol: "fluid",
    name: "Fluid",
    trusted: true,
    // At most 43 pools on a chain when this was written; numbers that are not given yet have none.
    facts: { resolver: "0x05bd8269a20c472b148246de20e6852091bf16ff", dexes: 64 },
  },
  /** The lens and the extensions have the same addresses on every chain. The oracle and donated fees change no amount of a swap. */
  ekubo: {
    id: "ekubo",
    protocol: "ekubo",
    name: "Ekubo",
    trusted: true,
    facts: {
      lens: "0x5a3f0f1da4ac0c4b937d5685f330704c8e8303f1",
      harmless:
        "0x517e506700271aea091b02f42756f5e174af5230,0xd4b54d0ca6979da05f25895e6e269e678ba00f9e,0x948b9c2c99718034954110cb61a6e08e107745f9",
    },
  },
  traderjoeV21: {
    id: "traderjoe-v2-1",
    protocol: "liquidity-book",
    name: "TraderJoe_V2_1",
    trusted: false,
    facts: { version: "2.1" },
  },
  traderjoeV22: {
    id: "traderjoe-v2-2",
    protocol: "liquidity-book",
    name: "TraderJoe_V2_2",
    factory: "0xb43120c4745967fa9b93e79c149e66b0f2d6fe0c",
    trusted: false,
    facts: { version: "2.1" },
  },
  traderjoeV20: {
    id: "traderjoe-v2-0",
    protocol: "liquidity-book",
    name: "TraderJoe_V2_0",
    trusted: false,
    facts: { version: "2.0" },
  },
} as const satisfies Readonly<Record<string, Omit<Deployment, Place | "name"> & Partial<Deployment>>>;
