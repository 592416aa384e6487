/**
 * Arbitrage of a market of constant-product pairs: trades are made until no cycle of pairs is profitable after fees.
 *
 * At token prices ν a pair with reserves (x, y), fee share γ = 1 - fee, earns a trader
 *
 *   E(ν) = max over a ≥ 0 of  ν_y·out(a) - ν_x·a,   out(a) = γ·a·y / (x + γ·a)
 *
 * in the direction where γ·y·ν_y > x·ν_x, and 0 elsewhere. Σ E is convex in ν, and its gradient is the trader's net
 * gain of each token. At the ν that minimise it these gains are 0: the trades of all pairs cancel, except for a profit
 * in the numeraire. After the trades no pair is profitable at ν, and therefore no cycle is. Pegged tokens share one
 * price.
 *
 * The minimum is found by coordinate descent: a token's gain does not decrease with its own price, so bisection finds
 * its zero. Tokens are gross substitutes, so rounds over all tokens converge, fast where the pairs with the numeraire
 * are the deepest. A round costs O(pairs · bisection steps).
 *
 * @source T. Diamandis, M. Resnick, T. Chitra, G. Angeris, "An Efficient Algorithm for Optimal Routing Through Constant
 * Function Market Makers" (2023): the dual of the arbitrage problem, separable by market
 */
import { amountOut } from "../../../core/math/pairs/constant-product.ts";
import type { Address } from "../../../core/types.ts";
import type { RecordedPair } from "./recorded.ts";

/** Price of a token's smallest unit, in smallest units of the numeraire. */
export type Prices = ReadonlyMap<Address, number>;

/** Tokens that are pegged to each other, with the relative value of a smallest unit of each. */
export type Peg = readonly (readonly [token: Address, unit: number])[];

/** Relative change per round below which prices have converged. */
const PRECISION = 1e-11;
const MOST_ROUNDS = 500;
/** Search range on either side of the last price, as a natural logarithm: recorded prices of a token differ by less. */
const REACH = 2;
/** Bisection steps, after which the range is below the precision of a double. */
const HALVINGS = 55;

type Market = { readonly pairs: readonly RecordedPair[]; readonly numeraire: Address };

/**
 * The prices at which the arbitrage trades in all pairs cancel; the middle of the range where they are not unique.
 *
 * @param pegs tokens with fixed relative values; all others float
 * @throws Error where no chain of pairs joins a token to the numeraire, or the prices do not converge
 */
export function agreedPrices({ pairs, numeraire }: Market, pegs: readonly Peg[]): Prices {
  const pegged = new Set(pegs.flatMap((peg) => peg.map(([token]) => token)));
  const tokens = new Set(pairs.flatMap(({ token0, token1 }) => [token0, token1]));
  const floating = [...tokens].filter((token) => token !== numeraire && !pegged.has(token));
  const groups: readonly Peg[] = [...pegs, ...floating.map((token): Peg => [[token, 1]])];
  const prices = firstPrices({ pairs, numeraire }, groups);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const moves = groups.map((group) => agree(group, pairs, prices));
    if (Math.max(...moves) < PRECISION) return prices;
  }
  throw new Error(`Prices of ${tokens.size} tokens did not settle in ${MOST_ROUNDS} rounds.`);
}

/** Initial prices: each group is priced by the first pair that joins it to a token that already has a price. */
function firstPrices({ pairs, numeraire }: Market, groups: readonly Peg[]): Map<Address, number> {
  const prices = new Map<Address, number>([[numeraire, 1]]);
  const groupOf = new Map(groups.flatMap((group) => group.map(([token]) => [token, group] as const)));
  const place = (token: Address, price: number) => {
    const group = groupOf.get(token)!;
    const unit = group.find(([member]) => member === token)![1];
    for (const [member, units] of group) prices.set(member, (price * units) / unit);
  };
  for (let before = 0; before < prices.size; ) {
    before = prices.size;
    for (const { token0, token1, reserve0, reserve1 } of pairs) {
      const [price0, price1] = [prices.get(token0), prices.get(token1)];
      if (price0 === undefined && price1 !== undefined)
        place(token0, (price1 * Number(reserve1)) / Number(reserve0));
      if (price1 === undefined && price0 !== undefined)
        place(token1, (price0 * Number(reserve0)) / Number(reserve1));
    }
  }
  const lost = pairs.find(({ token0, token1 }) => !prices.has(token0) || !prices.has(token1));
  if (lost !== undefined) throw new Error(`No pairs join ${lost.token0} to ${numeraire}.`);
  return prices;
}

/** Sets the price of a group to where its gain is 0. @returns the relative change of the price */
function agree(group: Peg, pairs: readonly RecordedPair[], prices: Map<Address, number>): number {
  const members = new Set(group.map(([token]) => token));
  const touched = pairs.filter(({ token0, token1 }) => members.has(token0) !== members.has(token1));
  const start = Math.log(prices.get(group[0]![0])! / group[0]![1]);
  const set = (logarithm: number) => {
    for (const [token, unit] of group) prices.set(token, Math.exp(logarithm) * unit);
  };
  const gainAt = (logarithm: number) => {
    set(logarithm);
    return touched.reduce((sum, pair) => sum + worthOfGain(pair, members, prices), 0);
  };
  const lowest = boundary(start, (logarithm) => gainAt(logarithm) >= 0);
  const highest = boundary(start, (logarithm) => gainAt(logarithm) > 0);
  const found = (lowest + highest) / 2;
  set(found);
  return Math.abs(Math.expm1(found - start));
}

/** Bisects for the smallest logarithm at which a monotone condition holds. */
function boundary(around: number, holds: (logarithm: number) => boolean): number {
  let [low, high] = [around - REACH, around + REACH];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Value that the best trade in a pair gains in tokens of a group; negative where it sells them. */
function worthOfGain(pair: RecordedPair, members: ReadonlySet<Address>, prices: Prices): number {
  const best = bestTrade(pair, prices);
  if (best === undefined) return 0;
  const { i, amountIn, amountOut: gained } = best;
  const [sold, bought] = i === 0 ? [pair.token0, pair.token1] : [pair.token1, pair.token0];
  return members.has(bought) ? gained * prices.get(bought)! : -amountIn * prices.get(sold)!;
}

type BestTrade = { readonly i: 0 | 1; readonly amountIn: number; readonly amountOut: number };

/** The most profitable trade in a pair, in doubles; undefined where none is profitable. */
function bestTrade(pair: RecordedPair, prices: Prices): BestTrade | undefined {
  const { token0, token1, reserve0, reserve1, feePpm } = pair;
  const share = 1 - feePpm / 1e6;
  const worths = [Number(reserve0) * prices.get(token0)!, Number(reserve1) * prices.get(token1)!] as const;
  for (const i of [0, 1] as const) {
    const [worthIn, worthOut] = [worths[i], worths[1 - i]!];
    if (share * worthOut <= worthIn) continue;
    const [reserveIn, reserveOut] = i === 0 ? [reserve0, reserve1] : [reserve1, reserve0];
    const kept = Number(reserveIn) * (Math.sqrt((share * worthOut) / worthIn) - 1);
    const amountOut = (kept * Number(reserveOut)) / (Number(reserveIn) + kept);
    return { i, amountIn: kept / share, amountOut };
  }
  return undefined;
}

/** The pair after its most profitable trade at these prices, with the output rounded as the contract does. */
export function traded(pair: RecordedPair, prices: Prices): RecordedPair {
  const best = bestTrade(pair, prices);
  const amountIn = BigInt(Math.floor(best?.amountIn ?? 0));
  if (best === undefined || amountIn === 0n) return pair;
  const { reserve0, reserve1, feePpm } = pair;
  return best.i === 0
    ? {
        ...pair,
        reserve0: reserve0 + amountIn,
        reserve1: reserve1 - amountOut(amountIn, reserve0, reserve1, feePpm),
      }
    : {
        ...pair,
        reserve0: reserve0 - amountOut(amountIn, reserve1, reserve0, feePpm),
        reserve1: reserve1 + amountIn,
      };
}
