/** Parameters set by the pair's owner: basis points, seconds, and volatility in 1/10,000 of a bin. */
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

/** State left by earlier swaps that determines the fee of the next one. */
export type Volatility = {
  readonly accumulator: number;
  readonly reference: number;
  readonly idReference: number;
  /** Unix time in seconds of the last swap. */
  readonly time: number;
};

/** A pair with the bins of a window. The arrays are immutable. */
export type State = {
  /** Whether fees stay in the bin (v2.1, v2.2) or outside of it (v2.0). */
  readonly feesInBin: boolean;
  /** True for pairs of v2.2, whose bins' liquidity has a limit. */
  readonly isLimited?: boolean;
  /** Identical object for as long as the owner changes nothing; prices are cached by it. */
  readonly parameters: FeeParameters;
  readonly volatility: Volatility;
  readonly activeId: number;
  /** Id of the first bin of the window; bins outside of it are unknown. */
  readonly first: number;
  /** Reserves of each bin of the window, smallest units. */
  readonly xs: readonly bigint[];
  readonly ys: readonly bigint[];
};

/** Gas units through the router. */
const SWAP_GAS = 112_000;
const BIN_GAS = 28_500;

/** Gas units of a fill. @param emptied bins left behind */
export function gasOf(emptied: number): number {
  return SWAP_GAS + BIN_GAS * emptied;
}

/**
 * The volatility references at the start of a swap at `timestamp`: after the filter period the active bin becomes the
 * reference, and the accumulated volatility decays.
 *
 * @returns undefined if time runs backwards
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

/** The volatility accumulator in a bin: the reference plus 10^4 per bin of distance, capped at `most`. */
export function accumulatorAt(id: number, { idReference, reference }: Volatility, most: number): number {
  return Math.min(reference + Math.abs(id - idReference) * 10_000, most);
}

const PRECISION = 10n ** 18n;
/** Largest total fee that the contract accepts, 10 %. */
const MAX_FEE = PRECISION / 10n;

/**
 * Base fee plus variable fee, 18 digits.
 *
 * @returns undefined above 10 %, where v2.1 reverts; v2.0 caps its parameters below that
 * @source traderjoe-xyz/joe-v2 src/libraries/PairParameterHelper.sol getTotalFee
 */
export function feeAt(accumulator: number, parameters: FeeParameters): bigint | undefined {
  const base = BigInt(parameters.baseFactor) * BigInt(parameters.binStep) * 10n ** 10n;
  const product = BigInt(accumulator) * BigInt(parameters.binStep);
  const control = BigInt(parameters.variableFeeControl);
  const fee = control === 0n ? base : base + (product * product * control + 99n) / 100n;
  return fee > MAX_FEE ? undefined : fee;
}
