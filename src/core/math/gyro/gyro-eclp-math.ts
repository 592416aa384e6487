import {
  divDownMag,
  divUpMag,
  divXp,
  mulDownMag,
  mulDownXpToNp,
  mulUpMag,
  mulUpXpToNp,
  mulXp,
  ONE_XP,
} from "../signed-fixed-point.ts";
import { type EclpParams, invariantOf, type Radius, type Vector } from "./gyro-eclp-invariant.ts";
import { sqrt } from "./gyro-pool-math.ts";

/**
 * Trades along the ellipse of Gyroscope's E-CLP: rotated by (c, s), stretched by lambda, cut off at two prices. The
 * output is the balance before the trade less the overestimated balance after it. Amounts have 18 decimals;
 * `undefined` stands for a revert. Every function is O(1).
 *
 * @source gyrostable/concentrated-lps contracts/eclp/GyroECLPMath.sol (7e9bd3b)
 */

const MAX_BALANCE = 10n ** 34n;

/**
 * A pool's ellipse: the radius (its invariant), the virtual offsets of both axes, and the largest possible balances.
 */
export type Ellipse = {
  readonly params: EclpParams;
  readonly balances: readonly [bigint, bigint];
  /** Overestimated in x, underestimated in y. */
  readonly radius: Radius;
  readonly offsets: Vector;
  readonly most: Vector;
};

/** The ellipse of a pool's state, which all trades of that state share. */
export function ellipseOf(balances: readonly [bigint, bigint], params: EclpParams): Ellipse | undefined {
  const found = invariantOf(balances, params);
  if (found === undefined) return undefined;
  const radius = { x: found.invariant + 2n * found.error, y: found.invariant };
  const offsets = { x: offset0(params, radius), y: offset1(params, radius) };
  const most = { x: most0(params, radius), y: most1(params, radius) };
  return { params, balances, radius, offsets, most };
}

/** a = r·(A⁻¹τ(β))_x, rounded up. @source virtualOffset0 */
function offset0({ lambda, c, s, tauBeta, dSq }: EclpParams, r: Radius): bigint {
  const term = divXp(tauBeta.x, dSq);
  const first =
    tauBeta.x > 0n
      ? mulUpXpToNp(mulUpMag(mulUpMag(r.x, lambda), c), term)
      : mulUpXpToNp(mulDownMag(mulDownMag(r.y, lambda), c), term);
  return first + mulUpXpToNp(mulUpMag(r.x, s), divXp(tauBeta.y, dSq));
}

/** b = r·(A⁻¹τ(α))_y, rounded up. @source virtualOffset1 */
function offset1({ lambda, c, s, tauAlpha, dSq }: EclpParams, r: Radius): bigint {
  const term = divXp(tauAlpha.x, dSq);
  const first =
    tauAlpha.x < 0n
      ? mulUpXpToNp(mulUpMag(mulUpMag(r.x, lambda), s), -term)
      : mulUpXpToNp(mulDownMag(mulDownMag(-r.y, lambda), s), term);
  return first + mulUpXpToNp(mulUpMag(r.x, c), divXp(tauAlpha.y, dSq));
}

/** Largest balance of token 0, reached when token 1 is exhausted; rounded down. @source maxBalances0 */
function most0({ lambda, c, s, tauAlpha, tauBeta, dSq }: EclpParams, r: Radius): bigint {
  const wide = mulDownXpToNp(mulDownMag(mulDownMag(r.y, lambda), c), divXp(tauBeta.x - tauAlpha.x, dSq));
  const term = divXp(tauBeta.y - tauAlpha.y, dSq);
  return wide + mulDownXpToNp(term > 0n ? mulDownMag(r.y, s) : mulUpMag(r.x, s), term);
}

/** Largest balance of token 1, reached when token 0 is exhausted; rounded down. @source maxBalances1 */
function most1({ lambda, c, s, tauAlpha, tauBeta, dSq }: EclpParams, r: Radius): bigint {
  const wide = mulDownXpToNp(mulDownMag(mulDownMag(r.y, lambda), s), divXp(tauBeta.x - tauAlpha.x, dSq));
  const term = divXp(tauAlpha.y - tauBeta.y, dSq);
  return wide + mulDownXpToNp(term > 0n ? mulDownMag(r.y, c) : mulUpMag(r.x, c), term);
}

/** The ellipse with either token as x: the equations for both tokens are the same with coordinates swapped. */
export type Axes = {
  readonly lambda: bigint;
  readonly s: bigint;
  readonly c: bigint;
  readonly r: Radius;
  readonly offsets: Vector;
  readonly tau: Vector;
  readonly dSq: bigint;
};

/** The axes with balance `given` as x. */
export function axesOf({ params, radius, offsets }: Ellipse, given: 0 | 1): Axes {
  const { lambda, c, s, tauAlpha, tauBeta, dSq } = params;
  return given === 0
    ? { lambda, s, c, r: radius, offsets, tau: tauBeta, dSq }
    : {
        lambda,
        s: c,
        c: s,
        r: radius,
        offsets: { x: offsets.y, y: offsets.x },
        tau: { x: -tauAlpha.x, y: tauAlpha.y },
        dSq,
      };
}

/** Balance `1 - given` when balance `given` is x, overestimated. @source calcYGivenX, calcXGivenY */
export function otherBalance(ellipse: Ellipse, given: 0 | 1, x: bigint): bigint | undefined {
  const axes = axesOf(ellipse, given);
  const terms = sTerms(axes);
  const root = rootOf(axes, x, terms.y);
  if (root === undefined) return undefined;
  const shifted = x - axes.offsets.x;
  const { s, c, dSq } = axes;
  const [over, under] = barsOf(axes.lambda);
  const linear =
    shifted > 0n
      ? mulUpXpToNp(mulDownMag(mulDownMag(-shifted, s), c), divXp(under, dSq))
      : mulUpXpToNp(mulUpMag(mulUpMag(-shifted, s), c), divXp(over, dSq) + 1n);
  const above = linear - root;
  const quotient =
    above > 0n ? mulUpXpToNp(above, divXp(ONE_XP, terms.y) + 1n) : mulUpXpToNp(above, divXp(ONE_XP, terms.x));
  return quotient + axes.offsets.y;
}

/** 1 - 1/λ², over- and underestimated, 38 decimals. */
function barsOf(lambda: bigint): readonly [bigint, bigint] {
  return [
    ONE_XP - divDownMag(divDownMag(ONE_XP, lambda), lambda),
    ONE_XP - divUpMag(divUpMag(ONE_XP, lambda), lambda),
  ];
}

/** 1 - s²·(1 - 1/λ²), over- and underestimated, 38 decimals. */
export function sTerms({ lambda, s, dSq }: Axes): Vector {
  const [over, under] = barsOf(lambda);
  return {
    x: ONE_XP - divXp(mulDownMag(mulDownMag(under, s), s), dSq),
    y: ONE_XP - (divXp(mulUpMag(mulUpMag(over, s), s), dSq + 1n) + 1n),
  };
}

/** The square root in the solution of the quadratic equation, underestimated. @source solveQuadraticSwap */
export function rootOf(axes: Axes, x: bigint, sTerm: bigint): bigint | undefined {
  const { r } = axes;
  const square = mulDownXpToNp(mulDownMag(r.y, r.y), sTerm) - shiftedSquare(axes, x);
  return square > 0n ? sqrt(square) : 0n;
}

/** (x - a)²/λ², overestimated. @source calcXpXpDivLambdaLambda */
function shiftedSquare({ lambda, s, c, r, tau, dSq }: Axes, x: bigint): bigint {
  const dSq2 = mulXp(dSq, dSq);
  const square = mulUpMag(r.x, r.x);
  const cross = divXp(mulXp(tau.x, tau.y), dSq2);
  const crossed =
    cross > 0n
      ? mulUpXpToNp(mulUpMag(mulUpMag(square, 2n * s), c), cross + 7n)
      : mulUpXpToNp(mulDownMag(mulDownMag(mulDownMag(r.y, r.y), 2n * s), c), cross);
  const turned =
    tau.x < 0n
      ? mulUpXpToNp(mulUpMag(mulUpMag(r.x, x), 2n * c), -divXp(tau.x, dSq) + 3n)
      : mulUpXpToNp(mulDownMag(mulDownMag(-r.y, x), 2n * c), divXp(tau.x, dSq));
  const sy = mulUpXpToNp(mulUpMag(mulUpMag(square, s), s), divXp(mulXp(tau.y, tau.y), dSq2) + 7n);
  const sx = mulUpXpToNp(mulDownMag(mulDownMag(-r.y, x), 2n * s), divXp(tau.y, dSq));
  const inner = crossed + turned + byLambda(sy + sx + mulUpMag(x, x), lambda);
  const cc = mulUpXpToNp(mulUpMag(mulUpMag(square, c), c), divXp(mulXp(tau.x, tau.x), dSq2) + 7n);
  return cc + byLambda(inner, lambda);
}

/** value/λ, rounded up (towards +∞). */
function byLambda(value: bigint, lambda: bigint): bigint {
  return value > 0n ? divUpMag(value, lambda) : divDownMag(value, lambda);
}

/** Output of the other token for `amountIn` of token `i`, underestimated. @source calcOutGivenIn */
export function outGivenIn(ellipse: Ellipse, i: 0 | 1, amountIn: bigint): bigint | undefined {
  const after = ellipse.balances[i] + amountIn;
  if (!isWithin(ellipse, i, after)) return undefined;
  const other = otherBalance(ellipse, i, after);
  const held = ellipse.balances[i === 0 ? 1 : 0];
  return other === undefined || other < 0n || other > held ? undefined : held - other;
}

/** Input of token `i` that buys `amountOut` of the other token, overestimated. @source calcInGivenOut */
export function inGivenOut(ellipse: Ellipse, i: 0 | 1, amountOut: bigint): bigint | undefined {
  const j = i === 0 ? 1 : 0;
  if (amountOut > ellipse.balances[j]) return undefined;
  const after = otherBalance(ellipse, j, ellipse.balances[j] - amountOut);
  if (after === undefined || !isWithin(ellipse, i, after) || after < ellipse.balances[i]) return undefined;
  return after - ellipse.balances[i];
}

/** Whether balance `i` may become `balance`. @source checkAssetBounds */
function isWithin({ most }: Ellipse, i: 0 | 1, balance: bigint): boolean {
  return balance <= MAX_BALANCE && balance <= (i === 0 ? most.x : most.y);
}
