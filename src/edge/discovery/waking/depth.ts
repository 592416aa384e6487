import type { Address } from "../../../core/types.ts";
import type { PairPool } from "../../lens/named.ts";

/**
 * Prices of tokens in wei of the native coin per smallest unit, from what pools hold: each token's is that of the pool with
 * the most of a token whose price is known already, beginning with the wrapped coin. Rough (a concentrated pool holds its
 * tokens in other parts than its price), and only good to tell pools apart that are worth reading first.
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

/** Steps from the native coin: a token beside a stable coin is two away. */
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

/** Wei of the native coin that the larger side of a pool's pair is worth; undefined where nothing is known of it. */
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
