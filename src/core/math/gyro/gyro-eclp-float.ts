import { axesOf, type Ellipse, otherBalance, rootOf, sTerms } from "./gyro-eclp-math.ts";

/** An E-CLP in doubles, for sales of token k; amounts in 18-digit units. `alongEllipse` evaluates it. */
export type Arc = {
  /** x': balance of token k less its virtual offset. */
  readonly shifted: number;
  /** The square root in the formula for the other balance, at the present balances. */
  readonly root: number;
  /** s·c·(1 - 1/λ²) / (c² + s²) */
  readonly slope: number;
  readonly lambdaSquare: number;
  readonly sTerm: number;
  /** Output of the contract's formula for a zero input: a rounding residue of either sign. */
  readonly offset: number;
  /** Largest amount of token k that can still be sold. */
  readonly most: number;
};

/** Relative tolerance of the limit `most`, for rounding of doubles. */
const GRAIN = 1 + 1e-12;

/** The doubles for sales of token k, derived from the exact state. */
export function arcOf(ellipse: Ellipse, k: 0 | 1): Arc {
  const axes = axesOf(ellipse, k);
  const balance = ellipse.balances[k];
  const terms = sTerms(axes);
  const lambdaSquare = (Number(axes.lambda) / 1e18) ** 2;
  const rotation = ((Number(axes.s) / 1e18) * Number(axes.c)) / 1e18 / (Number(axes.dSq) / 1e38);
  const computed = otherBalance(ellipse, k, balance);
  return {
    shifted: Number(balance - axes.offsets.x),
    root: Number(rootOf(axes, balance, terms.y) ?? 0n),
    slope: rotation * (1 - 1 / lambdaSquare),
    lambdaSquare,
    sTerm: Number(terms.y) / 1e38,
    offset: computed === undefined ? 0 : Number(ellipse.balances[k === 0 ? 1 : 0] - computed),
    most: Number((k === 0 ? ellipse.most.x : ellipse.most.y) - balance),
  };
}

/**
 * The output for an input of `h`: how far the other balance
 *
 *   y = (-x'·slope - √(r²·sTerm - x'²/λ²)) / sTerm + b
 *
 * falls when x' rises by `h`. The difference is computed without cancellation, so that small amounts keep their
 * digits. O(1).
 *
 * @returns 18-digit units; 0 beyond the largest balance
 */
export function alongEllipse(arc: Arc, h: number): number {
  if (h > arc.most * GRAIN) return 0;
  const fall = (h * (2 * arc.shifted + h)) / arc.lambdaSquare;
  const root = Math.sqrt(Math.max(0, arc.root * arc.root - fall));
  const sum = arc.root + root;
  return (arc.slope * h - (sum > 0 ? fall / sum : 0)) / arc.sTerm + arc.offset;
}
