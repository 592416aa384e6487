/** Largest input as a fraction of the balance (MAX_RATIO), with a tolerance for rounding of doubles. */
export const MOST_SOLD = 0.3 * (1 + 1e-12);
/** Relative amount by which the contracts raise the result of the general power. */
const POW_ERROR = 1e-14;

/** Two balances of a weighted pool in doubles, smallest units; see `WeightedPair`. */
export type WeightedFloat = {
  readonly balanceIn: number;
  readonly balanceOut: number;
  /** Weight of the token sold over weight of the token bought. */
  readonly exponent: number;
  readonly shortcuts: boolean;
};

/** out = Bo·(1 - (Bi/(Bi + h))^(wi/wo)), without cancellation for a small `h`; 0 if the pool would revert. */
export function weightedOut(pair: WeightedFloat, h: number): number {
  const { balanceIn, balanceOut, exponent, shortcuts } = pair;
  const ratio = h / balanceIn;
  if (!(ratio <= MOST_SOLD)) return 0;
  if (exponent === 1 && shortcuts) return (balanceOut * ratio) / (1 + ratio);
  const part = -Math.expm1(-exponent * Math.log1p(ratio));
  const isExact = shortcuts && (exponent === 2 || exponent === 4);
  const out = balanceOut * (isExact ? part : part - (1 - part) * POW_ERROR);
  return out > 0 ? out : 0;
}
