/** The share of a balance that a swap may bring. The last digit of a double must not decide. */
export const MOST_SOLD = 0.3 * (1 + 1e-12);
/** By how much the contracts' general power is raised. */
const POW_ERROR = 1e-14;

/** Two balances of a weighted pool in doubles; see `WeightedPair`. */
export type WeightedFloat = {
  readonly balanceIn: number;
  readonly balanceOut: number;
  /** Weight of the token sold by that of the token bought. */
  readonly exponent: number;
  readonly shortcuts: boolean;
};

/** out = Bo·(1 - (Bi/(Bi + h))^(wi/wo)) without losing digits of a small `h`; 0 where the pool would refuse. */
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
