import { intAt, uintAt } from "../../../core/abi.ts";
import {
  type LiveTickTable,
  type PositionChange,
  withPosition,
} from "../../../core/math/concentrated/tick-table.ts";
import type { Log } from "../../../core/types.ts";

/** The part of a state that v3 logs change, for all designs that kept the layout of these logs. */
type Concentrated = LiveTickTable & {
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
};

/** The state after a Swap log, which carries price, liquidity and tick; "reload" if the price left the known ticks. */
export function afterSwapLog<S extends Concentrated>(state: S, log: Log): S | "reload" {
  const tick = Number(intAt(log.data, 4));
  if (tick < state.lowest || tick >= state.highest) return "reload";
  return { ...state, sqrtPriceX96: uintAt(log.data, 2), liquidity: uintAt(log.data, 3), tick };
}

/**
 * The state after a Mint or Burn log in v3's layout; `liquidity` is negative for a Burn. "reload" as `afterPosition`.
 */
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
 * The state after a position changed by `liquidity`, which is negative for a removal; 0 only collects fees.
 *
 * @returns "reload" if the tick table does not have the position
 */
export function afterPosition<S extends Concentrated>(state: S, position: PositionChange): S | "reload" {
  const { lower, upper, liquidity } = position;
  if (liquidity === 0n) return state;
  const changed = withPosition(state, position);
  if (changed === undefined) return "reload";
  const inRange = lower <= state.tick && state.tick < upper;
  return inRange ? { ...changed, liquidity: state.liquidity + liquidity } : changed;
}
