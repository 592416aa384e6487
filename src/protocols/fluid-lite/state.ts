import { word } from "../../core/abi.ts";
import type { Address, Hex } from "../../core/types.ts";
import { bitsOf, type Field } from "../shared/packed-word.ts";

/** One value for each of the pool's two tokens, in the pool's order. */
export type Pair<T> = readonly [T, T];

/**
 * A pool: the four packed words that the contract keeps of it, and the centre price that another contract names.
 *
 * @source Instadapp/fluid-contracts-public contracts/protocols/dexLite/other/variables.sol
 */
export type State = {
  /** The contract that holds all pools. Logs of other contracts do not count. */
  readonly contract: Address;
  /** Fee, centre price, ranges, thresholds, decimals and supplies. */
  readonly variables: bigint;
  /** Of the last swap while the centre price moves, and of how it moves. */
  readonly centerShift: bigint;
  /** The ranges from which they move to those of `variables`, and when. */
  readonly rangeShift: bigint;
  /** As `rangeShift`, of the thresholds. */
  readonly thresholdShift: bigint;
  /** The centre price that another contract names, token1 per token0, 27 decimals; 0 if none is asked. */
  readonly named: bigint;
  /** Block of the read, or of the log that led to this state. */
  readonly readAt: number;
  /**
   * After a swap of the same route, in which the pool is not priced again: two swaps may pay more than one, since fees make
   * the pool deeper, and a centre price that has followed the price is back where it is stored.
   */
  readonly isClosed: boolean;
};

/** @source contracts/libraries/dexLiteSlotsLink.sol */
export const FIELDS = {
  fee: [0, 13],
  revenueCut: [13, 7],
  /** 0 = the centre price does not follow the price; 1 = it may; 2 and 3 = it rises, and falls. */
  status: [20, 2],
  isCenterShifting: [22, 1],
  center: [23, 40],
  /** Number of the contract that names the centre price, among those of its deployer; 0 = none. */
  namer: [63, 19],
  isRangeShifting: [82, 1],
  /** Hundredths of a per cent of the centre price. */
  upper: [83, 14],
  lower: [97, 14],
  isThresholdShifting: [111, 1],
  /** Per cent of the way to the end of a range within which the centre price follows. */
  upperThreshold: [112, 7],
  lowerThreshold: [119, 7],
  decimals0: [126, 5],
  decimals1: [131, 5],
  /** In units of 1e-9 of a token. */
  supply0: [136, 60],
  supply1: [196, 60],
} as const satisfies Record<string, Field>;

/** Fields of the word of the centre price's shift. */
export const SHIFT = {
  /** Unix second of the last swap while the centre price moved. */
  last: [0, 33],
  /** Seconds in which the centre price moves to the end of a range. */
  seconds: [33, 24],
  most: [57, 28],
  least: [85, 28],
  /** A shift to the named price: millionths, in how many seconds, and from when on. */
  share: [113, 20],
  duration: [133, 20],
  start: [153, 33],
  /** The three of a shift to the named price together. */
  named: [113, 73],
} as const satisfies Record<string, Field>;

/** Fields of the words of shifting ranges and thresholds, and the number of bits of each value. */
export const RANGE_SHIFT = { upper: [0, 14], lower: [14, 14], duration: [28, 20], start: [48, 33] } as const;
export const THRESHOLD_SHIFT = { upper: [0, 7], lower: [7, 7], duration: [14, 20], start: [34, 33] } as const;

/** Whether time or another contract changes the pool's prices, beside swaps. */
export function isMoving({ variables }: State): boolean {
  const { status, isCenterShifting, isRangeShifting, isThresholdShifting, namer } = FIELDS;
  const shifts = [isCenterShifting, isRangeShifting, isThresholdShifting, namer];
  return bitsOf(variables, status) > 1n || shifts.some((field) => bitsOf(variables, field) > 0n);
}

/** The 8 bytes of a pool stand first in the word of a key or a log. */
export const ID_SHIFT = 192n;

/** A pool's id: the 8 bytes by which the contract knows it, as a word. */
export function idOf(dexId: bigint): Hex {
  return `0x${word(dexId)}`;
}
