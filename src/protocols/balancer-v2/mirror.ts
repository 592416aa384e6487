import { AMP_PRECISION, balanceFor } from "../../core/math/balancer/balancer-stable-math.ts";
import { MOST_JOINED } from "../../core/math/balancer/balancer-stable-shares.ts";
import { weightedCurve } from "../../core/math/balancer/weighted-curve.ts";
import { MOST_SOLD, type WeightedFloat, weightedOut } from "../../core/math/balancer/weighted-float.ts";
import {
  changeOfBalance,
  changeOfD,
  fallOf,
  type StableFloat,
  stableFloat,
} from "../../core/math/curve/stable-float.ts";
import { stableJoint, unlimitedWeightedJoint, weightedJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Curve, Joint } from "../../core/protocol.ts";
import { type Balanced, balancedAt, skipShares } from "./stable.ts";
import { hasExpired, type StableState, type State, scalingAt, type WeightedState } from "./state.ts";

/** A weighted pool in doubles, smallest units. */
export type WeightedMirror = {
  readonly kind: "weighted";
  readonly balances: Float64Array;
  readonly weights: Float64Array;
  /** 1 - fee, 0 … 1. */
  readonly keep: number;
  readonly shortcuts: boolean;
};

/** A stable pool in doubles. */
export type StableMirror = {
  readonly kind: "stable";
  /** Undefined if the pool cannot be used at all. */
  readonly pool: StableFloat | undefined;
  /** Output of token j for a zero input in 18-digit units: a rounding residue of either sign. */
  readonly offset: Float64Array;
  /** 18-digit units per smallest unit, of registered tokens. */
  readonly scale: Float64Array;
  /** Index without the share token, per registered token. */
  readonly position: readonly number[];
  readonly shareIndex: number;
  /** 0 if shares are not traded. */
  readonly supply: number;
  readonly fee: number;
};

export type Mirror = WeightedMirror | StableMirror;

/** The mirror of a state; it changes in every block while `amp` ramps or a rate has expired. */
export function mirror(state: State, timestamp: number): Mirror {
  return state.kind === "weighted" ? weighted(state) : stable(state, timestamp);
}

function weighted(state: WeightedState): WeightedMirror {
  return {
    kind: "weighted",
    balances: Float64Array.from(state.balances, Number),
    weights: Float64Array.from(state.weights, Number),
    keep: 1 - Number(state.swapFee) / 1e18,
    shortcuts: state.shortcuts,
  };
}

function stable(state: StableState, timestamp: number): StableMirror {
  const start = balancedAt(state, timestamp);
  const usable = start !== undefined && start.d > 0n;
  return {
    kind: "stable",
    pool: usable ? floatOf(start) : undefined,
    offset: usable ? offsetsOf(start) : new Float64Array(),
    scale: Float64Array.from(state.scaling, (one) => Number(scalingAt(one, timestamp)) / 1e18),
    position: state.tokens.map((_, k) => skipShares(state, k)),
    shareIndex: state.shareIndex,
    supply: hasExpired(state, timestamp) ? 0 : Number(state.supply),
    fee: Number(state.swapFee) / 1e18,
  };
}

function floatOf({ balances, d, amp }: Balanced): StableFloat {
  return stableFloat(balances, Number(d), (Number(amp) * balances.length) / Number(AMP_PRECISION));
}

function offsetsOf(pool: Balanced): Float64Array {
  return Float64Array.from(pool.balances, (balance, j) => {
    const computed = balanceFor(j, pool);
    return computed === undefined ? 0 : Number(balance - computed - 1n);
  });
}

/** Output of token j for `x` of token i, in doubles; 0 if the pool would revert. */
export function quoteFloat(pool: Mirror, i: number, j: number, x: number): number {
  if (!(x > 0) || !(x < MAX_INPUT)) return 0;
  return pool.kind === "weighted" ? sellWeighted(pool, i, j, x) : sellStable(pool, i, j, x);
}

/** Upper limit of inputs: more than the vault can hold. */
const MAX_INPUT = 2 ** 112;

function sellWeighted(pool: WeightedMirror, i: number, j: number, x: number): number {
  return weightedOut(pairOf(pool, i, j), x * pool.keep);
}

function pairOf({ balances, weights, shortcuts }: WeightedMirror, i: number, j: number): WeightedFloat {
  return {
    balanceIn: balances[i]!,
    balanceOut: balances[j]!,
    exponent: weights[i]! / weights[j]!,
    shortcuts,
  };
}

function sellStable(mirror: StableMirror, i: number, j: number, x: number): number {
  const { pool, scale, position, shareIndex } = mirror;
  if (pool === undefined) return 0;
  const given = x * scale[i]!;
  let out: number;
  if (j === shareIndex) out = joinFloat(mirror, pool, position[i]!, given);
  else if (i === shareIndex) out = exitFloat(mirror, pool, position[j]!, given);
  else {
    const fall = fallOf(pool, position[i]!, position[j]!, given * (1 - mirror.fee));
    out = fall + mirror.offset[position[j]!]!;
  }
  return out > 0 ? out / scale[j]! : 0;
}

function sumOf(pool: StableFloat): number {
  let sum = 0;
  for (const balance of pool.x) sum += balance;
  return sum;
}

/** Effective fee of a single-token join or exit: the swap fee on all but the token's own part of the pool. */
function taxOf(mirror: StableMirror, pool: StableFloat, k: number): number {
  return mirror.fee * (1 - pool.x[k]! / sumOf(pool));
}

function joinFloat(mirror: StableMirror, pool: StableFloat, k: number, given: number): number {
  if (mirror.supply === 0 || given > Number(MOST_JOINED) * sumOf(pool)) return 0;
  return (mirror.supply * changeOfD(pool, k, given * (1 - taxOf(mirror, pool, k)))) / pool.d;
}

function exitFloat(mirror: StableMirror, pool: StableFloat, k: number, given: number): number {
  if (!(given < mirror.supply)) return 0;
  const fall = -changeOfBalance(pool, k, (-pool.d * given) / mirror.supply);
  return (fall + mirror.offset[k]!) * (1 - taxOf(mirror, pool, k));
}

/** One hyperbola if both weights are equal and the contract does not use logarithms for them; else sampled. */
export function curve(pool: Mirror, i: number, j: number): Curve | undefined {
  if (pool.kind !== "weighted") return sampledCurve((x) => quoteFloat(pool, i, j, x));
  if (!pool.shortcuts || pool.weights[i] !== pool.weights[j])
    return weightedCurve(pairOf(pool, i, j), pool.keep);
  const reserveIn = pool.balances[i]!;
  const reserveOut = pool.balances[j]!;
  const open = reserveIn > 0 && reserveOut > 0;
  return {
    x: [0],
    y: [0],
    m: [open ? (pool.keep * reserveOut) / reserveIn : 0],
    c: [open ? pool.keep / reserveIn : 0],
    end: open ? (MOST_SOLD * reserveIn) / pool.keep : 0,
  };
}

/** Largest output as a fraction of the balance. */
const MOST_TAKEN = 0.3;

/** The joint node of a weighted pool, or of a stable pool whose shares are not among its tokens. */
export function joint(pool: Mirror, traded: Float64Array, limited: boolean): Joint | undefined {
  if (pool.kind === "weighted") {
    return limited
      ? weightedJoint({ ...pool, mostIn: MOST_SOLD, mostOut: MOST_TAKEN })
      : unlimitedWeightedJoint(pool);
  }
  if (pool.pool === undefined || pool.shareIndex >= 0) return undefined;
  const { x, g, ann } = pool.pool;
  const kept = { keepIn: 1 - pool.fee, keepOut: 1 };
  return stableJoint({ balances: x, bend: g / ann, scale: pool.scale, ...kept }, traded);
}
