import { callData, hasWords, uintAt } from "../../../core/abi.ts";
import { type Call, type Hex, NATIVE, type Pool } from "../../../core/types.ts";
import type { PairPool } from "../../lens/named.ts";
import type { DiscoveryContext } from "../types.ts";
import { depthOf } from "./depth.ts";
import { headOf, wake } from "./wake.ts";

/** Most pools in the market for their depth; those that callers ask for are not counted. */
const MOST_AWAKE = 20_000;

const BALANCE_OF: Hex = "0x70a08231";

/**
 * Brings pools into the market that hold at least `wakeDepth` of a token that has a price there. The balance is read
 * from the token's contract, whatever the design. Pools of singletons hold no tokens in their own contract, so they
 * stay out of the market until a caller asks for them.
 *
 * @throws NodeFailure
 */
export async function wakeDeep(context: DiscoveryContext, pools: readonly Pool[]): Promise<void> {
  const depths = await depthsOf(
    context,
    pools.filter(({ id }) => context.awake.get(id) !== "deep"),
  );
  await wakeBounded(
    context,
    depths.filter(({ depth }) => depth >= context.wakeDepth).map(({ pool }) => pool),
  );
}

type Depth = { readonly pool: Pool; readonly depth: number };

/**
 * Depths of pools: the balance of their first token with a price, in wei of the native coin. Pools whose depth is
 * unknown are left out.
 */
export async function depthsOf(context: DiscoveryContext, pools: readonly Pool[]): Promise<Depth[]> {
  const { market, quietLens, reader } = context;
  const { nativePer } = market.port;
  const asked = pools.flatMap((pool) => {
    const token = pool.tokens.find((one) => one !== NATIVE && nativePer(one) !== undefined);
    return token === undefined || pool.id !== pool.address ? [] : [{ pool, token }];
  });
  if (asked.length === 0) return [];
  const calls = asked.map(
    ({ pool, token }): Call => ({ to: token, data: callData(BALANCE_OF, BigInt(pool.address)) }),
  );
  const read = quietLens.isUsable() ? quietLens.read : reader.read;
  const answers = await read(calls, headOf(context));
  return asked.flatMap(({ pool, token }, k) => {
    const answer = answers[k] as Hex;
    const price = nativePer(token);
    if (!hasWords(answer, 1) || price === undefined) return [];
    return [{ pool, depth: Number(uintAt(answer, 0)) * price }];
  });
}

/**
 * Brings pools with known balances and a depth of at least `wakeDepth` into the market, the deepest first.
 *
 * @throws NodeFailure
 */
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
  const room = Math.max(0, MOST_AWAKE - context.awake.count("deep"));
  const quiet = context.quietLens.isUsable() ? { ...context, lens: context.quietLens } : context;
  await wake(quiet, pools.slice(0, room), { why: "deep" });
}
