import { axesOf, type Ellipse, otherBalance, rootOf, sTerms } from "./gyro-eclp-math.ts";

/** Token k sold on an ellipse, in 18-digit units: see `alongEllipse`. */
export type Arc = {
  /** Balance of k less its offset. */
  readonly shifted: number;
  /** The square root in the balance of the other token, as it is now. */
  readonly root: number;
  /** s·c·(1 - 1/λ²) */
  readonly slope: number;
  readonly lambdaSquare: number;
  readonly sTerm: number;
  /** What would be paid for nothing, by the contract's rounding: either sign. */
  readonly offset: number;
  /** As much as can still be sold. */
  readonly most: number;
};

/** The last digit of a double must not decide. */
const GRAIN = 1 + 1e-12;

/** Token k sold: rebuilt with the ellipse. */
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
 * How far the other balance y = (-x'·slope - √(r²·sTerm - x'²/λ²)) / sTerm + b falls when x' rises by `h`: as a
 * difference, so that no digits are lost however small the amount.
 */
export function alongEllipse(arc: Arc, h: number): number {
  if (h > arc.most * GRAIN) return 0;
  const fall = (h * (2 * arc.shifted + h)) / arc.lambdaSquare;
  const root = Math.sqrt(Math.max(0, arc.root * arc.root - fall));
  const sum = arc.root + root;
  return (arc.slope * h - (sum > 0 ? fall / sum : 0)) / arc.sTerm + arc.offset;
}
