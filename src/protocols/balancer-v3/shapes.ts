import * as stable from "../../core/math/balancer/balancer-stable-math.ts";
import * as reclamm from "../../core/math/balancer/reclamm-math.ts";
import * as weighted from "../../core/math/balancer/weighted-math.ts";
import { ampAt } from "../../core/math/curve/stable-math.ts";
import { divDown, mulDown, ONE } from "../../core/math/fixed-point.ts";
import * as eclp from "../../core/math/gyro/gyro-eclp-math.ts";
import type { Side } from "../../core/types.ts";
import { liveBalances, type Shape, type State } from "./state.ts";

/** Values that depend on state and time only, 18-digit units. */
export type Solved = { readonly live: readonly bigint[] } & (
  | {
      readonly kind: "weighted";
      readonly weights: readonly bigint[];
      /** Index of the token that must not be sold to the pool; -1 for none. */
      readonly blocked: number;
      /**
       * Largest amount on either side of a swap as a fraction of the balance; undefined if only the curve limits it.
       */
      readonly most: bigint | undefined;
      /** Least balances of a pool that has them. */
      readonly least: readonly bigint[] | undefined;
    }
  | { readonly kind: "stable"; readonly pool: stable.StablePool }
  | { readonly kind: "eclp"; readonly ellipse: eclp.Ellipse }
  | { readonly kind: "reclamm"; readonly virtual: readonly [bigint, bigint] }
);

/** A swap within a pool, net of the fee. */
export type Inner = { readonly i: number; readonly j: number; readonly amount: bigint; readonly side: Side };

/** Cache by state object: an invariant costs more than a swap, and many amounts are quoted per state. */
const known = new WeakMap<State, { readonly time: number; readonly solved: Solved | undefined }>();

/** @returns undefined if the invariant cannot be computed or swaps are disabled, so that every swap reverts */
export function solvedAt(state: State, timestamp: number): Solved | undefined {
  let entry = known.get(state);
  if (entry?.time !== timestamp) {
    entry = { time: timestamp, solved: solve(state, timestamp) };
    known.set(state, entry);
  }
  return entry.solved;
}

function solve(state: State, timestamp: number): Solved | undefined {
  const { shape } = state;
  const live = liveBalances(state);
  if (shape.kind === "weighted" || shape.kind === "bootstrapping" || shape.kind === "guided")
    return solveWeighted(live, shape, timestamp);
  if (shape.kind === "stable") return solveStable(live, ampAt(shape.ramp, timestamp));
  const pair = [live[0]!, live[1]!] as const;
  if (shape.kind === "eclp") {
    const ellipse = eclp.ellipseOf([...pair], shape.params);
    return ellipse === undefined ? undefined : { kind: "eclp", live, ellipse };
  }
  const virtual = reclamm.virtualAt(shape.pool, pair, timestamp);
  return virtual === undefined ? undefined : { kind: "reclamm", live, virtual };
}

type Weighted = Extract<Shape, { kind: "weighted" | "bootstrapping" | "guided" }>;

function solveWeighted(live: readonly bigint[], shape: Weighted, timestamp: number): Solved | undefined {
  const least = shape.kind === "guided" ? undefined : shape.least;
  const pool = { kind: "weighted", live, blocked: -1, most: undefined, least } as const;
  if (shape.kind === "weighted") return { ...pool, weights: shape.weights };
  if (shape.kind === "guided") {
    const weights = guidedWeightsAt(shape, timestamp);
    return weights === undefined ? undefined : { ...pool, weights, most: shape.most };
  }
  if (timestamp < shape.startTime || timestamp > shape.endTime) return undefined;
  return { ...pool, weights: weightsAt(shape, timestamp), blocked: shape.blocked };
}

/**
 * Weights of a QuantAMM pool, each of which changes at a constant rate per second.
 *
 * @returns undefined if a weight is no longer positive
 * @source balancer/balancer-maths typescript/src/quantAmm, QuantAMMProtocol/QuantAMM-V1 QuantAMMWeightedPool.sol
 *   onSwap
 */
function guidedWeightsAt(shape: Extract<Shape, { kind: "guided" }>, timestamp: number) {
  const seconds = BigInt(Math.min(timestamp, shape.until) - shape.since);
  const weights = shape.weights.map((weight, k) => weight + shape.gains[k]! * seconds);
  return weights.every((weight) => weight > 0n) ? weights : undefined;
}

function solveStable(live: readonly bigint[], amp: bigint): Solved | undefined {
  const d = stable.invariantOf(live, amp, "down");
  if (d === undefined) return undefined;
  return { kind: "stable", live, pool: { balances: live, d, amp, precise: true } };
}

/** Weights interpolated from start to end; both add up to 1. @source GradualValueChange.sol interpolateValue */
function weightsAt(shape: Extract<Shape, { kind: "bootstrapping" }>, timestamp: number): readonly bigint[] {
  const { startTime, endTime, startWeights, endWeights } = shape;
  if (timestamp >= endTime) return endWeights;
  const progress = divDown(BigInt(timestamp - startTime), BigInt(endTime - startTime));
  const start = startWeights[0]!;
  const end = endWeights[0]!;
  const first = start > end ? start - mulDown(progress, start - end) : start + mulDown(progress, end - start);
  return [first, ONE - first];
}

/**
 * The pool's answer to the vault, in 18-digit units.
 *
 * @returns the amount not given; undefined if the contract would revert
 * @source balancer/balancer-v3-monorepo pkg/pool-weighted, pool-stable, pool-gyro, pkg/solidity-utils;
 *   balancer/reclamm: onSwap
 */
export function onSwap(solved: Solved, swap: Inner): bigint | undefined {
  if (solved.kind === "weighted") return swapWeighted(solved, swap);
  if (solved.kind === "stable") return swapStable(solved.pool, swap);
  if (solved.kind === "eclp") {
    const price = swap.side === "in" ? eclp.outGivenIn : eclp.inGivenOut;
    return price(solved.ellipse, swap.i as 0 | 1, swap.amount);
  }
  const price = swap.side === "in" ? reclamm.outGivenIn : reclamm.inGivenOut;
  return price(totalsOf(solved, swap.i, swap.j), swap.amount);
}

/** The two sides of a trade of a ReCLAMM pool. */
export function totalsOf({ live, virtual }: Extract<Solved, { kind: "reclamm" }>, i: number, j: number) {
  const totals: reclamm.ReClammSwap = {
    totalIn: live[i]! + virtual[i]!,
    totalOut: live[j]! + virtual[j]!,
    balanceOut: live[j]!,
  };
  return totals;
}

type SolvedWeighted = Extract<Solved, { kind: "weighted" }>;

function swapWeighted(solved: SolvedWeighted, swap: Inner): bigint | undefined {
  const { i, j, amount, side } = swap;
  const { live, weights, least } = solved;
  if (i === solved.blocked) return undefined;
  const pair: weighted.WeightedPair = {
    balanceIn: least === undefined ? live[i]! : live[i]! + 1n,
    weightIn: weights[i]!,
    balanceOut: live[j]!,
    weightOut: weights[j]!,
    shortcuts: true,
  };
  const answer = side === "in" ? weighted.outGivenIn(pair, amount) : weighted.inGivenOut(pair, amount);
  if (answer === undefined) return undefined;
  const [sold, bought] = side === "in" ? [amount, answer] : [answer, amount];
  return isWithin(solved, swap, { sold, bought }) ? answer : undefined;
}

/** Whether a swap keeps to the pool's own limits. */
function isWithin(
  { live, most, least }: SolvedWeighted,
  { i, j }: Inner,
  { sold, bought }: { readonly sold: bigint; readonly bought: bigint },
): boolean {
  if (most !== undefined && (sold > mulDown(live[i]!, most) || bought > mulDown(live[j]!, most)))
    return false;
  return least === undefined || (live[i]! + 1n >= least[i]! && live[j]! - bought >= least[j]!);
}

/** Largest ratio of two balances that a swap may leave; it must stay below this. */
export const MAX_IMBALANCE = 10_000n;

function swapStable(pool: stable.StablePool, { i, j, amount, side }: Inner): bigint | undefined {
  const swap = { ...pool, i, j };
  const answer = side === "in" ? stable.outGivenIn(swap, amount) : stable.inGivenOut(swap, amount);
  if (answer === undefined) return undefined;
  const [sold, bought] = side === "in" ? [amount, answer] : [answer, amount];
  let most = pool.balances[i]! + sold;
  let least = pool.balances[j]! - bought;
  for (const balance of pool.balances) {
    if (balance > most) most = balance;
    if (balance < least) least = balance;
  }
  return least <= 0n || most / least >= MAX_IMBALANCE ? undefined : answer;
}
