import { ceilDiv, fits, ONE, type Pmm, type Side, sqrt } from "./dodo-math.ts";

/**
 * The proactive market maker of DODO v1: the curve of `dodo-math`, with other roundings. The contract sells an exact
 * amount of base and buys an exact amount of base; to sell an exact amount of quote, a helper contract estimates the
 * base that it buys. Fixed-point numbers have 18 decimals; `undefined` stands for a revert. Every function is O(1)
 * but for its square root.
 *
 * @source DODOEX/dodo-smart-contract contracts/impl/{Pricing,Trader}.sol, contracts/lib/DODOMath.sol;
 *   DODOEX/contractV2 contracts/SmartRoute/helper/DODOSellHelper.sol
 */

/** The amount of the other token that a trade moves, and the pool's side after it. */
export type Move = { readonly amount: bigint; readonly side: Side };

/** `integrate` of `dodo-math`; V0²/(V1·V2) is rounded up, everything else down. */
function integrate(
  v0: bigint,
  [v1, v2]: readonly [bigint, bigint],
  i: bigint,
  k: bigint,
): bigint | undefined {
  if (v1 <= 0n || v2 <= 0n || v1 < v2) return undefined;
  const scaled = ((v0 * v0) / v1) * ONE;
  const penalty = k * ceilDiv(scaled, v2);
  const result = ((i * (v1 - v2)) / ONE) * (ONE - k + penalty / ONE);
  return fits(v0 * v0, scaled, penalty, result) ? result / ONE : undefined;
}

/**
 * The reserve v1 with target v0 after it pays for `worth` (rounded up), or after `worth` was added to it (`bought`,
 * rounded down).
 */
function solveReserve(
  [v0, v1]: readonly [bigint, bigint],
  worth: bigint,
  k: bigint,
  bought: boolean,
): bigint | undefined {
  if (v1 === 0n) return undefined;
  const part = (((k * v0) / ONE) * v0) / v1 + (bought ? 0n : worth);
  const rest = ((ONE - k) * v1) / ONE + (bought ? worth : 0n);
  const b = rest >= part ? rest - part : part - rest;
  const term = (ONE - k) * 4n * (((k * v0) / ONE) * v0);
  const square = b * b + term / ONE;
  if (!fits(term, square)) return undefined;
  const root = sqrt(square);
  const numerator = rest >= part ? b + root : root - b;
  const denominator = (ONE - k) * 2n;
  return bought ? (numerator * ONE) / denominator : ceilDiv(numerator * ONE, denominator);
}

function sold([v0, v1]: readonly [bigint, bigint], worth: bigint, k: bigint): bigint | undefined {
  const left = solveReserve([v0, v1], worth, k, false);
  return left === undefined || left > v1 ? undefined : v1 - left;
}

/** The target of a reserve v1, where the surplus of the other reserve is worth `fair`. Divisions round up. */
function solveTarget(v1: bigint, k: bigint, fair: bigint): bigint | undefined {
  if (v1 === 0n) return undefined;
  const ratio = ceilDiv(((k * fair) / ONE) * 4n * ONE, v1);
  const root = sqrt((ratio + ONE) * ONE);
  return (v1 * (ONE + ceilDiv((root - ONE) * ONE, k * 2n))) / ONE;
}

/** The pool with the target of its short side updated to the present worth of the other side's surplus. */
export function expectTarget(pool: Pmm): Pmm | undefined {
  if (pool.side === "below") {
    if (pool.base < pool.baseTarget) return undefined;
    const quoteTarget = solveTarget(pool.quote, pool.k, ((pool.base - pool.baseTarget) * pool.i) / ONE);
    return quoteTarget === undefined ? undefined : { ...pool, quoteTarget };
  }
  if (pool.side === "above") {
    if (pool.quote < pool.quoteTarget) return undefined;
    const baseTarget = solveTarget(pool.base, pool.k, ((pool.quote - pool.quoteTarget) * ONE) / pool.i);
    return baseTarget === undefined ? undefined : { ...pool, baseTarget };
  }
  return pool;
}

/** Quote paid for `amount` of base, before fees. @param pool targets updated by `expectTarget` */
export function sellBase(pool: Pmm, amount: bigint): Move | undefined {
  const { i, k, base, quote, baseTarget, quoteTarget } = pool;
  const onward = (from: bigint, given: bigint, more: bigint): Move | undefined => {
    const out = sold([quoteTarget, from], (i * given) / ONE, k);
    return out === undefined ? undefined : { amount: out + more, side: "below" };
  };
  if (pool.side === "one") return onward(quoteTarget, amount, 0n);
  if (pool.side === "below") return onward(quote, amount, 0n);
  const lack = baseTarget - base;
  const surplus = quote - quoteTarget;
  if (amount > lack) return onward(quoteTarget, amount - lack, surplus);
  if (amount === lack) return { amount: surplus, side: "one" };
  const out = integrate(baseTarget, [base + amount, base], i, k);
  return out === undefined ? undefined : { amount: out > surplus ? surplus : out, side: "above" };
}

/**
 * Quote that buying `amount` of base costs. @param pool targets updated by `expectTarget`
 * @param amount base, fees included
 */
export function buyBase(pool: Pmm, amount: bigint): Move | undefined {
  const { i, k, base, quote, baseTarget, quoteTarget } = pool;
  const onward = (from: bigint, taken: bigint, more: bigint): Move | undefined => {
    const pay = taken < from ? integrate(baseTarget, [from, from - taken], i, k) : undefined;
    return pay === undefined ? undefined : { amount: pay + more, side: "above" };
  };
  if (pool.side === "one") return onward(baseTarget, amount, 0n);
  if (pool.side === "above") return onward(base, amount, 0n);
  const lack = quoteTarget - quote;
  const surplus = base - baseTarget;
  if (amount > surplus) return onward(baseTarget, amount - surplus, lack);
  if (amount === surplus) return { amount: lack, side: "one" };
  const after = solveReserve([quoteTarget, quote], ceilDiv(i * amount, ONE), k, true);
  return after === undefined || after < quote ? undefined : { amount: after - quote, side: "below" };
}

/** Base, fees included, that the helper contract estimates for a sale of `amount` of quote. */
export function estimateBase(pool: Pmm, amount: bigint): bigint | undefined {
  const { k, base, quote, baseTarget, quoteTarget } = pool;
  const price = (ONE * ONE) / pool.i;
  const worth = (given: bigint) => (price * given) / ONE;
  if (pool.side === "one") return sold([baseTarget, baseTarget], worth(amount), k);
  if (pool.side === "above") return sold([baseTarget, base], worth(amount), k);
  const lack = quoteTarget - quote;
  if (amount <= lack) return integrate(quoteTarget, [quote + amount, quote], price, k);
  const beyond = sold([baseTarget, baseTarget], worth(amount - lack), k);
  return beyond === undefined ? undefined : base - baseTarget + beyond;
}
