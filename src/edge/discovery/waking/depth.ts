import type { Address } from "../../../core/types.ts";
import type { PairPool } from "../../lens/named.ts";

/**
 * Prices of tokens in wei of the native coin per smallest unit, from the balances of pools. The price of a token is the
 * ratio of balances in the pool that holds the most value of a token with a known price, beginning with the wrapped
 * native coin. The prices are rough, since the balances of a concentrated pool are not in the ratio of its price; they
 * only serve to choose the pools to read first.
 */
export function roughPrices(pools: readonly PairPool[], wrappedNative: Address): Map<Address, number> {
  const prices = new Map<Address, number>([[wrappedNative, 1]]);
  for (let round = 0; round < ROUNDS; round++) {
    const best = new Map<Address, { readonly value: number; readonly price: number }>();
    for (const one of pools) offer(one, prices, best);
    for (const [token, { price }] of best) prices.set(token, price);
  }
  return prices;
}

/** Most pools between a token and the native coin: a token with only a stablecoin pool needs two. */
const ROUNDS = 2;

function offer(
  { pool, of, balances }: PairPool,
  prices: ReadonlyMap<Address, number>,
  best: Map<Address, { readonly value: number; readonly price: number }>,
): void {
  if (pool.tokens.length !== 2 || balances[0] === 0n || balances[1] === 0n) return;
  for (const k of [0, 1] as const) {
    const [known, token] = [of[k] as Address, of[1 - k] as Address];
    const price = prices.get(known);
    if (price === undefined || prices.has(token)) continue;
    const value = price * Number(balances[k]);
    if (value > (best.get(token)?.value ?? 0))
      best.set(token, { value, price: value / Number(balances[1 - k]) });
  }
}

/** Value of the larger side of a pool's pair, in wei of the native coin; undefined where neither token has a price. */
export function depthOf(
  { of, balances }: PairPool,
  priceOf: (token: Address) => number | undefined,
): number | undefined {
  const sides = [0, 1].map((k) => {
    const price = priceOf(of[k] as Address);
    return price === undefined ? undefined : price * Number(balances[k]);
  });
  const known = sides.filter((side) => side !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
