import { type Address, NATIVE, type Pool } from "../../core/types.ts";
import { poolsOfPairs } from "../lens/pairs.ts";
import { NodeFailure } from "../node/failure.ts";
import type { DiscoveryContext } from "./types.ts";
import { headOf, wake } from "./wake.ts";

/** Hubs that a token is looked for beside. */
const HUBS_ASKED = 8;
/** Pools of one pair of tokens that come into the market, and pools known of a token beside them. */
const MOST_POOLS = 48;
/** Questions under way at once; more are told to come again. */
const MOST_AT_ONCE = 16;
/** Answers that are remembered. */
const MOST_REMEMBERED = 20_000;
/** Seconds after which a pair without pools is asked for again. */
const AGAIN_AFTER_MS = 600_000;

/** Finds the pools of tokens that somebody asks a price for. */
export type Asking = {
  /** Whether all that can be asked by pair of these tokens is in the market. */
  isCovered(tokens: readonly [Address, Address]): boolean;
  /** Reads what is not. @throws NodeFailure `rate-limit` where too much is being read already */
  cover(tokens: readonly [Address, Address]): Promise<void>;
  /** Says that the market begins anew. */
  reset(): void;
};

type Covered = { readonly at: number; readonly hasPools: boolean };

/** @param now monotonic milliseconds */
export function createAsking(context: DiscoveryContext, now: () => number): Asking {
  const { chain } = context;
  const covered = new Map<string, Covered>();
  const running = new Map<string, Promise<void>>();
  const wrapped = (token: Address) => (token === NATIVE ? chain.wrappedNative : token);
  const keyOf = (tokens: readonly Address[]) => tokens.map(wrapped).sort().join();
  const isHub = (token: Address) => chain.hubs.includes(wrapped(token));
  // The deepest pools of the hubs come first: a hub that has one has what counts.
  const isTraded = (token: Address) => context.market.book.poolsOf(wrapped(token)).size > 0;
  const isCovered: Asking["isCovered"] = (tokens) => {
    if (tokens.every(isHub) && tokens.every(isTraded)) return true;
    const entry = covered.get(keyOf(tokens));
    return entry !== undefined && (entry.hasPools || now() - entry.at < AGAIN_AFTER_MS);
  };
  const remember = (key: string, hasPools: boolean) => {
    covered.set(key, { at: now(), hasPools });
    const [oldest] = covered.keys();
    if (covered.size > MOST_REMEMBERED && oldest !== undefined) covered.delete(oldest);
  };
  return {
    isCovered,
    cover(tokens) {
      const key = keyOf(tokens);
      const under = running.get(key);
      if (isCovered(tokens)) return Promise.resolve();
      if (under !== undefined) return under;
      if (running.size >= MOST_AT_ONCE) {
        return Promise.reject(new NodeFailure("rate-limit", "pools of other tokens are being read"));
      }
      const [a, b] = tokens.map(wrapped) as [Address, Address];
      const work = readPair(context, [a, b])
        .then((count) => remember(key, count > 0))
        .finally(() => running.delete(key));
      running.set(key, work);
      return work;
    },
    reset: () => covered.clear(),
  };
}

/** @returns how many pools were found or known */
async function readPair(context: DiscoveryContext, tokens: readonly [Address, Address]): Promise<number> {
  const { chain, known } = context;
  const [a, b] = tokens;
  if (tokens.every((token) => chain.hubs.includes(token))) return wakeBetween(context, tokens);
  const hubs = chain.hubs.slice(0, HUBS_ASKED);
  const beside = tokens
    .filter((token) => !chain.hubs.includes(token))
    .flatMap((token) => hubs.map((hub) => [token, hub] as const));
  const isApart = ([x, y]: readonly [Address, Address]) => x !== y;
  const direct = hubs.includes(a) || hubs.includes(b) ? [] : [[a, b] as const];
  const found = await poolsOfPairs(context, [...direct, ...beside].filter(isApart), headOf(context));
  for (const { pool } of found) known.add(pool);
  const deepest = found.sort((x, y) => total(y.balances) - total(x.balances)).map(({ pool }) => pool);
  const others = tokens
    .filter((token) => !chain.hubs.includes(token))
    .flatMap((token) => asleep(context, token));
  const pools = [...new Set([...deepest.slice(0, MOST_POOLS), ...others])];
  await wake(context, pools);
  return pools.length;
}

/** Hubs are asked for in pairs of their own, and in the market before anybody else where somebody waits for them. */
async function wakeBetween(context: DiscoveryContext, [a, b]: readonly [Address, Address]): Promise<number> {
  const { chain, known } = context;
  const isOf = (pool: Pool, token: Address) =>
    pool.tokens.includes(token) || (token === chain.wrappedNative && pool.tokens.includes(NATIVE));
  const pools = known
    .ofToken(a === chain.wrappedNative ? b : a)
    .map((id) => known.get(id))
    .filter((pool) => pool !== undefined && isOf(pool, a) && isOf(pool, b));
  await wake(context, pools as Pool[]);
  return pools.length;
}

/** Pools that are known of a token beside those that were asked for by pair, the newest of them. */
function asleep({ known, market }: DiscoveryContext, token: Address): Pool[] {
  const ids = known.ofToken(token).filter((id) => !market.book.pools.has(id));
  return ids
    .slice(-MOST_POOLS)
    .map((id) => known.get(id))
    .filter((pool) => pool !== undefined);
}

function total(balances: readonly [bigint, bigint]): number {
  return Math.sqrt(Number(balances[0]) * Number(balances[1]));
}
