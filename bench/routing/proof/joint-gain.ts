import type { WeightedState } from "../../../src/protocols/balancer-v2/state.ts";
import type { State as CurveState } from "../../../src/protocols/curve-stable/state.ts";
import { invariant } from "../orders/stable.ts";
import { leastOf } from "./least.ts";

/** What a coin of a pool is worth, and whether it may be sold to the pool, and bought from it. */
export type PricedCoin = { readonly price: number; readonly sells: boolean; readonly buys: boolean };

/**
 * The most that a pool of several coins earns over all its pairs together at given prices, by formulas of the bench's own.
 * Lagrange's: whatever a unit of the pool's invariant is taken to be worth, coins earn no more than each for itself.
 *
 * @returns Infinity where the pool's maths is not known here
 */
export function jointGain(protocol: string, state: unknown, coins: readonly PricedCoin[]): number {
  if (protocol === "balancer-v2") return weightedGain(state as WeightedState, coins);
  if (protocol === "curve-stable") return stableGain(state as CurveState, coins);
  return Number.POSITIVE_INFINITY;
}

const SPAN = 0.6;

/**
 * Σ w·ln(balance) does not fall: at `worth` a unit of it, coins that come in and coins that go out earn alone. What a single swap
 * may bring and take is limited, what several may is not.
 */
function weightedGain({ balances, weights, swapFee }: WeightedState, coins: readonly PricedCoin[]): number {
  const keep = 1 - Number(swapFee) / 1e18;
  const held = coins.map((coin, k) => ({
    ...coin,
    balance: Number(balances[k]),
    weight: Number(weights[k]),
  }));
  const fair = held.map(({ price, balance, weight }) => (price * balance) / weight).filter((one) => one > 0);
  const earned = (worth: number) => {
    let gain = 0;
    for (const { price, sells, buys, balance, weight } of held) {
      if (sells) {
        const u = Math.max(0, Math.log((worth * weight * keep) / (price * balance)));
        gain += worth * weight * u - (price * balance * Math.expm1(u)) / keep;
      }
      if (buys && price > 0) {
        const s = Math.max(0, Math.log((price * balance) / (worth * weight)));
        gain += -price * balance * Math.expm1(-s) - worth * weight * s;
      }
    }
    return gain;
  };
  const low = Math.log(Math.min(...fair)) - SPAN;
  const high = Math.log(Math.max(...fair)) + SPAN;
  return earned(Math.exp(leastOf((log) => earned(Math.exp(log)), low, high)));
}

/**
 * With D fixed Σx - bend·exp(-Σ ln(x'/x)) does not fall; its second term is taken straight from where the logarithms moved
 * by `moved`, which lies above it everywhere. Any `moved` and any worth of a unit give a bound; the least is looked for.
 */
function stableGain(state: CurveState, coins: readonly PricedCoin[]): number {
  const rates = state.rates.map((rate) => Number(rate) / 1e18);
  const keep = 1 - Number(state.fee) / 1e10;
  const held = coins.map(({ price, sells, buys }, k) => ({
    unit: price / rates[k]!,
    sells,
    buys,
    balance: Number(state.balances[k]) * rates[k]!,
  }));
  const balances = held.map(({ balance }) => balance);
  const ann = (Number(state.ramp.futureA) / Number(state.aPrecision)) * held.length;
  const d = invariant(balances, ann);
  const bend = balances.reduce((p, balance) => (p * d) / (balance * held.length), d) / ann;
  const sold = held.filter(({ sells, unit }) => sells && unit > 0).map(({ unit }) => unit);
  const top = Math.log(Math.min(...sold));
  const earned = (moved: number, worth: number) => {
    const slope = bend * Math.exp(-moved);
    let gain = worth * (bend - slope * (1 + moved));
    for (const { unit, sells, buys, balance } of held) {
      if (sells) gain += inGain(balance, slope, unit / worth) * worth;
      if (buys) gain += outGain(balance, slope, (unit * keep) / worth) * worth;
    }
    return gain;
  };
  const atBest = (moved: number) => {
    const log = leastOf((one) => earned(moved, Math.exp(one)), top - SPAN, top - 1e-15);
    return earned(moved, Math.exp(log));
  };
  return atBest(leastOf(atBest, -8, 2));
}

/** max h + slope·ln(1 + h/balance) - cost·h */
function inGain(balance: number, slope: number, cost: number): number {
  if (cost <= 1) return Number.POSITIVE_INFINITY;
  const h = slope / (cost - 1) - balance;
  return h > 0 ? (1 - cost) * h + slope * Math.log1p(h / balance) : 0;
}

/** max price·g - g + slope·ln(1 - g/balance) */
function outGain(balance: number, slope: number, price: number): number {
  if (price <= 1) return 0;
  const g = balance - slope / (price - 1);
  return g > 0 ? (price - 1) * g + slope * Math.log1p(-g / balance) : 0;
}
