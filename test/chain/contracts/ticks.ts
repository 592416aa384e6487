import type { Hex } from "../../../src/core/types.ts";
import { words } from "../model/hash.ts";
import type { TickState } from "../model/states.ts";

/** What a pool with ticks says of itself, v3 and v4 alike. */

const bitmaps = new WeakMap<readonly number[], Map<number, bigint>>();

/** The bitmap's words that are not zero, by number. */
export function bitmapOf({ ticks, tickSpacing }: TickState): ReadonlyMap<number, bigint> {
  const kept = bitmaps.get(ticks);
  if (kept !== undefined) return kept;
  const map = new Map<number, bigint>();
  for (const tick of ticks) {
    const at = tick / tickSpacing;
    const number = at >> 8;
    map.set(number, (map.get(number) ?? 0n) | (1n << BigInt(at & 255)));
  }
  bitmaps.set(ticks, map);
  return map;
}

/** Gross and net liquidity of a tick; zeros where it is not initialised. */
export function tickAt(state: TickState, tick: number): readonly [gross: bigint, net: bigint] {
  const at = state.ticks.indexOf(tick);
  return at < 0 ? [0n, 0n] : [state.grosses[at]!, state.nets[at]!];
}

/** The answer of `ticks(int24)`; growth outside is not modelled. */
export function ticksAnswer(state: TickState, tick: number): Hex {
  const [gross, net] = tickAt(state, tick);
  return words(gross, net, 0n, 0n, 0n, 0n, 0n, gross > 0n ? 1n : 0n);
}

/** The answer of `slot0()`: an oracle of one observation, no fee of the protocol. */
export function slot0Answer({ sqrtPriceX96, tick }: TickState): Hex {
  const isThere = sqrtPriceX96 > 0n ? 1n : 0n;
  return words(sqrtPriceX96, tick, 0n, isThere, isThere, 0n, isThere);
}
