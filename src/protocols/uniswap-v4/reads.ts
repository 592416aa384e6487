import { callData } from "../../core/abi.ts";
import type { BitmapReads } from "../../core/protocol.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { DYNAMIC_FEE } from "../pool-manager.ts";
import { managedReads, managedState } from "../pool-manager-reads.ts";
import { bitmapOf, type TickSource } from "../tick-reads.ts";
import { GET_SLOT0 } from "./events.ts";
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
  readonly listed: boolean;
  readonly stateView: Address;
};

const factsOf = (pool: Pool) => pool.facts as Facts;

/** Whether hooks may make a swap deviate from the pool's ticks. */
function isHooked({ hooks, listed }: Facts): boolean {
  return !listed && (BigInt(hooks) & SWAP_HOOKS) !== 0n;
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
  if (isHooked(factsOf(pool))) return undefined;
  return bitmapOf(sourceOf(pool), headsOf(pool));
}

export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  return isHooked(factsOf(pool)) ? [] : managedReads(sourceOf(pool), headsOf(pool), answers);
}

/** The state, or why the pool is refused. */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const facts = factsOf(pool);
  if (isHooked(facts)) return { refusal: "a hook that is not listed may change what a swap pays" };
  const dynamic = facts.fee === DYNAMIC_FEE;
  return managedState(sourceOf(pool), answers, { manager: pool.address, dynamic, readAt: at.blockNumber });
}
