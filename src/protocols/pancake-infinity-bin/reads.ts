import { callData, hasWords, uintAt } from "../../core/abi.ts";
import { binPrice } from "../../core/math/bins/bin-math.ts";
import type { Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { GET_SLOT0, PAUSED, refusalOf, spacingOf } from "../shared/pool-managers/infinity-key.ts";
import { protocolFees } from "../shared/pool-managers/pool-manager.ts";
import type { State } from "./state.ts";

/** getBin(bytes32,uint24) → reserve of X, reserve of Y, liquidity, shares */
const GET_BIN: Hex = "0x4580c3c5";
/** Number of words needed of a bin's answer. */
const BIN_WORDS = 4;

/**
 * Number of bins read on each side of the active one: at a step of 20 basis points, a price factor of 1.67 in each
 * direction.
 */
const REACH = 256;
const WINDOW = 2 * REACH + 1;

/** Number of answers before the bins: getSlot0 and paused. */
const HEAD = 2;

/**
 * Shares of a bin that no provider ever gets back. The contract passes over a bin that has no more than these.
 *
 * @source pancakeswap/infinity-core src/pool-bin/libraries/BinPool.sol MINIMUM_SHARE
 */
const LOCKED_SHARES = 1000n;

/** Largest fee of providers that the manager accepts, in parts per million. */
export const MAX_FEE_PPM = 100_000;

/** Reads the head, then the bins around the active one. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (refusalOf(pool) !== undefined) return [];
  const [to, id] = [pool.address, BigInt(pool.id)];
  if (answers.length === 0)
    return [
      { to, data: callData(GET_SLOT0, id) },
      { to, data: PAUSED },
    ];
  const [slot0 = "0x"] = answers;
  if (answers.length !== HEAD || !hasWords(slot0, 3)) return [];
  const first = Number(uintAt(slot0, 0)) - REACH;
  return Array.from({ length: WINDOW }, (_, k) => ({ to, data: callData(GET_BIN, id, first + k) }));
}

/** The state, or why the pool is refused. */
export function load(pool: Pool, answers: readonly Hex[]): State | Refusal {
  const refusal = refusalOf(pool) ?? complaintOf(answers);
  if (refusal !== undefined) return { refusal };
  const [slot0 = "0x", , ...bins] = answers;
  const activeId = Number(uintAt(slot0, 0));
  const [first, feePpm] = [activeId - REACH, Number(uintAt(slot0, 2))];
  const shape = { binStep: spacingOf(pool) };
  if (feePpm > MAX_FEE_PPM) return { refusal: "the fee is above the manager's limit" };
  // Below this price a bin may be in use with no more than the locked shares.
  if ((binPrice(first, shape.binStep) ?? 0n) <= LOCKED_SHARES) return { refusal: "the price is too low" };
  return {
    manager: pool.address,
    shape,
    feePpm,
    protocolFees: protocolFees(uintAt(slot0, 1)),
    activeId,
    first,
    xs: bins.map((answer) => uintAt(answer, 0)),
    ys: bins.map((answer) => uintAt(answer, 1)),
    entered: bins.map((answer) => uintAt(answer, 3) > LOCKED_SHARES),
  };
}

function complaintOf([slot0 = "0x", paused = "0x", ...bins]: readonly Hex[]): string | undefined {
  if (!hasWords(slot0, 3) || !hasWords(paused, 1)) return "getSlot0 or paused failed";
  if (uintAt(paused, 0) !== 0n) return "the manager is paused";
  const isWhole = bins.length === WINDOW && bins.every((answer) => hasWords(answer, BIN_WORDS));
  return isWhole ? undefined : "getBin failed";
}
