import {
  type Bounds,
  falling,
  isWithin,
  iteratedMean,
  newtonD,
  newtonY,
  rootMean,
  type Shape,
} from "../../core/math/curve/crypto-math.ts";
import { type Found, solveThree } from "../../core/math/curve/tricrypto-math.ts";
import { solveTwo } from "../../core/math/curve/twocrypto-math.ts";
import { cbrt, isqrt } from "../../core/math/roots.ts";

const ONE = 10n ** 18n;
const LEAST_D = 10n ** 17n;
const MOST_D = 10n ** 33n;

/** Formulas that differ between generations of contracts and numbers of coins. */
export type Design = {
  readonly coins: 2 | 3;
  /** Newer contracts solve for y in closed form, and compare times where the first contracts keep flags. */
  readonly isNg: boolean;
  /** The balance of coin `i` that gives D, and K0 at it (0 if unknown). */
  balanceFor(shape: Shape, x: readonly bigint[], d: bigint, i: number): Found | undefined;
  /** D of balances in the pool's order; `k0` is a starting hint if the contract takes one, else 0. */
  invariant(shape: Shape, x: readonly bigint[], k0: bigint): bigint | undefined;
  /** The geometric mean, as the contract rounds it. */
  mean(x: readonly bigint[]): bigint | undefined;
};

const HUNDREDTH: Bounds = { least: 10n ** 16n, most: 10n ** 20n };
/** As HUNDREDTH, but one unit lower at the lower end. */
const FROM_BELOW: Bounds = { least: 10n ** 16n - 1n, most: 10n ** 20n };
const HALVED: Bounds = { least: HUNDREDTH.least / 2n, most: HUNDREDTH.most / 2n };

const isKnownD = (d: bigint) => d >= LEAST_D && d <= MOST_D;

function othersWithin(x: readonly bigint[], d: bigint, i: number): boolean {
  return x.every((value, k) => k === i || isWithin(value, d, HUNDREDTH));
}

/** y in the first contracts: Newton's method, with bounds on the other balances and on the result. */
function firstBalance(shape: Shape, x: readonly bigint[], d: bigint, i: number): Found | undefined {
  if (!isKnownD(d) || !othersWithin(x, d, i)) return undefined;
  const y = newtonY(shape, x, d, i);
  return y === undefined || !isWithin(y, d, HUNDREDTH) ? undefined : { y, k0: 0n };
}

/**
 * Whether balances are within the contract's limits. @param x in falling order; @param ratio least ratio of a balance
 * to the largest one, 18 digits
 */
function isSortable(x: readonly bigint[], ratio: bigint): boolean {
  const [first, ...rest] = x;
  if (first! < 10n ** 9n || first! > MOST_D) return false;
  return rest.every((value) => (value * ONE) / first! >= ratio);
}

function firstInvariant(ratio: bigint): Design["invariant"] {
  return (shape, unsorted) => {
    const x = falling(unsorted);
    const mean = isSortable(x, ratio) ? iteratedMean(x) : undefined;
    return mean === undefined ? undefined : newtonD(shape, x, BigInt(x.length) * mean, HUNDREDTH);
  };
}

const firstMean = (x: readonly bigint[]) => iteratedMean(falling(x));

/**
 * @source curvefi/curve-crypto-contract contracts/tricrypto/CurveCryptoMath3.vy; its assertions on A and gamma are
 *   omitted, since all pools satisfy them
 */
const tricrypto: Design = {
  coins: 3,
  isNg: false,
  balanceFor: firstBalance,
  invariant: firstInvariant(10n ** 11n),
  mean: firstMean,
};

/** @source curvefi/curve-crypto-contract contracts/two/CurveCryptoSwap2ETH.vy */
const twocrypto: Design = {
  coins: 2,
  isNg: false,
  balanceFor: firstBalance,
  invariant: firstInvariant(10n ** 14n),
  mean: firstMean,
};

/**
 * Start for D of three balances: three times their mean, or 3·cbrt(Πx / K0), scaled to fit 256 bits, if K0 is known from
 * the step before.
 *
 * @returns undefined if the mean reverts
 */
function startOfThree(x: readonly bigint[], k0: bigint): bigint | undefined {
  if (k0 === 0n) {
    const mean = rootMean(x);
    return mean === undefined ? undefined : 3n * mean;
  }
  const sum = x[0]! + x[1]! + x[2]!;
  const digits = sum > 10n ** 36n ? 36n : sum > 10n ** 24n ? 24n : 18n;
  const product = ((x[0]! * x[1]!) / 10n ** digits) * x[2]!;
  const more = digits === 36n ? 10n ** 12n : digits === 24n ? 10n ** 6n : 1n;
  return cbrt((product / k0) * 27n * more);
}

const LARGEST = (2n ** 256n - 1n) / ONE;

/** @source curvefi/tricrypto-ng contracts/main/CurveCryptoMathOptimized3.vy */
const tricryptoNg: Design = {
  coins: 3,
  isNg: true,
  balanceFor(shape, x, d, i) {
    if (!isKnownD(d) || !othersWithin(x, d, i)) return undefined;
    const found = solveThree(shape, x, d, i);
    return found !== undefined && isWithin(found.y, d, FROM_BELOW) ? found : undefined;
  },
  invariant(shape, unsorted, k0) {
    const x = falling(unsorted);
    if (x[0]! <= 0n || x[0]! >= LARGEST * 27n) return undefined;
    const start = startOfThree(x, k0);
    return start === undefined ? undefined : newtonD(shape, x, start, FROM_BELOW);
  },
  mean: rootMean,
};

/** Above this gamma the permitted range of balances narrows. */
const MOST_SMALL_GAMMA = 2n * 10n ** 16n;
function limitOf(gamma: bigint): bigint {
  const limit = 100n * ONE;
  return gamma > MOST_SMALL_GAMMA ? (limit * MOST_SMALL_GAMMA) / gamma : limit;
}

/** What a version of the maths of two coins accepts. */
type Limits = {
  readonly mostGamma: bigint;
  /** Bounds of twice the share of the balance that is given. */
  readonly given: (gamma: bigint) => Bounds;
  /** Bounds of the share of the balance that is found. */
  readonly found: (gamma: bigint) => Bounds;
  /** Bounds of the shares once D is computed. */
  readonly settled: Bounds;
};

function twocryptoNgOf({ mostGamma, given, found: bounds, settled }: Limits): Design {
  return {
    coins: 2,
    isNg: true,
    balanceFor(shape, x, d, i) {
      if (!isKnownD(d) || shape.gamma > mostGamma || !isWithin(2n * x[1 - i]!, d, given(shape.gamma)))
        return undefined;
      const found = solveTwo(shape, x, d, i);
      // The contract returns what Newton's method finds without these bounds; D of the balances after it has its own.
      if (found === undefined || found.k0 === 0n) return found;
      return isWithin(found.y, d, bounds(shape.gamma)) ? found : undefined;
    },
    invariant(shape, unsorted, k0) {
      const x = falling(unsorted);
      if (shape.gamma > mostGamma || !isSortable(x, 10n ** 14n)) return undefined;
      const sum = x[0]! + x[1]!;
      const guess = k0 === 0n ? 2n * isqrt(x[0]! * x[1]!) : isqrt(((4n * x[0]! * x[1]!) / k0) * ONE);
      return newtonD(shape, x, k0 !== 0n && sum < guess ? sum : guess, settled);
    },
    mean: rootMean,
  };
}

/** @source curvefi/twocrypto-ng (1c800bd, v2.0.0) contracts/main/CurveCryptoMathOptimized2.vy */
const twocryptoNg = twocryptoNgOf({
  mostGamma: 2n * 10n ** 15n,
  given: () => ({ least: 2n * HUNDREDTH.least, most: 2n * HUNDREDTH.most }),
  found: () => FROM_BELOW,
  settled: FROM_BELOW,
});

/** @source curvefi/twocrypto-ng (8c60f7d, v2.1.0) contracts/main/CurveCryptoMathOptimized2.vy */
const twocryptoNgOf2024 = twocryptoNgOf({
  mostGamma: 199n * 10n ** 15n,
  given: (gamma) => ({ least: 10n ** 36n / limitOf(gamma), most: limitOf(gamma) }),
  found: (gamma) => ({ least: 10n ** 36n / 2n / limitOf(gamma), most: limitOf(gamma) / 2n }),
  settled: HALVED,
});

export const designs = {
  tricrypto,
  twocrypto,
  "tricrypto-ng": tricryptoNg,
  "twocrypto-ng": twocryptoNg,
  "twocrypto-ng-2024": twocryptoNgOf2024,
} as const satisfies Record<string, Design>;

export type DesignName = keyof typeof designs;
