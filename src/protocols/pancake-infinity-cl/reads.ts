import { callData, hasWords, uintAt } from "../../core/abi.ts";
import type { BitmapReads } from "../../core/protocol.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { bitmapOf, type TickSource } from "../shared/concentrated/tick-reads.ts";
import { GET_SLOT0, PAUSED, refusalOf, spacingOf } from "../shared/pool-managers/infinity-key.ts";
import { managedReads, managedState } from "../shared/pool-managers/pool-manager-reads.ts";
import type { State } from "./state.ts";

/** Functions of the manager: getLiquidity(bytes32), getPoolBitmapInfo(bytes32,int16), getPoolTickInfo(bytes32,int24) */
const GET_LIQUIDITY: Hex = "0xfa6793d5";
const GET_POOL_BITMAP_INFO: Hex = "0x7c352ef6";
const GET_POOL_TICK_INFO: Hex = "0x5aa208a4";

function call(pool: Pool, selector: Hex, ...more: readonly number[]): Call {
  return { to: pool.address, data: callData(selector, BigInt(pool.id), ...more) };
}

/** Whether the manager is paused is the last answer before the bitmap. */
function headsOf(pool: Pool): readonly Call[] {
  return [call(pool, GET_SLOT0), call(pool, GET_LIQUIDITY), { to: pool.address, data: PAUSED }];
}

function sourceOf(pool: Pool): TickSource {
  return {
    spacing: spacingOf(pool),
    head: headsOf(pool).length,
    word: (number) => call(pool, GET_POOL_BITMAP_INFO, number),
    tick: (tick) => call(pool, GET_POOL_TICK_INFO, tick),
  };
}

export function bitmap(pool: Pool): BitmapReads | undefined {
  return refusalOf(pool) === undefined ? bitmapOf(sourceOf(pool), headsOf(pool)) : undefined;
}

export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  return refusalOf(pool) === undefined ? managedReads(sourceOf(pool), headsOf(pool), answers) : [];
}

/** The state, or why the pool is refused. */
export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const refusal = refusalOf(pool);
  if (refusal !== undefined) return { refusal };
  const paused = answers[2] ?? "0x";
  if (!hasWords(paused, 1)) return { refusal: "paused failed" };
  if (uintAt(paused, 0) !== 0n) return { refusal: "the manager is paused" };
  const described = { manager: pool.address, dynamic: false, readAt: at.blockNumber };
  return managedState(sourceOf(pool), answers, described);
}
