import { intAt, uintAt, wordsAt } from "../../core/abi.ts";
import type { Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { announcedPool, DYNAMIC_FEE_UPDATED, pauses } from "../shared/pool-managers/infinity-key.ts";
import { protocolFees } from "../shared/pool-managers/pool-manager.ts";
import { managedTouches, PROTOCOL_FEE_UPDATED } from "../shared/pool-managers/pool-manager-events.ts";
import { MAX_FEE_PPM } from "./reads.ts";
import { feesOf, type State } from "./state.ts";
import { swapBins } from "./trade.ts";

/** Initialize(bytes32 indexed id, address indexed, address indexed, address hooks, uint24 fee, bytes32 parameters, uint24) */
const INITIALIZE: Hex = "0xddfde5903015c0eb1671976c6c8f760f1328bec57f15286b6bdab2f955cab9c9";
/** Swap(bytes32 indexed id, address indexed, int128 amount0, int128 amount1, uint24 activeId, uint24 fee, uint16) */
const SWAP: Hex = "0x3e8aae37f890eb1f9d63dd4d2062f3f0be757848a0f0760e4f3e53dad556e861";
/** Mint(bytes32 indexed id, address indexed, uint256[] ids, bytes32, bytes32[] amounts, bytes32, bytes32) */
const MINT: Hex = "0x7b6bc49b385af8644341f07a67cd976bf9daf2bdd5d71668e651a3a792e318e1";
/** Donate(bytes32 indexed id, address indexed, int128 amount0, int128 amount1, uint24 binId) */
const DONATE: Hex = "0xfc18146d5586318640b3febea90b094b834f09982812258534a1c07bdda12954";
/**
 * Burn(bytes32 indexed id, address indexed, uint256[] ids, bytes32, bytes32[] amounts). It lacks whether the last provider
 * left a bin, so the pool is read again.
 */
const BURN: Hex = "0x16d40aa4e497175b58e47cbf101544758de8c01d92a760c738943044c758df8a";

const stateTopics: readonly Hex[] = [SWAP, MINT, BURN, DONATE, PROTOCOL_FEE_UPDATED, DYNAMIC_FEE_UPDATED];
export const creations: readonly Hex[] = [INITIALIZE];
export const topics: readonly Hex[] = [...creations, ...stateTopics, ...pauses];

/** Distance in bins from the end of the known window below which the window is read again. */
const MARGIN = 32;

/** The pool that the manager announces. */
export function discover(log: Log, deployment: Deployment): Pool | undefined {
  return announcedPool(log, deployment, { topic: INITIALIZE, words: 4 });
}

export function touches(log: Log): readonly string[] {
  return managedTouches(stateTopics, log);
}

/** The state after a log of the manager; "reload" if the log does not determine it. */
export function apply(state: State, log: Log): State | "reload" {
  // Any contract can emit a log with a pool's id.
  if (log.address !== state.manager) return state;
  switch (log.topics[0]) {
    case SWAP:
      return afterSwapEvent(state, log);
    case MINT:
      return withChanges(state, mintedBins(log.data));
    case DONATE:
      return withChanges(state, [donation(log)]);
    case PROTOCOL_FEE_UPDATED:
      return { ...state, protocolFees: protocolFees(uintAt(log.data, 0)) };
    case DYNAMIC_FEE_UPDATED:
      return afterFeeEvent(state, Number(uintAt(log.data, 0)));
    case BURN:
      return "reload";
    default:
      return state;
  }
}

function afterFeeEvent(state: State, feePpm: number): State | "reload" {
  return feePpm > MAX_FEE_PPM ? "reload" : { ...state, feePpm };
}

/**
 * The state after a Swap log, which has the sums over all bins only. The swap sold what was paid or bought what was
 * received, so it is computed both ways. Of the bins that it emptied both say the same; of the last one the protocol's
 * part of the fee may differ by a unit.
 *
 * @returns "reload" if neither way leads to the log, or both do but to different reserves
 */
function afterSwapEvent(state: State, log: Log): State | "reload" {
  const [delta0, delta1] = [intAt(log.data, 0), intAt(log.data, 1)];
  const [activeId, feePpm] = [Number(uintAt(log.data, 2)), Number(uintAt(log.data, 3))];
  const swapForY = delta0 < 0n;
  const [amountIn, amountOut] = swapForY ? [-delta0, delta1] : [-delta1, delta0];
  if (isNearEnd(state, activeId) || feesOf(state, swapForY).wholePpm !== feePpm) return "reload";
  const [one, other] = [true, false].flatMap((isSale) => {
    const done = swapBins(state, { swapForY, amount: isSale ? amountIn : amountOut, isSale });
    const fits =
      done?.amountIn === amountIn && done.amountOut === amountOut && done.next.activeId === activeId;
    return fits ? [done.next] : [];
  });
  if (one === undefined) return "reload";
  return other === undefined || isSame(one, other, activeId) ? one : "reload";
}

function isNearEnd({ first, xs }: State, id: number): boolean {
  return id - first < MARGIN || first + xs.length - 1 - id < MARGIN;
}

function isSame(one: State, other: State, id: number): boolean {
  const at = id - one.first;
  return one.xs[at] === other.xs[at] && one.ys[at] === other.ys[at];
}

/** Additions to a bin, after which swaps enter it if `isProvided`. */
type Change = {
  readonly id: number;
  readonly x: bigint;
  readonly y: bigint;
  readonly isProvided: boolean;
};

/** Additions of a Mint log, net of the protocol's fee; X is in the low half of a word and Y in the high half. */
function mintedBins(data: Hex): readonly Change[] | undefined {
  const [ids, amounts] = [wordsAt(data, 0), wordsAt(data, 2)];
  if (ids.length === 0 || ids.length !== amounts.length) return undefined;
  return ids.map((index, k) => {
    const packed = uintAt(data, amounts[k]!);
    const id = Number(uintAt(data, index));
    return { id, x: packed & (2n ** 128n - 1n), y: packed >> 128n, isProvided: true };
  });
}

/** A donation is negative in its log, which says what the donor's balance changes by. */
function donation({ data }: Log): Change {
  const id = Number(uintAt(data, 2));
  return { id, x: -intAt(data, 0), y: -intAt(data, 1), isProvided: false };
}

/** Changes the bins of the window; bins outside stay unknown. */
function withChanges(state: State, changes: readonly Change[] | undefined): State | "reload" {
  if (changes === undefined) return "reload";
  const [xs, ys, entered] = [[...state.xs], [...state.ys], [...state.entered]];
  for (const { id, x, y, isProvided } of changes) {
    const at = id - state.first;
    if (xs[at] === undefined || ys[at] === undefined) continue;
    xs[at] += x;
    ys[at] += y;
    entered[at] ||= isProvided;
  }
  return { ...state, xs, ys, entered };
}
