/**
 * The proactive market maker of DODO v2 (DVM, DPP, DSP): a curve around an oracle price or fixed price `i`.
 *
 *   P(V) = i·(1 - k + k·(V0/V)²)
 *
 * is the price of the token whose reserve V is below its target V0, in units of the other token; selling it back
 * follows the same curve.
 *
 * Fixed-point numbers have 18 decimals. Results are rounded down unless stated otherwise; `undefined` stands for a
 * revert. Every function is O(1) but for its square root.
 *
 * @source DODOEX/contractV2 contracts/lib/{DecimalMath,DODOMath,PMMPricing}.sol
 */

export const ONE = 10n ** 18n;
const ONE_SQUARED = ONE * ONE;
const MAX_UINT256 = 2n ** 256n - 1n;

/** The contract's R: "one" = both reserves at their targets, "above" = base is short, "below" = quote is short. */
export type Side = "one" | "above" | "below";

/** State of a pool: oracle price, curvature, reserves, targets and side. */
export type Pmm = {
  /** Quote units per base unit: 18 decimals plus the decimals of quote less those of base. */
  readonly i: bigint;
  /** Curvature, 18 decimals: 0 = constant price `i`, 1 = constant product. */
  readonly k: bigint;
  readonly base: bigint;
  readonly quote: bigint;
  readonly baseTarget: bigint;
  readonly quoteTarget: bigint;
  readonly side: Side;
};

/** The output of a sale before fees, and the pool's side after it. */
export type Sale = { readonly paid: bigint; readonly side: Side };

/** ⌊√x⌋ by Newton's method from above, but 2 for 2, as in both generations of the contract: their loop does not run for it. */
export function sqrt(x: bigint): bigint {
  if (x < 3n) return x;
  let root = 1n << BigInt((x.toString(16).length * 4 + 1) >> 1);
  if (root * root < x) root <<= 1n;
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Whether products fit a uint256: the contracts' multiplications revert otherwise. */
export function fits(...values: readonly bigint[]): boolean {
  return values.every((value) => value <= MAX_UINT256);
}

/** The price of the quote token in base units. */
export function reciprocal(i: bigint): bigint {
  return ONE_SQUARED / i;
}

/**
 * i·(v1 - v2)·(1 - k + k·v0²/(v1·v2)): the worth, in the other token, of raising a reserve from v2 to v1, both at
 * most its target v0.
 */
function integrate(
  v0: bigint,
  [v1, v2]: readonly [bigint, bigint],
  i: bigint,
  k: bigint,
): bigint | undefined {
  if (v0 === 0n || v1 === 0n) return undefined;
  const fair = i * (v1 - v2);
  if (k === 0n) return fair / ONE;
  if (v2 === 0n) return undefined;
  const scaled = ((v0 * v0) / v1) * ONE;
  const penalty = k * (scaled / v2);
  const result = (ONE - k + penalty / ONE) * fair;
  return fits(v0 * v0, scaled, penalty, result) ? result / ONE_SQUARED : undefined;
}

/**
 * The target of a reserve v1, where the other reserve has a surplus of `delta`: v1·(1 + (√(1 + 4·k·i·delta/v1) -
 * 1)/2k).
 */
function solveTarget(v1: bigint, delta: bigint, i: bigint, k: bigint): bigint | undefined {
  if (k === 0n) return v1 + (i * delta) / ONE;
  if (v1 === 0n) return 0n;
  const ki = 4n * k * i;
  const product = ki * delta;
  const part = fits(product) ? product / v1 : (ki / v1) * delta;
  const root = ki === 0n ? ONE : sqrt(part + ONE_SQUARED);
  if (!fits(part)) return undefined;
  const target = v1 * (((root - ONE) * ONE) / (k * 2n) + ONE);
  return fits(target) ? target / ONE : undefined;
}

/** Output of a reserve v1 with target v0 for `delta` of the other token, each unit of which is worth `i`. */
function solveTrade(
  [v0, v1]: readonly [bigint, bigint],
  delta: bigint,
  i: bigint,
  k: bigint,
): bigint | undefined {
  if (v0 === 0n) return undefined;
  if (delta === 0n) return 0n;
  const worth = i * delta;
  if (!fits(worth)) return undefined;
  if (k === 0n) return worth / ONE > v1 ? v1 : worth / ONE;
  if (k === ONE) return solveProduct(v0, v1, delta, i);
  return solveQuadratic([v0, v1], worth, k);
}

/** `solveTrade` for 0 < k < 1. @param worth i·delta, 18 decimals more than amounts */
function solveQuadratic([v0, v1]: readonly [bigint, bigint], worth: bigint, k: bigint): bigint | undefined {
  if (v1 === 0n) return undefined;
  const part = ((k * v0) / v1) * v0 + worth;
  const rest = (ONE - k) * v1;
  const rises = part > rest;
  const b = (rises ? part - rest : rest - part) / ONE;
  const term = (ONE - k) * 4n * (((k * v0) / ONE) * v0);
  const square = b * b + term / ONE;
  if (!fits(part, term, square)) return undefined;
  const root = sqrt(square);
  const numerator = rises ? root - b : root + b;
  if (rises && numerator === 0n) return undefined;
  const v2 = ceilDiv(numerator * ONE, (ONE - k) * 2n);
  return v2 > v1 ? 0n : v1 - v2;
}

/** `solveTrade` for k = 1, a constant product. */
function solveProduct(v0: bigint, v1: bigint, delta: bigint, i: bigint): bigint | undefined {
  const worth = i * delta * v1;
  const ratio = fits(worth) ? worth / (v0 * v0) : (((delta * v1) / v0) * i) / v0;
  return fits(v1 * ratio) ? (v1 * ratio) / (ratio + ONE) : undefined;
}

/** The pool with the target of its short side updated to the present worth of the other side's surplus. */
export function adjustTarget(pool: Pmm): Pmm | undefined {
  if (pool.side === "below") {
    if (pool.base < pool.baseTarget) return undefined;
    const quoteTarget = solveTarget(pool.quote, pool.base - pool.baseTarget, pool.i, pool.k);
    return quoteTarget === undefined ? undefined : { ...pool, quoteTarget };
  }
  if (pool.side === "above") {
    if (pool.quote < pool.quoteTarget) return undefined;
    const baseTarget = solveTarget(pool.base, pool.quote - pool.quoteTarget, reciprocal(pool.i), pool.k);
    return baseTarget === undefined ? undefined : { ...pool, baseTarget };
  }
  return pool;
}

/** A pool's reserves and targets, named from the view of a seller of either token. */
type Book = {
  /** Price of a unit sold, in units paid. */
  readonly i: bigint;
  readonly k: bigint;
  readonly sold: bigint;
  readonly soldTarget: bigint;
  readonly paid: bigint;
  readonly paidTarget: bigint;
};

/**
 * Output for `amount` of the base (token 0) or quote token (token 1), before fees.
 *
 * @param pool targets updated by `adjustTarget`
 * @returns undefined if the contract reverts
 */
export function sell(pool: Pmm, token: number, amount: bigint): Sale | undefined {
  const base = { reserve: pool.base, target: pool.baseTarget };
  const quote = { reserve: pool.quote, target: pool.quoteTarget };
  const [sold, paid] = token === 0 ? [base, quote] : [quote, base];
  const book: Book = {
    i: token === 0 ? pool.i : reciprocal(pool.i),
    k: pool.k,
    sold: sold.reserve,
    soldTarget: sold.target,
    paid: paid.reserve,
    paidTarget: paid.target,
  };
  // A sale of base moves R below one, a sale of quote above one.
  const [onward, back]: readonly [Side, Side] = token === 0 ? ["below", "above"] : ["above", "below"];
  if (pool.side === back) return sellBack(book, amount, [onward, back]);
  const from = pool.side === "one" ? book.paidTarget : book.paid;
  const out = solveTrade([book.paidTarget, from], amount, book.i, book.k);
  return out === undefined ? undefined : { paid: out, side: onward };
}

/** Sells the token whose reserve is below its target, possibly past the target. */
function sellBack(book: Book, amount: bigint, [onward, back]: readonly [Side, Side]): Sale | undefined {
  const lack = book.soldTarget - book.sold;
  const surplus = book.paid - book.paidTarget;
  if (lack < 0n || surplus < 0n) return undefined;
  if (amount === lack) return { paid: surplus, side: "one" };
  if (amount < lack) {
    const out = integrate(book.soldTarget, [book.sold + amount, book.sold], book.i, book.k);
    return out === undefined ? undefined : { paid: out > surplus ? surplus : out, side: back };
  }
  const beyond = solveTrade([book.paidTarget, book.paidTarget], amount - lack, book.i, book.k);
  return beyond === undefined ? undefined : { paid: surplus + beyond, side: onward };
}
