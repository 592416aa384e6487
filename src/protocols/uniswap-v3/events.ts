import { addressAt, hasWords, intAt, uintAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, At, Deployment, Facts, Hex, Log, Pool } from "../../core/types.ts";
import { afterPositionLog, afterSwapLog } from "../concentrated-events.ts";
import {
  bySpacing,
  changesFee,
  discoverBySpacing,
  feeTopics,
  POOL_CREATED_BY_SPACING,
} from "./slipstream.ts";
import { type State, withObservation, withSlots } from "./state.ts";

/** PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool) */
const POOL_CREATED = "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118";
/** Initialize(uint160 sqrtPriceX96, int24 tick) */
const INITIALIZE = "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95";
/** Swap(address indexed, address indexed, int256, int256, uint160 sqrtPriceX96, uint128 liquidity, int24 tick) */
const SWAP = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67";
/** PancakeSwap v3's Swap: the same words, followed by the protocol fees of both tokens */
const SWAP_WITH_FEES = "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83";
/** Mint(address, address indexed, int24 indexed lower, int24 indexed upper, uint128 amount, uint256, uint256) */
const MINT = "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde";
/** Burn(address indexed, int24 indexed lower, int24 indexed upper, uint128 amount, uint256, uint256) */
const BURN = "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c";

/** IncreaseObservationCardinalityNext(uint16 old, uint16 new) */
const ENLARGE = "0xac49e518f90a358f652e4400164f05a5d8f7e35e7747279bc3a93dbf584e125a";

const stateTopics: readonly Hex[] = [INITIALIZE, SWAP, SWAP_WITH_FEES, MINT, BURN, ENLARGE];
export const creations: readonly Hex[] = [POOL_CREATED, POOL_CREATED_BY_SPACING];
export const topics: readonly Hex[] = [...creations, ...stateTopics, ...feeTopics];

/** The pool that the factory announces. */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  if (log.topics[0] === POOL_CREATED_BY_SPACING) return discoverBySpacing(log, deployment);
  if (log.topics[0] !== POOL_CREATED || log.address !== deployment.factory) return undefined;
  if (log.topics.length !== 4 || !hasWords(log.data, 2)) return undefined;
  const tokens = [addressAt(log.topics[1]!, 0), addressAt(log.topics[2]!, 0)] as const;
  const facts = { feePpm: Number(uintAt(log.topics[3]!, 0)), tickSpacing: Number(intAt(log.data, 0)) };
  return poolOf(deployment, tokens, { address: addressAt(log.data, 1), facts });
}

type Created = { readonly address: Address; readonly facts: Facts };

function poolOf(
  deployment: Deployment,
  tokens: readonly [Address, Address],
  { address, facts }: Created,
): Pool {
  return {
    ...{ id: address, address, protocol: "uniswap-v3", deployment: deployment.id },
    ...{ tokens, stateIds: [address], facts },
  };
}

/** getPool(address,address,uint24) */
const GET_POOL: Hex = "0x1698ee82";

/** Tick spacing by fee in ppm: Uniswap's four fees, and PancakeSwap's 0.25 %. */
const SPACING_OF_FEE = new Map([
  [100, 1],
  [500, 10],
  [2_500, 50],
  [3_000, 60],
  [10_000, 200],
]);

/** Pools of the usual fees; the record of a factory that identifies pools by spacing has the fact `keys`. */
export function byPair(deployment: Deployment): PairSource {
  if (deployment.facts.keys === "tickSpacing") return bySpacing(deployment);
  return {
    target: deployment.factory,
    selector: GET_POOL,
    hashed: false,
    numbered: false,
    word: 0,
    details: () => [],
    keys: [...SPACING_OF_FEE.keys()],
    poolOf: (tokens, named, feePpm = 0) => {
      const facts = { feePpm, tickSpacing: SPACING_OF_FEE.get(feePpm) as number };
      return poolOf(deployment, tokens, { address: addressAt(named, 0), facts });
    },
  };
}

export function touches(log: Log): readonly string[] {
  if (feeTopics.includes(log.topics[0]!)) return log.topics[1] ? [addressAt(log.topics[1], 0)] : [];
  return stateTopics.includes(log.topics[0]!) ? [log.address] : [];
}

/** The state after a log; "reload" if the price left the known ticks, or an unknown position is removed. */
export function apply(state: State, log: Log, at: At): State | "reload" {
  switch (log.topics[0]) {
    case INITIALIZE:
      if (state.fees?.moving !== undefined) return "reload";
      return { ...state, sqrtPriceX96: uintAt(log.data, 0), tick: Number(intAt(log.data, 1)) };
    case SWAP:
    case SWAP_WITH_FEES:
      return withObservation(state, afterSwapLog(state, log), at);
    case MINT:
      return withObservation(state, afterPositionLog(state, log, uintAt(log.data, 1)), at);
    case BURN:
      return withObservation(state, afterPositionLog(state, log, -uintAt(log.data, 0)), at);
    case ENLARGE:
      return withSlots(state, Number(uintAt(log.data, 1)));
    default:
      return changesFee(state, log) ? "reload" : state;
  }
}
