import { intAt, uintAt } from "../core/abi.ts";
import {
  type LiveTickTable,
  type PositionChange,
  withPosition,
} from "../core/math/concentrated/tick-table.ts";
import type { Log } from "../core/types.ts";

/** What v3's logs change of a pool, in every design that kept their words. */
type Concentrated = LiveTickTable & {
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
};

/** Price, liquidity and tick as a Swap log states them; "reload" where the price left the known ticks. */
export function afterSwapLog<S extends Concentrated>(state: S, log: Log): S | "reload" {
  const tick = Number(intAt(log.data, 4));
  if (tick < state.lowest || tick >= state.highest) return "reload";
  return { ...state, sqrtPriceX96: uintAt(log.data, 2), liquidity: uintAt(log.data, 3), tick };
}

/** The position of a Mint or Burn log of v3's words, grown by `liquidity`; "reload" as `afterPosition`. */
export function afterPositionLog<S extends Concentrated>(
  state: S,
  log: Log,
  liquidity: bigint,
): S | "reload" {
  const lower = Number(intAt(log.topics[2]!, 0));
  const upper = Number(intAt(log.topics[3]!, 0));
  return afterPosition(state, { lower, upper, liquidity });
}

/**
 * A position grown by its `liquidity`, or shrunk where that is below zero; a change of nothing only collects fees.
 *
 * @returns "reload" where the table does not know the position
 */
export function afterPosition<S extends Concentrated>(state: S, position: PositionChange): S | "reload" {
  const { lower, upper, liquidity } = position;
  if (liquidity === 0n) return state;
  const changed = withPosition(state, position);
  if (changed === undefined) return "reload";
  const inRange = lower <= state.tick && state.tick < upper;
  return inRange ? { ...changed, liquidity: state.liquidity + liquidity } : changed;
}
