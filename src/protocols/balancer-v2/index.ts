import { hasWords, uintAt } from "../../core/abi.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { Hex, Log } from "../../core/types.ts";
import {
  applyIn,
  discoverIn,
  hintedIn,
  touchesIn,
  vaultCreations,
  vaultPauses,
  vaultStep,
  vaultTopics,
  vaultTrade,
} from "../shared/balancer-vault.ts";
import { quoteOwnState } from "../shared/own-state.ts";
import { gain } from "./gain.ts";
import { curve, joint, type Mirror, mirror, quoteFloat } from "./mirror.ts";
import { load, reads } from "./reads.ts";
import { stableGas } from "./stable.ts";
import { hasExpired, type State } from "./state.ts";
import { design } from "./swap.ts";
import { WEIGHTED_GAS } from "./weighted.ts";

/** AmpUpdateStarted(uint256 startValue, uint256 endValue, uint256 startTime, uint256 endTime) */
const AMP_STARTED = "0x1835882ee7a34ac194f717a35e09bb1d24c82a3b9d854ab6c9749525b714cdf2";
/** AmpUpdateStopped(uint256 currentValue) */
const AMP_STOPPED = "0xa0d01593e47e69d07e0ccd87bece09411e07dd1ed40ca8f2e7af2976542a0233";

/** Logs of a stable pool after which its rates or fees are read again. */
const RELOADING = [
  // TokenRateCacheUpdated(uint256,uint256), TokenRateCacheUpdated(address,uint256), PriceRateCacheUpdated(address,uint256)
  "0xb77a83204ca282e08dc3a65b0a1ca32ea4e6875c38ef0bf5bf75e52a67354fac",
  "0xcfed57d90913b5ee1895919dcccaff83a9f7a842d912ef137272e5fc6123aa86",
  "0xc1a224b14823b63c7711127f125fbf592434682f38881ebb61408747a303affc",
  // TokenRateProviderSet(uint256,address,uint256), RecoveryModeStateChanged(bool)
  "0xdd6d1c9badb346de6925b358a472c937b41698d2632696759e43fd6527feeec4",
  "0xeff3d4d215b42bf0960be9c6d5e05c22cba4df6627a3a523e2acee733b5854c8",
] as const;

const own: readonly Hex[] = [AMP_STARTED, AMP_STOPPED, ...RELOADING];
const known: ReadonlySet<string> = new Set(own);
const reloading: ReadonlySet<string> = new Set(RELOADING);

function apply(state: State, log: Log): State | "reload" {
  const topic = log.topics[0]!;
  if (reloading.has(topic)) return "reload";
  if (topic === AMP_STARTED || topic === AMP_STOPPED) return amplified(state, log);
  const next = applyIn(state, log);
  // Every swap makes fees due, which are part of the supply that prices the pool's shares.
  const sharesMove = state.kind === "stable" && state.shareIndex >= 0 && next !== state;
  return sharesMove ? "reload" : next;
}

function amplified(state: State, log: Log): State | "reload" {
  if (state.kind !== "stable") return state;
  if (state.shareIndex >= 0) return "reload";
  const started = log.topics[0] === AMP_STARTED;
  if (!hasWords(log.data, started ? 4 : 1)) return "reload";
  const [initialA, futureA] = started
    ? [uintAt(log.data, 0), uintAt(log.data, 1)]
    : [uintAt(log.data, 0), uintAt(log.data, 0)];
  const times = started ? [Number(uintAt(log.data, 2)), Number(uintAt(log.data, 3))] : [0, 0];
  return { ...state, ramp: { initialA, futureA, initialTime: times[0]!, futureTime: times[1]! } };
}

const trade = vaultTrade(design);

/**
 * Whether a swap sells a pool's shares to the pool. Shares have an unlimited allowance for the vault, so the flag
 * makes the router's step grant no allowance and measure the amount taken.
 */
function isExit(state: State, i: number): boolean {
  return state.kind === "stable" && state.shareIndex === i;
}

/** Pools of Balancer's Vault v2: weighted, stable, metastable, composable stable. */
export const balancerV2: Protocol<State, Mirror> = {
  name: "balancer-v2",
  topics: [...vaultTopics, ...own],
  creations: vaultCreations,
  byPair: () => undefined,
  hinted: (deployment) => hintedIn("balancer-v2", deployment),
  bitmap: () => undefined,
  seeds: () => [],
  discover: (log, deployment) => discoverIn("balancer-v2", log, deployment),
  touches: (log) => touchesIn(log, known),
  pauses: vaultPauses,
  reads,
  load,
  apply,
  stale: (state, at) =>
    state.kind === "stable" && state.readFor !== at.blockNumber && hasExpired(state, at.timestamp),
  quote: quoteOwnState(trade),
  mirror: (state, _pool, at) => mirror(state, at.timestamp),
  quoteFloat,
  curve,
  joint,
  gain,
  gas: (pool, i, j) =>
    pool.kind === "weighted"
      ? WEIGHTED_GAS
      : stableGas({ tokens: pool.scale.length, shareIndex: pool.shareIndex }, i, j),
  encode: (pool, state, i) => ({ ...vaultStep(pool), zeroForOne: isExit(state, i) }),
};
