import { random } from "./random.ts";
import type { MarketFile, MarketPool } from "./schema.ts";

/** Share of the pairs that are moved, and by what share each of their reserves is: the price by about twice that. */
const MOVED = 0.01;
const BY = { least: 0.001, most: 0.02 };
/** Reserves are scaled in parts of so many. */
const PARTS = 1_000_000;

/** The market as swaps leave it before searchers come: the price of one pair in a hundred, seeded, is off, up or down. */
export function movedMarket(file: MarketFile, seed: number): MarketFile {
  const rng = random(seed);
  const pools = file.pools.map((pool) => {
    if (!Array.isArray(pool.state.reserves) || rng.next() >= MOVED) return pool;
    return movedPair(pool, rng.below(2), rng.between(BY.least, BY.most));
  });
  return { ...file, pools };
}

/** One reserve grows by a share, and the other shrinks so that their product stays. */
function movedPair(pool: MarketPool, growing: number, by: number): MarketPool {
  const grown = BigInt(Math.round((1 + by) * PARTS));
  const reserves = (pool.state.reserves as readonly string[]).map((reserve, k) =>
    String(
      k === growing ? (BigInt(reserve) * grown) / BigInt(PARTS) : (BigInt(reserve) * BigInt(PARTS)) / grown,
    ),
  );
  return { ...pool, state: { ...pool.state, reserves } };
}
