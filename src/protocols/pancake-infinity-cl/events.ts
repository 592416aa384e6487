import { uintAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Deployment, Hex, Log, Pool } from "../../core/types.ts";
import {
  announcedPool,
  DYNAMIC_FEE_UPDATED,
  keyedPairs,
  pauses,
} from "../shared/pool-managers/infinity-key.ts";
import {
  afterManagerLog,
  MODIFY_LIQUIDITY,
  managedTouches,
  PROTOCOL_FEE_UPDATED,
} from "../shared/pool-managers/pool-manager-events.ts";
import type { State } from "./state.ts";

/**
 * Initialize(bytes32 indexed id, address indexed, address indexed, address hooks, uint24 fee, bytes32 parameters,
 * uint160, int24)
 */
const INITIALIZE: Hex = "0x426cc62fe6a33a40ba2788c2c87a9c34ee4582b95bc9fa5a7bb7ae70b750b99c";
/**
 * Swap(bytes32 indexed id, address indexed, int128, int128, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24,
 * uint16)
 */
const SWAP: Hex = "0x04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237";

const stateTopics: readonly Hex[] = [SWAP, MODIFY_LIQUIDITY, PROTOCOL_FEE_UPDATED, DYNAMIC_FEE_UPDATED];
export const creations: readonly Hex[] = [INITIALIZE];
export const topics: readonly Hex[] = [...creations, ...stateTopics, ...pauses];

/** The pool that the manager announces. */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  return announcedPool(log, deployment, { topic: INITIALIZE, words: 5 });
}

/** Fees in parts per million and tick spacings of pools that common interfaces create: those of PancakeSwap v3. */
const USUAL_KEYS = [
  [100, 1],
  [500, 10],
  [2_500, 50],
  [10_000, 200],
] as const;

/** Queries pools without hooks and with the usual fees. */
export function byPair(deployment: Deployment): PairSource {
  return keyedPairs(deployment, USUAL_KEYS);
}

export function touches(log: Log): readonly string[] {
  return managedTouches(stateTopics, log);
}

/** The state after a log; "reload" as `afterManagerLog`. */
export function apply(state: State, log: Log): State | "reload" {
  if (log.topics[0] === DYNAMIC_FEE_UPDATED && log.address === state.manager)
    return { ...state, feePpm: Number(uintAt(log.data, 0)) };
  return afterManagerLog(state, log, SWAP);
}
