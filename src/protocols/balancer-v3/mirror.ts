import { AMP_PRECISION, balanceFor } from "../../core/math/balancer/balancer-stable-math.ts";
import { weightedOut } from "../../core/math/balancer/weighted-float.ts";
import { fallOf, type StableFloat, stableFloat } from "../../core/math/curve/stable-float.ts";
import { type Arc, alongEllipse, arcOf } from "../../core/math/gyro/gyro-eclp-float.ts";
import { stableJoint, unlimitedWeightedJoint } from "../../core/math/sampling/joint-curves.ts";
import { sampledCurve } from "../../core/math/sampling/sampled-curve.ts";
import type { Curve, Joint } from "../../core/protocol.ts";
import { MAX_IMBALANCE, type Solved, solvedAt, totalsOf } from "./shapes.ts";
import type { Shape, State, Surge } from "./state.ts";
import { grownImbalance, type Imbalance, imbalanceFloat, imbalanceOf } from "./surge/float.ts";

/** The curve in doubles, 18-digit units. */
type Floats =
  | { readonly kind: "none" }
  | {
      readonly kind: "weighted";
      readonly weights: Float64Array;
      readonly blocked: number;
      /** Largest amount on either side of a swap as a fraction of the balance. */
      readonly most: number;
      /** Least balance of each token, 0 where the pool has none. */
      readonly least: Float64Array;
    }
  | { readonly kind: "stable"; readonly pool: StableFloat; readonly offset: Float64Array }
  | { readonly kind: "eclp"; readonly arcs: readonly Arc[] }
  | { readonly kind: "reclamm"; readonly totals: Float64Array };

/** A pool in doubles. */
export type Mirror = {
  readonly shape: Shape["kind"];
  readonly floats: Floats;
  /** Balances in 18-digit units. */
  readonly live: Float64Array;
  /** 18-digit units per smallest unit. */
  readonly units: Float64Array;
  readonly fee: number;
  readonly leastTrade: number;
  /** A fee that rises with imbalance: threshold and largest fee as fractions. */
  readonly surge: SurgeFloat | undefined;
};

type SurgeFloat = { readonly pool: Imbalance; readonly threshold: number; readonly maxFee: number };

const GRAIN = 1 + 1e-12;
const NOTHING: Floats = { kind: "none" };

/**
 * The mirror of a state; it changes in every block if time or rates move the curve. A pool whose invariant cannot be
 * computed pays 0.
 */
export function mirror(state: State, timestamp: number): Mirror {
  const solved = solvedAt(state, timestamp);
  return {
    shape: state.shape.kind,
    floats: solved === undefined ? NOTHING : floatsOf(solved),
    live: Float64Array.from(solved?.live ?? [], Number),
    units: Float64Array.from(state.factors, (factor, k) => (Number(factor) * Number(state.rates[k]!)) / 1e18),
    fee: Number(state.swapFee) / 1e18,
    leastTrade: Number(state.leastTrade),
    surge: solved === undefined ? undefined : surgeOf(state.surge, state.swapFee, solved.live),
  };
}

function surgeOf(surge: Surge | null, swapFee: bigint, live: readonly bigint[]): Mirror["surge"] {
  if (surge === null || surge.maxFee < swapFee) return undefined;
  const threshold = Number(surge.threshold) / 1e18;
  const maxFee = Number(surge.maxFee) / 1e18;
  return { pool: imbalanceFloat(live), threshold, maxFee };
}

function floatsOf(solved: Solved): Floats {
  if (solved.kind === "weighted")
    return {
      kind: "weighted",
      weights: Float64Array.from(solved.weights, Number),
      blocked: solved.blocked,
      most: solved.most === undefined ? Number.POSITIVE_INFINITY : Number(solved.most) / 1e18,
      least: Float64Array.from(solved.live, (_, k) => Number(solved.least?.[k] ?? 0n)),
    };
  if (solved.kind === "eclp")
    return { kind: "eclp", arcs: [arcOf(solved.ellipse, 0), arcOf(solved.ellipse, 1)] };
  if (solved.kind === "reclamm")
    return {
      kind: "reclamm",
      totals: Float64Array.from([0, 1], (k) => Number(totalsOf(solved, k, k).totalIn)),
    };
  const { pool } = solved;
  if (pool.d === 0n) return NOTHING;
  const ann = (Number(pool.amp) * pool.balances.length) / Number(AMP_PRECISION);
  const offset = Float64Array.from(pool.balances, (balance, j) => {
    const computed = balanceFor(j, pool);
    return computed === undefined ? 0 : Number(balance - computed - 1n);
  });
  return { kind: "stable", pool: stableFloat(pool.balances, Number(pool.d), ann), offset };
}

/** Output of token j for `x` of token i, in doubles; 0 if the pool would revert. */
export function quoteFloat(pool: Mirror, i: number, j: number, x: number): number {
  if (!(x > 0) || !(x < MAX_INPUT)) return 0;
  const given = x * pool.units[i]!;
  const h = given * (1 - feeOf(pool, i, j, given));
  if (!(h >= pool.leastTrade)) return 0;
  const out = inner(pool, i, j, h);
  return out >= pool.leastTrade && out <= pool.live[j]! * GRAIN ? out / pool.units[j]! : 0;
}

/** Upper limit of inputs: more than the vault can hold. */
const MAX_INPUT = 2 ** 128;

/** Output for `h` net of the fee, in 18-digit units. */
function inner({ floats, live }: Mirror, i: number, j: number, h: number): number {
  if (floats.kind === "weighted") return weightedFloat(floats, live, { i, j, h });
  if (floats.kind === "stable") {
    const out = fallOf(floats.pool, i, j, h) + floats.offset[j]!;
    return isBalanced(live, i, j, [h, out]) ? out : 0;
  }
  if (floats.kind === "eclp") return alongEllipse(floats.arcs[i]!, h);
  return floats.kind === "none" ? 0 : (floats.totals[j]! * h) / (floats.totals[i]! + h);
}

type Sale = { readonly i: number; readonly j: number; readonly h: number };

function weightedFloat(
  { weights, blocked, most, least }: Extract<Floats, { kind: "weighted" }>,
  live: Float64Array,
  { i, j, h }: Sale,
): number {
  if (i === blocked || h > live[i]! * most || live[i]! < least[i]!) return 0;
  const exponent = weights[i]! / weights[j]!;
  const out = weightedOut({ balanceIn: live[i]!, balanceOut: live[j]!, exponent, shortcuts: true }, h);
  return out > live[j]! * most || live[j]! - out < least[j]! ? 0 : out;
}

/**
 * The joint node, for any number of swaps only: weighted pools limit the input of one swap, all others are limited by
 * their balances alone. A surge fee is never below the fee taken here.
 */
export function joint(pool: Mirror, traded: Float64Array, limited: boolean): Joint | undefined {
  const { floats, live, units, fee } = pool;
  if (limited) return undefined;
  if (floats.kind === "weighted") {
    const balances = live.map((balance, k) => balance / units[k]!);
    return unlimitedWeightedJoint({ balances, weights: floats.weights, keep: 1 - fee });
  }
  if (floats.kind !== "stable" || live.length < 3) return undefined;
  const { x, g, ann } = floats.pool;
  return stableJoint({ balances: x, bend: g / ann, scale: units, keepIn: 1 - fee, keepOut: 1 }, traded);
}

/** Growth of inputs between which the input is looked for from which on a surge's fee is not charged. */
export const SURGE_STEP = 1.1;

/** The concave curve of the pair. */
export function curve(pool: Mirror, i: number, j: number): Curve | undefined {
  return sampledCurve((x) => quoteFloat(pool, i, j, x), mayDrop(pool) ? SURGE_STEP : undefined);
}

/**
 * Whether a larger trade may pay a lower fee than a small one: between two scarce tokens of a pool far from balance, a small trade adds
 * to the imbalance and a large one ends with less of it, whose fee falls at once. Of two tokens one side alone adds to it.
 */
function mayDrop({ surge }: Mirror): boolean {
  return surge !== undefined && surge.pool.live.length > 2 && imbalanceOf(surge.pool) > surge.threshold;
}

function isBalanced(live: Float64Array, i: number, j: number, [sold, bought]: [number, number]): boolean {
  let most = live[i]! + sold;
  let least = live[j]! - bought;
  for (const balance of live) {
    if (balance > most) most = balance;
    if (balance < least) least = balance;
  }
  return least > 0 && most < least * Number(MAX_IMBALANCE);
}

/** The fee as a fraction of `given`; 1 if the hook cannot price the swap and so refuses it. */
function feeOf(pool: Mirror, i: number, j: number, given: number): number {
  const { surge, fee } = pool;
  if (surge === undefined) return fee;
  const bought = inner(pool, i, j, given);
  if (bought === 0) return 1;
  const imbalance = grownImbalance(surge.pool, { i, j, sold: given, bought });
  if (!(imbalance > surge.threshold)) return fee;
  return fee + ((surge.maxFee - fee) * (imbalance - surge.threshold)) / (1 - surge.threshold);
}
