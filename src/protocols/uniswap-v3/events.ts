import { addressAt, intAt, uintAt } from "../../core/abi.ts";
import type { At, Hex, Log } from "../../core/types.ts";
import { afterPositionLog, afterSwapLog } from "../shared/concentrated/concentrated-events.ts";
import { creations } from "./discovery.ts";
import { changesFee, feeTopics } from "./slipstream.ts";
import { type State, withObservation, withSlots } from "./state.ts";

/** Initialize(uint160 sqrtPriceX96, int24 tick) */
const INITIALIZE = "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95";
/** Swap(address indexed, address indexed, int256, int256, uint160 sqrtPriceX96, uint128 liquidity, int24 tick) */
const SWAP = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67";
/** PancakeSwap v3's Swap: the same words, followed by the protocol fees of both tokens */
const SWAP_WITH_FEES = "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83";
/** Mint(address, address indexed, int24 indexed lower, int24 indexed upper, uint128 amount, uint256, uint256) */
const MINT = "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde";
/** Ramses' Mint: the position's index follows the owner, so that the amount is the third word, not the second */
const MINT_WITH_INDEX = "0xd78218c0d304e8893cb3200abe394bbc8d5b7804d9c51f236df9fdcf481d02d3";
/** Burn(address indexed, int24 indexed lower, int24 indexed upper, uint128 amount, uint256, uint256) */
const BURN = "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c";

/** IncreaseObservationCardinalityNext(uint16 old, uint16 new) */
const ENLARGE = "0xac49e518f90a358f652e4400164f05a5d8f7e35e7747279bc3a93dbf584e125a";

/** Ramses' FeeAdjustment(uint24 old, uint24 new) */
const FEE_ADJUSTMENT = "0x0cba87189055d3b5ab05c96fbd641bc766576c9e7cf0d195bdfb58a0c6a6df24";

const stateTopics: readonly Hex[] = [
  INITIALIZE,
  SWAP,
  SWAP_WITH_FEES,
  MINT,
  MINT_WITH_INDEX,
  BURN,
  ENLARGE,
  FEE_ADJUSTMENT,
];
export const topics: readonly Hex[] = [...creations, ...stateTopics, ...feeTopics];

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
    case MINT_WITH_INDEX:
      return afterPositionLog(state, log, uintAt(log.data, 2));
    case BURN:
      return withObservation(state, afterPositionLog(state, log, -uintAt(log.data, 0)), at);
    case ENLARGE:
      return withSlots(state, Number(uintAt(log.data, 1)));
    case FEE_ADJUSTMENT:
      return withFee(state, uintAt(log.data, 1));
    default:
      return changesFee(state, log) ? "reload" : state;
  }
}

/** A fee that takes everything is read, and refused there. */
const withFee = (state: State, feePpm: bigint): State | "reload" =>
  feePpm < 1_000_000n ? { ...state, feePpm: Number(feePpm) } : "reload";
