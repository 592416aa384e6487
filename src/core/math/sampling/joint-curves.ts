import type { Curve, Joint } from "../../protocol.ts";
import { drawnCurve, type Node } from "./drawn-curve.ts";

/**
 * Pools of several coins as a good of their own. An invariant that is a sum over the coins needs no more than that: what
 * a coin that comes in adds to it, the coins that go out take from it, whichever pairs are traded.
 */

/** A joint for designs of two coins, and for those whose pairs do not share one fixed invariant. */
export function noJoint(): undefined {}

const NODES = 64;
const LINE: Curve = { x: [0], y: [0], m: [1], c: [0], end: Number.POSITIVE_INFINITY };

/** For designs that limit a swap and do not say what several swaps pay: more than any amount. */
export function unboundedJoint(coins: number): Joint {
  const lines = new Array<Curve>(coins).fill(LINE);
  return { into: lines, outOf: lines, free: Number.POSITIVE_INFINITY };
}

function drawn(most: number, at: (u: number) => Node): Curve {
  return drawnCurve(Array.from({ length: NODES + 1 }, (_, k) => at((most * k) / NODES)));
}

/** How far the nodes of a stable pool's goods lie apart is the same for all: logarithms of what a balance grows to. */
function steps(most: number): { readonly log: number; readonly growth: number }[] {
  const root = Math.sqrt(Math.abs(most));
  return Array.from({ length: NODES + 1 }, (_, k) => {
    const log = Math.sign(most) * ((root * k) / NODES) ** 2;
    return { log, growth: Math.expm1(log) };
  });
}

/** A pool of Π balance^weight; what the fee leaves of an input is `keep`. */
export type WeightedCoins = {
  readonly balances: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly keep: number;
  /** The share of a balance that a swap may bring, and take. */
  readonly mostIn: number;
  readonly mostOut: number;
};

/** Balances grow to so many times what they are, or all but so little of them is taken, where swaps have no limit. */
const WIDEST = { mostIn: 1e3, mostOut: 1 - 1e-5 };

/**
 * The same pool over any number of swaps: contracts limit what one of them may bring. Nodes lie farther apart, so payments are
 * raised by as much as hyperbolas between them may be short: h²/24 for a step h of a balance's logarithm.
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

/** Exact: Σ weight·ln(balance) is a sum, so nothing is free. */
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

/** A stableswap pool; balances as its invariant sees them. */
export type StableCoins = {
  readonly balances: ArrayLike<number>;
  /** D^(n+1) / (n^n·Πx) / (A·n^n) */
  readonly bend: number;
  /** Units of the invariant per smallest unit of each coin. */
  readonly scale: ArrayLike<number>;
  /** What the fee leaves of an input, and of an output. */
  readonly keepIn: number;
  readonly keepOut: number;
};

/** Coins come in up to this many times their balance, and go out up to all but this share of it. */
const MOST_IN = 1e3;
const LEFT = 1e-5;

/**
 * With D fixed, Σx - bend·exp(-Σ ln(x'/x)) may not fall. The second term, taken straight from the point where `traded`
 * leaves the pool, makes that a sum over the coins. A tangent lies above: the joint pays no less than the pool anywhere,
 * and just as much at that point, once what the tangent lies above the pool as it stands is given free.
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
