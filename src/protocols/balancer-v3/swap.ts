import { complement, divDown, divideUp, divUp, mulDown, mulUp, ONE } from "../../core/math/fixed-point.ts";
import { leastInput } from "../../core/math/least-input.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { onSwap, type Solved, solvedAt } from "./shapes.ts";
import type { Shape, State } from "./state.ts";
import { feeOf } from "./surge/surge.ts";

/**
 * Gas units of one crossing through the router. The devnet's models need, before refunds, up to 115,000 (weighted,
 * two tokens), 133,000 (stable, three tokens), 128,000 (E-CLP) and 145,000 (ReCLAMM, if its virtual balances have
 * moved), and 39,000 more if a hook computes the fee. The remainder is estimated.
 */
const gasOf: Readonly<Record<Shape["kind"], number>> = {
  weighted: 120_000,
  stable: 138_000,
  eclp: 155_000,
  reclamm: 150_000,
  bootstrapping: 120_000,
  guided: 120_000,
};

const SURGE_GAS = 40_000;

export function gas(kind: Shape["kind"], surges: boolean): number {
  return surges ? gasOf[kind] + SURGE_GAS : gasOf[kind];
}

/** The vault stores a balance in 128 bits, in smallest units and in 18-digit units with its rate. */
const MAX_BALANCE = 2n ** 128n - 1n;
/** Largest fee, whatever a hook returns. */
const MAX_FEE = 999_999_000_000_000_000n;

/** Amounts of a swap in smallest units, and the part of the fee that leaves the pool. */
export type Swapped = { readonly amountIn: bigint; readonly amountOut: bigint; readonly charged: bigint };

/**
 * The vault's answer to a swap of either kind.
 *
 * @returns undefined if it would revert, or the answer is 0
 * @source balancer/balancer-v3-monorepo pkg/vault/contracts/Vault.sol swap, _swap (0a5890a)
 */
export function vaultSwap(state: State, order: Order): Swapped | undefined {
  const { i, j, amount, side, at } = order;
  const solved = amount > 0n && amount <= MAX_BALANCE ? solvedAt(state, at.timestamp) : undefined;
  if (solved === undefined) return undefined;
  const swapped = side === "in" ? sell(state, solved, order) : buy(state, solved, order);
  if (swapped === undefined || swapped.amountIn <= 0n || swapped.amountOut <= 0n) return undefined;
  return fits(state, i, swapped) && swapped.amountOut <= state.balances[j]! ? swapped : undefined;
}

/** Whether the vault can store the balance of the token sold. @source PackedTokenBalance.sol toPackedBalance */
function fits({ balances, factors, rates }: State, i: number, { amountIn, charged }: Swapped): boolean {
  const balance = balances[i]! + amountIn - charged;
  return balance <= MAX_BALANCE && mulDown(balance * factors[i]!, rates[i]!) <= MAX_BALANCE;
}

/** A rate that divides an output, rounded up if it has decimals. @source computeRateRoundUp */
function rateUp(rate: bigint): bigint {
  return rate % ONE === 0n ? rate : rate + 1n;
}

function sell(state: State, solved: Solved, { i, j, amount }: Order): Swapped | undefined {
  const { factors, rates, leastTrade } = state;
  const given = mulDown(amount * factors[i]!, rates[i]!);
  const fee = feeOf(state, solved, { i, j, amount: given, side: "in" });
  if (fee === undefined || fee > MAX_FEE) return undefined;
  const taken = mulUp(given, fee);
  if (given - taken < leastTrade) return undefined;
  const out = onSwap(solved, { i, j, amount: given - taken, side: "in" });
  if (out === undefined || out < leastTrade) return undefined;
  const amountOut = divDown(out, factors[j]! * rateUp(rates[j]!));
  return { amountIn: amount, amountOut, charged: chargedOf(state, i, taken) };
}

function buy(state: State, solved: Solved, { i, j, amount }: Order): Swapped | undefined {
  const { factors, rates, leastTrade } = state;
  const given = mulUp(amount * factors[j]!, rateUp(rates[j]!));
  const fee = feeOf(state, solved, { i, j, amount: given, side: "out" });
  if (fee === undefined || fee > MAX_FEE || given < leastTrade) return undefined;
  const cost = onSwap(solved, { i, j, amount: given, side: "out" });
  if (cost === undefined || cost < leastTrade) return undefined;
  const taken = divideUp(cost * fee, complement(fee));
  const amountIn = divUp(cost + taken, factors[i]! * rates[i]!);
  return { amountIn, amountOut: amount, charged: chargedOf(state, i, taken) };
}

/**
 * The protocol's and creator's part of a fee in smallest units, rounded down. @source
 * _computeAndChargeAggregateSwapFees
 */
function chargedOf({ factors, rates, aggregateFee }: State, i: number, taken: bigint): bigint {
  return mulDown(divDown(taken, factors[i]! * rates[i]!), aggregateFee);
}

/**
 * Quotes a trade as the router executes it, which only sells exact amounts. An exact output therefore costs the least
 * input that pays it: the vault's own answer for an exact output may cost slightly more, and may exceed the limit on
 * inputs. Where a pool refuses so large an output, a sale may still pay it, so the search then starts from a balance.
 */
export function trade(state: State, order: Order): Trade<State> | undefined {
  const sell = (amount: bigint) => vaultSwap(state, { ...order, side: "in", amount });
  let amountIn: bigint | undefined = order.amount;
  if (order.side === "out") {
    if (order.amount <= 0n || order.amount >= state.balances[order.j]!) return undefined;
    const guess = vaultSwap(state, order)?.amountIn ?? state.balances[order.i]!;
    amountIn = leastInput((amount) => sell(amount)?.amountOut, order.amount, guess);
  }
  const swapped = amountIn === undefined ? undefined : sell(amountIn);
  if (swapped === undefined) return undefined;
  return {
    amountIn: swapped.amountIn,
    amountOut: order.side === "in" ? swapped.amountOut : order.amount,
    gas: gas(state.shape.kind, state.surge !== null),
    next: after(state, order, swapped),
  };
}

/** The state after a swap. */
export function after(state: State, { i, j, at }: Omit<Order, "amount" | "side">, swapped: Swapped): State {
  const balances = state.balances.slice();
  balances[i] = balances[i]! + swapped.amountIn - swapped.charged;
  balances[j] = balances[j]! - swapped.amountOut;
  const solved = solvedAt(state, at.timestamp);
  if (state.shape.kind !== "reclamm" || solved?.kind !== "reclamm") return { ...state, balances };
  const pool = { ...state.shape.pool, virtual: solved.virtual, lastTimestamp: at.timestamp };
  return { ...state, balances, shape: { kind: "reclamm", pool } };
}
