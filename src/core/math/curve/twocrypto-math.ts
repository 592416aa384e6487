import { cbrt, isqrt } from "../roots.ts";
import { newtonY, type Shape } from "./crypto-math.ts";
import type { Found } from "./tricrypto-math.ts";

const ONE = 10n ** 18n;
const A = 10n ** 32n;
const abs = (x: bigint) => (x < 0n ? -x : x);

/**
 * Pairs of a threshold of the coefficients and the divisor applied above it, so that the discriminant fits 256 bits.
 */
const DIVIDERS: readonly (readonly [bigint, bigint])[] = [
  ...[48n, 46n, 44n, 42n, 40n, 38n, 36n, 34n, 32n, 30n, 28n, 26n, 24n].map(
    (digits) => [10n ** digits, 10n ** (digits - 18n)] as const,
  ),
  [10n ** 20n, 10n ** 2n],
];

/** 10^32·K0³ + b·K0² + c·K0 + d = 0, whose root is K0 at the balance wanted. */
type Cubic = { readonly a: bigint; readonly b: bigint; readonly c: bigint; readonly d: bigint };

function cubicOf({ ann, gamma }: Shape, x: bigint, total: bigint): Cubic {
  const annGamma2 = ann * gamma * gamma;
  return {
    a: A,
    b: (total * annGamma2) / 400_000_000n / x - 3n * A - 2n * gamma * 10n ** 14n,
    c:
      3n * A +
      4n * gamma * 10n ** 14n +
      (gamma * gamma) / 10n ** 4n +
      (((4n * annGamma2) / 400_000_000n) * x) / total -
      (4n * annGamma2) / 400_000_000n,
    d: -((ONE + gamma) ** 2n / 10n ** 4n),
  };
}

/** Δ0 and Δ1 of the closed form. */
function deltasOf({ a, b, c, d }: Cubic): readonly [bigint, bigint] {
  const delta0 = (3n * a * c) / b - b;
  return [delta0, 3n * delta0 + b - (((27n * a * a) / b) * d) / b];
}

function scaledDown(cubic: Cubic): Cubic {
  const [delta0, delta1] = deltasOf(cubic).map(abs) as [bigint, bigint];
  const smaller = delta0 < delta1 ? delta0 : delta1;
  const threshold = smaller < cubic.a ? smaller : cubic.a;
  const divider = DIVIDERS.find(([least]) => threshold > least)?.[1] ?? 1n;
  return { a: cubic.a / divider, b: cubic.b / divider, c: cubic.c / divider, d: cubic.d / divider };
}

/**
 * 10^18 times the root; "newton" if the discriminant is not positive, so that Newton's method applies; undefined if
 * the closed form divides by zero.
 */
function rootOf(cubic: Cubic): bigint | "newton" | undefined {
  const { a, b } = cubic;
  if (b === 0n) return undefined;
  const [delta0, delta1] = deltasOf(cubic);
  const inner = delta1 * delta1 + ((4n * delta0 * delta0) / b) * delta0;
  if (inner <= 0n) return "newton";
  const root = isqrt(inner);
  const first = b > 0n ? cbrt(b) : -cbrt(-b);
  const second = delta1 > 0n ? cbrt((delta1 + root) / 2n) : -cbrt((root - delta1) / 2n);
  const c1 = (((first * first) / ONE) * second) / ONE;
  return c1 === 0n ? undefined : (ONE * c1 - ONE * b - ((ONE * b) / c1) * delta0) / (3n * a);
}

/**
 * The balance of coin `i` of two that gives D with the other balance: the cubic in K0 solved in closed form. The
 * multiplier of `ann` is 10000.
 *
 * @param x balances in the pool's order, in 18-digit units; that of `i` is not read
 * @returns undefined if the contract reverts; callers check bounds
 * @source curvefi/twocrypto-ng (v2.0.0) contracts/main/CurveCryptoMathOptimized2.vy get_y
 */
export function solveTwo(shape: Shape, x: readonly bigint[], d: bigint, i: number): Found | undefined {
  const other = x[1 - i]!;
  const given = cubicOf(shape, other, d);
  if (given.b === 0n) return undefined;
  const root = rootOf(scaledDown(given));
  if (root === undefined) return undefined;
  if (root === "newton") {
    const y = newtonY(shape, x, d, i);
    return y === undefined ? undefined : { y, k0: 0n };
  }
  const y = (((d * d) / other) * root) / 4n / ONE;
  return root < 0n || y < 0n ? undefined : { y, k0: root };
}
