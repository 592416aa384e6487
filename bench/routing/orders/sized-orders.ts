import type { Engine } from "../../../src/core/routing/types.ts";
import type { Address } from "../../../src/core/types.ts";
import type { Market } from "../market/market.ts";
import { type Random, random } from "../market/random.ts";
import type { Order } from "../market/schema.ts";

/** The deepest pool of each end holds so many times what is sold. */
const DEPTH = 3;
const TRIES = 200;

type Wanted = { readonly count: number; readonly seed: number; readonly from: number; readonly to: number };

/**
 * Seeded orders worth `from` to `to` of the native coin, every power of ten as often, between tokens whose pools are deep enough. A third
 * sells the native coin, a third buys it, the rest is between any two.
 */
export function sizedOrders(market: Market, engine: Engine, { count, seed, from, to }: Wanted): Order[] {
  const rng = random(seed);
  const tokens = [...new Set(market.pools.flatMap((pool) => pool.tokens))];
  const depth = new Map(tokens.map((token) => [token, engine.depthNative(token) / 1e18]));
  const orders: Order[] = [];
  const seen = new Set<string>();
  for (let tries = 0; orders.length < count && tries < count * TRIES; tries++) {
    const eth = 10 ** rng.between(Math.log10(from), Math.log10(to));
    const deep = tokens.filter(
      (token) => depth.get(token)! >= DEPTH * eth && engine.nativePer(token) !== undefined,
    );
    if (deep.length < 2) continue;
    const [tokenIn, tokenOut] = endsOf(rng, deep, market.native);
    const amount = (eth * 1e18) / engine.nativePer(tokenIn)!;
    if (tokenIn === tokenOut || seen.has(tokenIn + tokenOut) || !(amount >= 1 && amount < 1e60)) continue;
    seen.add(tokenIn + tokenOut);
    orders.push({ tokenIn, tokenOut, amountIn: String(BigInt(Math.floor(amount))) });
  }
  return orders;
}

function endsOf(rng: Random, tokens: readonly Address[], native: Address): [Address, Address] {
  const kind = rng.below(3);
  return [kind === 0 ? native : rng.pick(tokens), kind === 1 ? native : rng.pick(tokens)];
}
