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
import { sqrt } from "./gyro-pool-math.ts";

/** A point, or a pair of over- and underestimate. */
export type Vector = { readonly x: bigint; readonly y: bigint };

/** The invariant, overestimated in x and underestimated in y. */
export type Radius = Vector;

/** Immutable parameters of an E-CLP. c, s and lambda have 18 decimals, the parameters derived from them have 38. */
export type EclpParams = {
  readonly c: bigint;
  readonly s: bigint;
  readonly lambda: bigint;
  readonly tauAlpha: Vector;
  readonly tauBeta: Vector;
  readonly u: bigint;
  readonly v: bigint;
  readonly w: bigint;
  readonly z: bigint;
  /** c² + s² of the rounded c and s; 1 up to rounding. */
  readonly dSq: bigint;
};

const MAX_BALANCES = 10n ** 34n;
const MAX_INVARIANT = 3n * 10n ** 37n;
const E36 = 10n ** 36n;

type Point = readonly [bigint, bigint];

/**
 * The invariant r of balances (x, y), underestimated, and a bound on its error:
 *
 *   r = (At·Aχ + √((At·Aχ)² - (Aχ·Aχ - 1)·At·At)) / (Aχ·Aχ - 1)
 *
 * @returns 18 decimals; undefined if the contract reverts
 * @source gyrostable/concentrated-lps contracts/eclp/GyroECLPMath.sol calculateInvariantWithError (7e9bd3b)
 */
export function invariantOf([x, y]: Point, p: EclpParams) {
  if (x + y > MAX_BALANCES) return undefined;
  const square = atxPart([x, y], p) + mixedPart([x, y], p) + atyPart([x, y], p);
  const root = square > 0n ? sqrt(square) : 0n;
  if (root === undefined) return undefined;
  const squareError = (mulUpMag(x, x) + mulUpMag(y, y)) / ONE_XP;
  const rootError = errorOfRoot(root, squareError);
  if (rootError === undefined) return undefined;
  const numeratorError = (mulUpMag(p.lambda, x + y) / ONE_XP + rootError + 1n) * 20n;
  const denominator = divXp(ONE_XP, chiSquare(p) - ONE_XP);
  const invariant = mulDownXpToNp(atAChi([x, y], p) + root - numeratorError, denominator);
  const relative = mulUpXpToNp(invariant, denominator) * ((p.lambda * p.lambda) / E36) * 40n;
  const error = mulUpXpToNp(numeratorError, denominator) + relative / ONE_XP + 1n;
  return invariant + error > MAX_INVARIANT ? undefined : { invariant, error };
}

function errorOfRoot(root: bigint, squareError: bigint): bigint | undefined {
  if (root > 0n) return divUpMag(squareError + 1n, 2n * root);
  return squareError > 0n ? sqrt(squareError) : 10n ** 9n;
}

/** dSq^exponent, rounded after each multiplication as in the contract. */
function power({ dSq }: EclpParams, exponent: 2 | 3 | 4): bigint {
  let product = mulXp(dSq, dSq);
  for (let k = 2; k < exponent; k++) product = mulXp(product, dSq);
  return product;
}

/** At·Aχ. @source calcAtAChi */
function atAChi([x, y]: Point, p: EclpParams): bigint {
  const { c, s, lambda } = p;
  const dSq2 = power(p, 2);
  const wz = divXp(divDownMag(divDownMag(p.w, lambda) + p.z, lambda), dSq2);
  const first = mulDownXpToNp(mulDownMag(x, c) - mulDownMag(y, s), wz);
  const stretched = mulDownMag(mulDownMag(x, lambda), s) + mulDownMag(mulDownMag(y, lambda), c);
  const second = mulDownXpToNp(stretched, divXp(p.u, dSq2));
  return first + second + mulDownXpToNp(mulDownMag(x, s) + mulDownMag(y, c), divXp(p.v, dSq2));
}

/** Aχ·Aχ, 38 decimals. @source calcAChiAChiInXp */
function chiSquare(p: EclpParams): bigint {
  const dSq3 = power(p, 3);
  const uv = mulUpMag(p.lambda, divXp(mulXp(2n * p.u, p.v), dSq3));
  const uu = mulUpMag(mulUpMag(divXp(mulXp(p.u + 1n, p.u + 1n), dSq3), p.lambda), p.lambda);
  const wz = divUpMag(p.w, p.lambda) + p.z;
  return uv + uu + divXp(mulXp(p.v, p.v), dSq3) + divXp(mulXp(wz, wz), dSq3);
}

/** -(At)_x²·(Aχ)_y² + (At)_x², rounded down. @source calcMinAtxAChiySqPlusAtxSq */
function atxPart([x, y]: Point, p: EclpParams): bigint {
  const { c, s, lambda } = p;
  const squares =
    mulUpMag(mulUpMag(mulUpMag(x, x), c), c) +
    mulUpMag(mulUpMag(mulUpMag(y, y), s), s) -
    mulDownMag(mulDownMag(mulDownMag(x, y), c * 2n), s);
  const uv =
    mulXp(p.u, p.u) +
    divDownMag(mulXp(2n * p.u, p.v), lambda) +
    divDownMag(divDownMag(mulXp(p.v, p.v), lambda), lambda);
  const less = mulDownXpToNp(-squares, divXp(uv, power(p, 4)));
  const stretched = divDownMag(divDownMag(squares - 9n, lambda), lambda);
  return less + mulDownXpToNp(stretched, divXp(ONE_XP, p.dSq));
}

/** 2·(At)_x·(At)_y·(Aχ)_x·(Aχ)_y. @source calc2AtxAtyAChixAChiy */
function mixedPart([x, y]: Point, p: EclpParams): bigint {
  const { c, s, lambda } = p;
  const xy = mulDownMag(y, 2n * x);
  const balances =
    mulDownMag(mulDownMag(mulDownMag(x, x) - mulUpMag(y, y), 2n * c), s) +
    mulDownMag(mulDownMag(xy, c), c) -
    mulDownMag(mulDownMag(xy, s), s);
  const factors =
    mulXp(p.z, p.u) +
    divDownMag(divDownMag(mulXp(p.w, p.v), lambda), lambda) +
    divDownMag(mulXp(p.w, p.u) + mulXp(p.z, p.v), lambda);
  return mulDownXpToNp(balances, divXp(factors, power(p, 4)));
}

/** -(At)_y²·(Aχ)_x² + (At)_y², rounded down. @source calcMinAtyAChixSqPlusAtySq */
function atyPart([x, y]: Point, p: EclpParams): bigint {
  const { c, s, lambda } = p;
  const squares =
    mulUpMag(mulUpMag(mulUpMag(x, x), s), s) +
    mulUpMag(mulUpMag(mulUpMag(y, y), c), c) +
    mulUpMag(mulUpMag(mulUpMag(x, y), s * 2n), c);
  const wz =
    mulXp(p.z, p.z) +
    divDownMag(divDownMag(mulXp(p.w, p.w), lambda), lambda) +
    divDownMag(mulXp(2n * p.z, p.w), lambda);
  const less = mulDownXpToNp(-squares, divXp(wz, power(p, 4)));
  return less + mulDownXpToNp(squares - 9n, divXp(ONE_XP, p.dSq));
}
