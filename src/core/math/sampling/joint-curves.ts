import type { Curve, Joint } from "../../protocol.ts";
import { drawnCurve, type Node } from "./drawn-curve.ts";
import { lineCurve } from "./straight-line.ts";

/**
 * Joint nodes of pools of several coins. If an invariant is a sum of terms of single coins, each coin trades against
 * units of the invariant on its own: the terms of the coins sold add to it, the coins bought take from it, whichever
 * pairs are traded. Curves have 64 segments each.
 */

/** For designs of two coins, and for designs whose pairs do not share one fixed invariant. */
export function noJoint(): undefined {}

const NODES = 64;
const LINE = lineCurve({ slope: 1, most: Number.POSITIVE_INFINITY });

/** For designs that limit a single swap and give no bound on several swaps: nothing limits the joint node. */
export function unboundedJoint(coins: number): Joint {
  const lines = new Array<Curve>(coins).fill(LINE);
  return { into: lines, outOf: lines, free: Number.POSITIVE_INFINITY };
}

function drawn(most: number, at: (u: number) => Node): Curve {
  return drawnCurve(Array.from({ length: NODES + 1 }, (_, k) => at((most * k) / NODES)));
}

/** Nodes of a stable pool's curves, equal for all pools: logarithms of the factor by which a balance grows. */
function steps(most: number): { readonly log: number; readonly growth: number }[] {
  const root = Math.sqrt(Math.abs(most));
  return Array.from({ length: NODES + 1 }, (_, k) => {
    const log = Math.sign(most) * ((root * k) / NODES) ** 2;
    return { log, growth: Math.expm1(log) };
  });
}

/** A pool with the invariant Π balance^weight; `keep` is 1 - fee. */
export type WeightedCoins = {
  readonly balances: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly keep: number;
  /** Largest input and output of a swap as a fraction of the balance. */
  readonly mostIn: number;
  readonly mostOut: number;
};

/** Limits used if swaps have none: input as a multiple of the balance, and output as a fraction of it. */
const WIDEST = { mostIn: 1e3, mostOut: 1 - 1e-5 };

/**
 * The joint node for any number of swaps, since contracts limit single swaps only. Its nodes lie farther apart, so
 * outputs are raised by the largest relative shortfall of a hyperbola between two nodes: h²/24 for a step h of a
 * balance's logarithm.
 */
export function unlimitedWeightedJoint(pool: Omit<WeightedCoins, "mostIn" | "mostOut">): Joint {
  const joint = weightedJoint({ ...pool, ...WIDEST });
  const raise = 1 + (-Math.log1p(-WIDEST.mostOut) / NODES) ** 2 / 24;
  return { ...joint, outOf: joint.outOf.map((curve) => raised(curve, raise)) };
}

function raised(curve: Curve, by: number): Curve {
  return {
    ...curve,
    y: Float64Array.from(curve.y, (y) => y * by),
    m: Float64Array.from(curve.m, (m) => m * by),
  };
}

/** The joint node of a weighted pool. It is exact since the invariant Σ weight·ln(balance) is a sum, so `free` is 0. */
export function weightedJoint({ balances, weights, keep, mostIn, mostOut }: WeightedCoins): Joint {
  const coins = Array.from(balances, (balance, k) => ({ balance, weight: weights[k]! }));
  return {
    into: coins.map(({ balance, weight }) =>
      drawn(Math.log1p(mostIn), (u) => ({
        x: (balance * Math.expm1(u)) / keep,
        y: weight * u,
        slope: (weight * keep) / (balance * Math.exp(u)),
      })),
    ),
    outOf: coins.map(({ balance, weight }) =>
      drawn(-Math.log1p(-mostOut), (u) => ({
        x: weight * u,
        y: -balance * Math.expm1(-u),
        slope: (balance * Math.exp(-u)) / weight,
      })),
    ),
    free: 0,
  };
}

/** A stableswap pool; balances in the units of its invariant. */
export type StableCoins = {
  readonly balances: ArrayLike<number>;
  /** D^(n+1) / (n^n·Πx) / (A·n^n) */
  readonly bend: number;
  /** Units of the invariant per smallest unit of each coin. */
  readonly scale: ArrayLike<number>;
  /** 1 - fee, taken of an input and of an output. */
  readonly keepIn: number;
  readonly keepOut: number;
};

/** Largest input as a multiple of the balance, and the fraction of a balance that cannot be bought. */
const MOST_IN = 1e3;
const LEFT = 1e-5;

/**
 * The joint node of a stableswap pool. With D fixed, Σx - bend·exp(-Σ ln(x'/x)) must not fall. Linearising the second
 * term at the point where `traded` leaves the pool makes this a sum over the coins. The tangent lies above the
 * function, so the node pays at least as much as the pool everywhere, and exactly as much at that point; `free` is
 * the tangent's excess at the present balances.
 */
export function stableJoint(pool: StableCoins, traded: Float64Array): Joint {
  const { balances, scale, keepIn, keepOut } = pool;
  let moved = 0;
  for (const [k, amount] of traded.entries()) {
    const change = amount * scale[k]! * (amount > 0 ? keepIn : 1 / keepOut);
    moved += Math.log(Math.max(LEFT, 1 + change / balances[k]!));
  }
  const bend = pool.bend * Math.exp(-moved);
  return {
    into: Array.from(balances, (balance, k) => stableInto({ balance, bend, unit: scale[k]! * keepIn })),
    outOf: Array.from(balances, (balance, k) => stableOutOf({ balance, bend, unit: keepOut / scale[k]! })),
    free: pool.bend - bend * (1 + moved),
  };
}

type Coin = { readonly balance: number; readonly bend: number; readonly unit: number };

const STEPS_IN = steps(Math.log1p(MOST_IN));
const STEPS_OUT = steps(Math.log(LEFT));

function stableInto({ balance, bend, unit }: Coin): Curve {
  return drawnCurve(
    STEPS_IN.map(({ log, growth }) => {
      const added = balance * growth;
      return { x: added / unit, y: added + bend * log, slope: unit * (1 + bend / (balance + added)) };
    }),
  );
}

function stableOutOf({ balance, bend, unit }: Coin): Curve {
  return drawnCurve(
    STEPS_OUT.map(({ log, growth }) => {
      const taken = -balance * growth;
      return { x: taken - bend * log, y: taken * unit, slope: unit / (1 + bend / (balance - taken)) };
    }),
  );
}
