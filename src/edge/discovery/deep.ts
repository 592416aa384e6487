import { callData, hasWords, uintAt } from "../../core/abi.ts";
import { type Address, type Call, type Hex, NATIVE, type Pool } from "../../core/types.ts";
import type { PairPool } from "../lens/pairs.ts";
import { depthOf } from "./depth.ts";
import type { DiscoveryContext } from "./types.ts";
import { headOf, wake } from "./wake.ts";

/** Pools that may be in the market by their depth alone; those that somebody asks for come on top. */
const MOST_AWAKE = 20_000;

const BALANCE_OF: Hex = "0x70a08231";

/**
 * Brings those pools into the market that hold enough of a token that has a price there. What a pool holds is asked of the
 * token's contract, whatever the design; pools of singletons hold nothing by themselves and sleep until they are asked for.
 *
 * @throws NodeFailure
 */
export async function wakeDeep(context: DiscoveryContext, pools: readonly Pool[]): Promise<void> {
  const { market, quietLens, reader } = context;
  const { nativePer } = market.port;
  const asked = pools.flatMap((pool) => {
    const token = pool.tokens.find((one) => one !== NATIVE && nativePer(one) !== undefined);
    const isHolder = pool.id === pool.address && !market.book.pools.has(pool.id);
    return token === undefined || !isHolder ? [] : [{ pool, token }];
  });
  if (asked.length === 0) return;
  const calls = asked.map(
    ({ pool, token }): Call => ({ to: token, data: callData(BALANCE_OF, BigInt(pool.address)) }),
  );
  const read = quietLens.isUsable() ? quietLens.read : reader.read;
  const answers = await read(calls, headOf(context));
  const isDeep = (token: Address, answer: Hex) =>
    hasWords(answer, 1) && Number(uintAt(answer, 0)) * (nativePer(token) ?? 0) >= context.wakeDepth;
  const deep = asked.filter(({ token }, k) => isDeep(token, answers[k] as Hex));
  await wakeBounded(
    context,
    deep.map(({ pool }) => pool),
  );
}

/** The same of pools whose balances are known, the deepest first. @throws NodeFailure */
export async function wakeDeepOf(context: DiscoveryContext, pools: readonly PairPool[]): Promise<void> {
  const { nativePer } = context.market.port;
  const deep = pools
    .map((one) => ({ pool: one.pool, depth: depthOf(one, nativePer) ?? 0 }))
    .filter(({ depth }) => depth >= context.wakeDepth)
    .sort((a, b) => b.depth - a.depth);
  await wakeBounded(
    context,
    deep.map(({ pool }) => pool),
  );
}

async function wakeBounded(context: DiscoveryContext, pools: readonly Pool[]): Promise<void> {
  const room = Math.max(0, MOST_AWAKE - context.market.book.pools.size);
  const quiet = context.quietLens.isUsable() ? { ...context, lens: context.quietLens } : context;
  await wake(quiet, pools.slice(0, room));
}
