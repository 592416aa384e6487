import { intAt, uintAt } from "../../../core/abi.ts";
import type { Hex, Log } from "../../../core/types.ts";
import { afterPosition, afterSwapLog } from "../concentrated/concentrated-events.ts";
import { type ManagedPool, protocolFees } from "./pool-manager.ts";

/** Logs that Uniswap v4's manager and PancakeSwap Infinity's share, by topic or by layout. */

/** ModifyLiquidity(bytes32 indexed id, address indexed, int24 lower, int24 upper, int256 liquidityDelta, bytes32) */
export const MODIFY_LIQUIDITY: Hex = "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec";
/** ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee) */
export const PROTOCOL_FEE_UPDATED: Hex = "0xe9c42593e71f84403b84352cd168d693e2c9fcd1fdbcc3feb21d92b43e6696f9";

/** The id of the pool that a log of one of `topics` is about: its first indexed word, whoever emitted it. */
export function managedTouches(topics: readonly Hex[], { topics: [topic, id] }: Log): readonly Hex[] {
  return topics.includes(topic!) && id !== undefined ? [id] : [];
}

/**
 * The state after a log of the pool's manager; unchanged after logs of other contracts, any of which can emit a pool's
 * id. "reload" if the price left the known ticks, or an unknown position is removed.
 *
 * @param swap topic of the manager's Swap, whose data begin with both amounts, price, liquidity and tick
 */
export function afterManagerLog<S extends ManagedPool>(state: S, log: Log, swap: Hex): S | "reload" {
  if (log.address !== state.manager) return state;
  switch (log.topics[0]) {
    case swap:
      return afterSwapLog(state, log);
    case MODIFY_LIQUIDITY:
      return afterModifyLiquidity(state, log);
    case PROTOCOL_FEE_UPDATED:
      return { ...state, protocolFees: protocolFees(uintAt(log.data, 0)) };
    default:
      return state;
  }
}

function afterModifyLiquidity<S extends ManagedPool>(state: S, log: Log): S | "reload" {
  const [lower, upper] = [Number(intAt(log.data, 0)), Number(intAt(log.data, 1))];
  return afterPosition(state, { lower, upper, liquidity: intAt(log.data, 2) });
}
