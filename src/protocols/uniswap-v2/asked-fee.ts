import { hasWords, uintAt } from "../../core/abi.ts";
import type { Address, At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import type { State } from "./quote.ts";

/**
 * Pairs whose fee the owner of the factory may change: one fee of the factory, which DefiSwap's pairs read in every swap, or a
 * fee of each pair, which the factories of ShibaSwap and BiSwap set. No event of the pair is emitted then, so the fee is read
 * again after an hour.
 *
 * @source crypto-com/swap-contracts-core contracts/CroDefiSwapPair.sol swap, CroDefiSwapFactory.sol setTotalFeeBasisPoint;
 *   ShibaSwap's UniswapV2Factory.sol createPair, updatePairFee; biswap-org/core contracts/BiswapPair.sol swap, setSwapFee
 */
const sources = {
  /** totalFeeBasisPoint() of the factory, in units of 1/10,000 */
  factory: { data: "0xe380f728", ppmOfUnit: 100 },
  /** totalFee() of the pair, in units of 1/1,000 */
  pair: { data: "0x1df4ccfc", ppmOfUnit: 1000 },
  /** swapFee() of the pair, in units of 1/1,000 */
  swapFee: { data: "0x54cf2aeb", ppmOfUnit: 1000 },
} as const satisfies Record<string, { readonly data: Hex; readonly ppmOfUnit: number }>;

type Source = keyof typeof sources;

const MILLION = 1_000_000n;
const FRESH_SECONDS = 3600;

export const isSource = (fees: unknown): fees is Source =>
  typeof fees === "string" && Object.hasOwn(sources, fees);

/** The call that returns the fee; none where the fee is a constant of the deployment, or events announce it. */
export function feeCalls({ address, facts: { fees, factory } }: Pool): readonly Call[] {
  if (!isSource(fees)) return [];
  return [{ to: fees === "factory" ? (factory as Address) : address, data: sources[fees].data }];
}

/** The fee in an answer to `feeCalls`, or why the pair is refused. */
export function askedFee(
  source: Source,
  answer: Hex,
  { timestamp }: At,
): Pick<State, "feePpm" | "feeReadAt"> | Refusal {
  if (!hasWords(answer, 1)) return { refusal: "the fee failed" };
  const feePpm = uintAt(answer, 0) * BigInt(sources[source].ppmOfUnit);
  if (feePpm >= MILLION) return { refusal: "a fee is out of range" };
  return { feePpm: Number(feePpm), feeReadAt: timestamp };
}

/** Whether the fee was read so long ago that it must be read again. */
export function isFeeOld({ feeReadAt }: State, { timestamp }: At): boolean {
  return feeReadAt !== undefined && timestamp - feeReadAt > FRESH_SECONDS;
}
