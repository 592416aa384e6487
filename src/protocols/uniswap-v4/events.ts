import { addressAt, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { tokenOf } from "../shared/pool-managers/pool-manager.ts";
import {
  afterManagerLog,
  MODIFY_LIQUIDITY,
  managedTouches,
  PROTOCOL_FEE_UPDATED,
} from "../shared/pool-managers/pool-manager-events.ts";
import { hookFacts } from "./hooks/family.ts";
import type { State } from "./state.ts";

/** Initialize(bytes32 indexed id, address indexed, address indexed, uint24 fee, int24 spacing, address hooks, uint160, int24) */
const INITIALIZE = "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438";
/** Swap(bytes32 indexed id, address indexed, int128, int128, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24) */
const SWAP = "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f";

const stateTopics: readonly Hex[] = [SWAP, MODIFY_LIQUIDITY, PROTOCOL_FEE_UPDATED];
export const creations: readonly Hex[] = [INITIALIZE];
export const topics: readonly Hex[] = [...creations, ...stateTopics];

/** getSlot0(bytes32) of StateView */
export const GET_SLOT0: Hex = "0xc815641c";

const ZERO = "0x0000000000000000000000000000000000000000";

/** @throws Error if the deployment names no StateView, without which nothing can be read */
function viewOf({ id, facts }: Deployment): Address {
  const { stateView } = facts;
  if (typeof stateView !== "string" || !/^0x[0-9a-f]{40}$/.test(stateView))
    throw new Error(`deployment ${id}: stateView must be an address in lower case, not ${stateView}`);
  return stateView as Address;
}

/** The pool that the manager announces. Its id is the PoolId; its address is the manager's. */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] !== INITIALIZE || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 4 || !hasWords(log.data, 5)) return undefined;
  const tokens = [addressAt(log.topics[2]!, 0), addressAt(log.topics[3]!, 0)] as const;
  const fee = Number(uintAt(log.data, 0));
  const tickSpacing = Number(intAt(log.data, 1));
  return poolOf(deployment, tokens, { id: log.topics[1]!, fee, tickSpacing, hooks: addressAt(log.data, 2) });
}

type Key = { readonly id: Hex; readonly fee: number; readonly tickSpacing: number; readonly hooks: Address };

function poolOf(deployment: Deployment, tokens: readonly [Address, Address], { id, ...key }: Key): Pool {
  return {
    id,
    address: deployment.factory,
    protocol: "uniswap-v4",
    deployment: deployment.id,
    tokens: tokens.map(tokenOf),
    stateIds: [id],
    facts: { ...key, ...hookFacts(key.hooks, deployment), stateView: viewOf(deployment) },
  };
}

/** Fees in parts per million and tick spacings of pools that common interfaces create. */
const USUAL_KEYS = [
  [100, 1],
  [500, 10],
  [3_000, 60],
  [10_000, 200],
] as const;

/** Queries pools without hooks and with the usual fees. */
export function byPair(deployment: Deployment): PairSource {
  return {
    target: viewOf(deployment),
    selector: GET_SLOT0,
    hashed: true,
    numbered: false,
    word: 0,
    details: () => [],
    keys: USUAL_KEYS.map(([fee, tickSpacing]) => fee * 2 ** 24 + tickSpacing),
    poolOf: (tokens, id, key = 0) => {
      const [fee, tickSpacing] = [Math.floor(key / 2 ** 24), key % 2 ** 24];
      return poolOf(deployment, tokens, { id, fee, tickSpacing, hooks: ZERO });
    },
  };
}

export function touches(log: Log): readonly string[] {
  return managedTouches(stateTopics, log);
}

/**
 * The state after a log; "reload" as `afterManagerLog`, and if a hook trades with the pool before each swap: what it
 * will trade is in no log.
 */
export function apply(state: State, log: Log): State | "reload" {
  const next = afterManagerLog(state, log, SWAP);
  return state.rule?.moves === "before" && log.address === state.manager ? "reload" : next;
}
