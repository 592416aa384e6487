import { callData } from "../../core/abi.ts";
import type { BitmapReads } from "../../core/protocol.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { bitmapOf, type TickSource } from "../shared/concentrated/tick-reads.ts";
import { DYNAMIC_FEE } from "../shared/pool-managers/pool-manager.ts";
import { managedReads, managedState } from "../shared/pool-managers/pool-manager-reads.ts";
import { GET_SLOT0 } from "./events.ts";
import { families } from "./hooks/families.ts";
import type { HookFamily } from "./hooks/family.ts";
import type { HookRule } from "./hooks/rule.ts";
import type { State } from "./state.ts";

/** Functions of StateView: getLiquidity(bytes32), getTickBitmap(bytes32,int16), getTickLiquidity(bytes32,int24) */
const GET_LIQUIDITY: Hex = "0xfa6793d5";
const GET_TICK_BITMAP: Hex = "0x1c7ccb4c";
const GET_TICK_LIQUIDITY: Hex = "0xcaedab54";

/** Number of answers before the bitmap words: slot0 and liquidity. */
const HEAD = 2;

/** Permission bits in a hook's address for calls around a swap, with or without changes of amounts. */
const SWAP_HOOKS = 0b1100_1100n;

type Facts = {
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
  /** Name under which the deployment lists the hook; "" if it does not. */
  readonly family: string;
  readonly stateView: Address;
};

const factsOf = (pool: Pool) => pool.facts as Facts;

/** Whether a hook is called around swaps, so that one may deviate from the pool's ticks. */
export function isHooked(hooks: Address): boolean {
  return (BigInt(hooks) & SWAP_HOOKS) !== 0n;
}

/** The answers of the hook's family, and the calls that it still needs. */
type HookReading = { readonly calls: readonly Call[]; readonly answers: readonly Hex[] };

/** The family's reads come first, in as many rounds as it needs; a pool without such a hook has none. */
function hookReading(pool: Pool, family: HookFamily | undefined, answers: readonly Hex[]): HookReading {
  let count = 0;
  for (;;) {
    const own = answers.slice(0, count);
    const calls = family?.reads(pool, own) ?? [];
    if (calls.length === 0 || count + calls.length > answers.length) return { calls, answers: own };
    count += calls.length;
  }
}

function call(pool: Pool, selector: Hex, ...more: readonly number[]): Call {
  return { to: factsOf(pool).stateView, data: callData(selector, BigInt(pool.id), ...more) };
}

function sourceOf(pool: Pool): TickSource {
  return {
    spacing: factsOf(pool).tickSpacing,
    head: HEAD,
    word: (number) => call(pool, GET_TICK_BITMAP, number),
    tick: (tick) => call(pool, GET_TICK_LIQUIDITY, tick),
  };
}

function headsOf(pool: Pool): readonly Call[] {
  return [call(pool, GET_SLOT0), call(pool, GET_LIQUIDITY)];
}

export function bitmap(pool: Pool): BitmapReads | undefined {
  if (isHooked(factsOf(pool).hooks)) return undefined;
  return bitmapOf(sourceOf(pool), headsOf(pool));
}

export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (!isHooked(factsOf(pool).hooks)) return managedReads(sourceOf(pool), headsOf(pool), answers);
  const family = families.get(factsOf(pool).family);
  if (family === undefined) return [];
  const hook = hookReading(pool, family, answers);
  if (hook.calls.length > 0) return hook.calls;
  return managedReads(sourceOf(pool), headsOf(pool), answers.slice(hook.answers.length));
}

/** The state, or why the pool is refused. */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const facts = factsOf(pool);
  const isDynamic = facts.fee === DYNAMIC_FEE;
  if (!isHooked(facts.hooks)) return stateOf(pool, answers, at, { rule: null, ages: isDynamic });
  const family = families.get(facts.family);
  if (family === undefined) return { refusal: "a hook that is not listed may change what a swap pays" };
  const hook = hookReading(pool, family, answers);
  const found = family.load(pool, hook.answers, at);
  if ("refusal" in found) return found;
  const ages = found.ages || (isDynamic && found.rule.fees === null);
  const state = stateOf(pool, answers.slice(hook.answers.length), at, { rule: found.rule, ages });
  return found.prepare === undefined || "refusal" in state ? state : found.prepare(state);
}

function stateOf(
  pool: Pool,
  answers: readonly Hex[],
  at: At,
  { rule, ages }: { readonly rule: HookRule | null; readonly ages: boolean },
): State | Refusal {
  const described = { manager: pool.address, dynamic: ages, readAt: at.blockNumber };
  const state = managedState(sourceOf(pool), answers, described);
  if ("refusal" in state) return state;
  // A hook that sets the fee before each swap leaves that of the last one behind, which means nothing.
  return { ...state, feePpm: rule?.fees ? 0 : state.feePpm, rule, spent: false };
}
