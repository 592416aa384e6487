import { hasWords, uintAt } from "../../core/abi.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import type { State } from "./quote.ts";

/**
 * Pairs that ask their factory for the fee in every swap (DefiSwap). Its owner may change it without a log of the pair, so
 * that it is asked again after an hour.
 *
 * @source crypto-com/swap-contracts-core contracts/CroDefiSwapPair.sol swap, CroDefiSwapFactory.sol setTotalFeeBasisPoint
 */

/** totalFeeBasisPoint() of the factory, in units of 1/10,000 */
const TOTAL_FEE: Hex = "0xe380f728";
const PPM_OF_BASIS_POINT = 100;
const MOST_BASIS_POINTS = 10_000n;
const FRESH_SECONDS = 3600;

export const asksFactory = ({ facts }: Pool): boolean => facts.fees === "factory";

export function factoryFeeCall({ facts }: Pool): Call {
  return { to: facts.factory as Address, data: TOTAL_FEE };
}

/** The fee of the factory's answer, or why the pair is refused. */
export function factoryFee(answer: Hex, { timestamp }: At): Pick<State, "feePpm" | "feeReadAt"> | Refusal {
  if (!hasWords(answer, 1)) return { refusal: "the factory's fee failed" };
  const basisPoints = uintAt(answer, 0);
  if (basisPoints >= MOST_BASIS_POINTS) return { refusal: "a fee is out of range" };
  return { feePpm: Number(basisPoints) * PPM_OF_BASIS_POINT, feeReadAt: timestamp };
}

/** Whether the fee must be asked again. */
export function isFeeOld({ feeReadAt }: State, { timestamp }: At): boolean {
  return feeReadAt !== undefined && timestamp - feeReadAt > FRESH_SECONDS;
}
