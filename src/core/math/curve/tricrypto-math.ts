import { cbrt, isqrt } from "../roots.ts";
import { newtonY, type Shape } from "./crypto-math.ts";

const ONE = 10n ** 18n;
const abs = (x: bigint) => (x < 0n ? -x : x);

/** Pairs of a threshold of the discriminant and the divisor applied above it, so that its square fits 256 bits. */
const DIVIDERS: readonly (readonly [bigint, bigint])[] = [
  [10n ** 48n, 10n ** 30n],
  [10n ** 44n, 10n ** 26n],
  [10n ** 40n, 10n ** 22n],
  [10n ** 36n, 10n ** 18n],
  [10n ** 32n, 10n ** 14n],
  [10n ** 28n, 10n ** 10n],
  [10n ** 24n, 10n ** 6n],
  [10n ** 20n, 10n ** 2n],
];

/** a·K0³ + b·K0² + c·K0 + d = 0, whose root is K0 at the balance wanted. */
type Cubic = { readonly a: bigint; readonly b: bigint; readonly c: bigint; readonly d: bigint };

function cubicOf({ ann, gamma, multiplier }: Shape, xj: bigint, xk: bigint, total: bigint): Cubic {
  const gamma2 = gamma * gamma;
  return {
    a: 10n ** 36n / 27n,
    b:
      10n ** 36n / 9n +
      (2n * ONE * gamma) / 27n -
      (((total * total) / xj) * gamma2 * ann) / 729n / multiplier / xk,
    c:
      10n ** 36n / 9n +
      (gamma * (gamma + 4n * ONE)) / 27n +
      (((gamma2 * (xj + xk - total)) / total) * ann) / 27n / multiplier,
    d: (ONE + gamma) ** 2n / 27n,
  };
}

/**
 * The cubic with its coefficients scaled such that the closed form fits 256 bits; undefined if the contract divides
 * by zero.
 */
function scaledDown({ a, b, c, d }: Cubic): Cubic | undefined {
  if (b === 0n) return undefined;
  const delta = abs((3n * a * c) / b - b);
  const divider = DIVIDERS.find(([least]) => delta > least)?.[1] ?? 1n;
  if (abs(a) > abs(b)) {
    const more = abs(a / b);
    return {
      a: (a * more) / divider,
      b: (b * more) / divider,
      c: (c * more) / divider,
      d: (d * more) / divider,
    };
  }
  const less = abs(b / a);
  return { a: a / less / divider, b: b / less / divider, c: c / less / divider, d: d / less / divider };
}

/**
 * The root of the cubic times `a`; "newton" if the discriminant is not positive, so that Newton's method applies;
 * undefined if the closed form divides by zero.
 */
function rootOf({ a, b, c, d }: Cubic): bigint | "newton" | undefined {
  if (a === 0n || b === 0n) return undefined;
  const ac3 = 3n * a * c;
  const delta0 = ac3 / b - b;
  const delta1 = (3n * ac3) / b - 2n * b - (((27n * a * a) / b) * d) / b;
  const inner = delta1 * delta1 + ((4n * delta0 * delta0) / b) * delta0;
  if (inner <= 0n) return "newton";
  const root = isqrt(inner);
  const first = b >= 0n ? cbrt(b) : -cbrt(-b);
  const second = delta1 > 0n ? cbrt((delta1 + root) / 2n) : -cbrt((root - delta1) / 2n);
  const c1 = (((first * first) / ONE) * second) / ONE;
  return c1 === 0n ? undefined : (b + (b * delta0) / c1 - c1) / 3n;
}

/** A balance that gives D, and K0 at it; K0 is 0 if Newton's method found the balance. */
export type Found = { readonly y: bigint; readonly k0: bigint };

/**
 * The balance of coin `i` of three that gives D with the other balances: the cubic in K0 solved in closed form.
 *
 * @param x balances in the pool's order, in 18-digit units; that of `i` is not read
 * @returns undefined if the contract reverts; callers check bounds
 * @source curvefi/tricrypto-ng contracts/main/CurveCryptoMathOptimized3.vy get_y
 */
export function solveThree(shape: Shape, x: readonly bigint[], d: bigint, i: number): Found | undefined {
  const [xj, xk] = x.filter((_, k) => k !== i);
  const cubic = scaledDown(cubicOf(shape, xj!, xk!, d));
  const root = cubic && rootOf(cubic);
  if (cubic === undefined || root === undefined) return undefined;
  if (root === "newton") {
    const y = newtonY(shape, x, d, i);
    return y === undefined ? undefined : { y, k0: 0n };
  }
  const y = (((((d * d) / 27n / xk!) * d) / xj!) * root) / cubic.a;
  const k0 = (ONE * root) / cubic.a;
  return y < 0n || k0 < 0n ? undefined : { y, k0 };
}
