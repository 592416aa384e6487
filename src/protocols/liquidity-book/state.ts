import { binPrice } from "../../core/math/concentrated/bin-math.ts";

/** What the pair's owner sets; basis points, seconds, and volatility in basis points of a bin. */
export type FeeParameters = {
  readonly binStep: number;
  readonly baseFactor: number;
  readonly filterPeriod: number;
  readonly decayPeriod: number;
  readonly reductionFactor: number;
  readonly variableFeeControl: number;
  readonly protocolShare: number;
  readonly maxVolatility: number;
};

/** What swaps leave behind for the fee of the next one. */
export type Volatility = {
  readonly accumulator: number;
  readonly reference: number;
  readonly idReference: number;
  /** Unix time in seconds of the last swap. */
  readonly time: number;
};

/** A pair with the bins of a window; the arrays are never changed in place. */
export type State = {
  /** Whether fees stay in the bin (v2.1, v2.2) or beside it (v2.0). */
  readonly feesInBin: boolean;
  /** The same object as long as the owner changes nothing. */
  readonly parameters: FeeParameters;
  readonly volatility: Volatility;
  readonly activeId: number;
  /** Id of the first bin of the window; nothing is known outside of it. */
  readonly first: number;
  /** Smallest units, one for each bin of the window. */
  readonly xs: readonly bigint[];
  readonly ys: readonly bigint[];
};

/** Gas units through the router; the only figures of this folder. */
const SWAP_GAS = 112_000;
const BIN_GAS = 28_500;

/** Gas units of a fill that empties so many bins. */
export function gasOf(emptied: number): number {
  return SWAP_GAS + BIN_GAS * emptied;
}

/**
 * The references that a swap at `timestamp` starts from: after the filter period the active bin becomes the reference,
 * and what volatility there was decays.
 *
 * @returns undefined where time runs backwards
 * @source traderjoe-xyz/joe-v2 src/libraries/PairParameterHelper.sol updateReferences
 */
export function referencesAt(
  { volatility, parameters, activeId }: State,
  timestamp: number,
): Volatility | undefined {
  const elapsed = timestamp - volatility.time;
  if (elapsed < 0) return undefined;
  if (elapsed < parameters.filterPeriod) return { ...volatility, time: timestamp };
  const decayed = Math.floor((volatility.accumulator * parameters.reductionFactor) / 10_000);
  const reference = elapsed < parameters.decayPeriod ? decayed : 0;
  return { ...volatility, idReference: activeId, reference, time: timestamp };
}

/** The volatility in a bin: 10^4 for each bin from the reference, capped. */
export function accumulatorAt(id: number, { idReference, reference }: Volatility, most: number): number {
  return Math.min(reference + Math.abs(id - idReference) * 10_000, most);
}

const PRECISION = 10n ** 18n;
/** The contract refuses a total fee over 10 %. */
const MAX_FEE = PRECISION / 10n;

/**
 * Base and variable fee with 18 digits.
 *
 * @returns undefined over 10 %, where v2.1 reverts; v2.0 caps its parameters below that
 * @source traderjoe-xyz/joe-v2 src/libraries/PairParameterHelper.sol getTotalFee
 */
export function feeAt(accumulator: number, parameters: FeeParameters): bigint | undefined {
  const base = BigInt(parameters.baseFactor) * BigInt(parameters.binStep) * 10n ** 10n;
  const product = BigInt(accumulator) * BigInt(parameters.binStep);
  const control = BigInt(parameters.variableFeeControl);
  const fee = control === 0n ? base : base + (product * product * control + 99n) / 100n;
  return fee > MAX_FEE ? undefined : fee;
}

/** By the identity of immutable data: a price depends on the bin and the step alone, so nothing is remembered but work. */
const known = new WeakMap<FeeParameters, Map<number, bigint>>();

export function priceOf(id: number, parameters: FeeParameters): bigint | undefined {
  let prices = known.get(parameters);
  if (prices === undefined) {
    prices = new Map();
    known.set(parameters, prices);
  }
  const found = prices.get(id) ?? binPrice(id, parameters.binStep);
  if (found !== undefined) prices.set(id, found);
  return found;
}
