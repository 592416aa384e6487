import { hasWords, uintAt } from "../../core/abi.ts";
import type { Hex, Log, Refusal } from "../../core/types.ts";
import type { State } from "./quote.ts";

/**
 * Camelot's pairs: Uniswap v2 pairs with one fee per token, which the owner may change, and a switch to a stable
 * curve. Volatile pairs use Uniswap's formula with the fee of the token sold. Stable pairs are refused, since the
 * router has no step that computes them.
 *
 * @source CamelotLabs' CamelotPair (deployed on Arbitrum) getReserves, swap, getAmountOut: fees of 100,000
 */

/** FeePercentUpdated(uint16 token0FeePercent, uint16 token1FeePercent) */
const FEE_PERCENT_UPDATED = "0xa4877b8ecb5a00ba277e4bceeeb187a669e7113649774dfbea05c259ce27f17b";
/** SetStableSwap(bool prevStableSwap, bool stableSwap) */
const SET_STABLE_SWAP = "0xb6a86710bde53aa7fb1b3856279e2af5b476d53e2dd0902cf17a0911b5a43a8b";

export const camelotTopics: readonly Hex[] = [FEE_PERCENT_UPDATED, SET_STABLE_SWAP];

/** stableSwap() */
export const STABLE_SWAP: Hex = "0x9e548b7f";

/** Parts per million per fee unit of 1/100,000. */
const PPM_OF_FEE = 10;

function feesAt(data: Hex, first: number): Pick<State, "feePpm" | "feeOneToZeroPpm"> {
  const [zero, one] = [uintAt(data, first), uintAt(data, first + 1)].map((fee) => Number(fee) * PPM_OF_FEE);
  return { feePpm: zero!, feeOneToZeroPpm: one! };
}

/** The pair's fees from the third and fourth word of getReserves, or why it is refused. */
export function camelotFees(reserves: Hex, stableSwap: Hex) {
  if (!hasWords(reserves, 4) || !hasWords(stableSwap, 1)) return refused("getReserves or stableSwap failed");
  if (uintAt(stableSwap, 0) !== 0n) return refused("a stable pair of Camelot");
  const fees = feesAt(reserves, 2);
  const inRange = [fees.feePpm, fees.feeOneToZeroPpm!].every((fee) => fee < 1_000_000);
  return inRange ? fees : refused("a fee is out of range");
}

function refused(refusal: string): Refusal {
  return { refusal };
}

/** The state after one of Camelot's logs. Pairs without such fees ignore logs with these topics. */
export function afterCamelotLog(state: State, log: Log): State | "reload" {
  if (state.feeOneToZeroPpm === undefined) return state;
  if (log.topics[0] !== FEE_PERCENT_UPDATED || !hasWords(log.data, 2)) return "reload";
  return { ...state, ...feesAt(log.data, 0) };
}
