import type { ConcentratedMirror } from "../../../core/math/concentrated/concentrated-mirror.ts";
import {
  type DirectionalMirror,
  directionalCurve,
  directionalFloat,
} from "../../../core/math/sampling/directional-mirror.ts";
import type { Curve } from "../../../core/protocol.ts";
import type { Order, Trade } from "../../shared/own-state.ts";
import {
  type GasFigures,
  MAX_AMOUNT,
  type ManagedPool,
  managedMirror,
  managedTrade,
} from "../../shared/pool-managers/pool-manager.ts";

/**
 * What a pool's hook does to a swap, as plain data. All covered hooks have this form: a fee of the liquidity providers
 * that depends on the direction, and shares of the input and of the output that the hook keeps.
 *
 * Pairs are by the token sold: the first is for sales of token 0.
 */
export type HookRule = {
  /** Fees of the liquidity providers in parts per million; null if they are the pool's own. */
  readonly fees: readonly [number, number] | null;
  /** Share of the input that the hook takes before the swap, with 18 decimals; the amount is rounded down. */
  readonly inputCuts: readonly [bigint, bigint];
  /** Share of the output that the hook takes after the swap, in parts per million; the amount is rounded down. */
  readonly outputCuts: readonly [number, number];
  /** Gas units that the hook adds to a swap. */
  readonly gas: number;
  /**
   * When the hook itself swaps with the pool or changes its liquidity. The state after a swap is then not known: if it
   * does so after the swap, until logs tell it; if before the next one, until it is read, and a state has the price
   * that the next swap finds.
   */
  readonly moves: "never" | "after" | "before";
};

/** A pool of the manager whose hook, if it has one that is called around swaps, follows `rule`. */
export type HookedPool = ManagedPool & {
  /** Null if no hook is called around swaps. */
  readonly rule: HookRule | null;
  /** Whether a swap of the same route has called a hook that moves the pool: it cannot be quoted again. */
  readonly spent: boolean;
};

const ONE = 10n ** 18n;
const PPM = 1_000_000n;

/**
 * Sells to or buys from the pool without a price limit, hook included. The router always sells an exact input, so a
 * purchase is the least input of which the sale pays the amount, not the hook's exact-output swap.
 *
 * @returns undefined as `managedTrade`, and if the pool is `spent`
 * @source Uniswap/v4-core src/libraries/Hooks.sol beforeSwap, afterSwap: deltas of the hook are part of the swap's
 */
export function hookedTrade(
  figures: GasFigures,
  state: HookedPool,
  order: Order,
): Trade<HookedPool> | undefined {
  const { rule } = state;
  if (rule === null) return managedTrade(figures, state, order);
  if (state.spent || order.amount <= 0n || order.amount > MAX_AMOUNT) return undefined;
  const side = order.i === 0 ? 0 : 1;
  const pool = withFee(state, rule, side);
  const cuts = [rule.inputCuts[side], rule.outputCuts[side]] as const;
  const done = order.side === "in" ? sold(figures, pool, order, cuts) : bought(figures, pool, order, cuts);
  if (done === undefined) return undefined;
  const next = { ...done.next, feePpm: state.feePpm, spent: rule.moves !== "never" };
  return { amountIn: done.amountIn, amountOut: done.amountOut, gas: done.gas + rule.gas, next };
}

/** The pool with the fee that the rule has for sales of a token. */
function withFee(state: HookedPool, { fees }: HookRule, side: 0 | 1): HookedPool {
  return fees === null ? state : { ...state, feePpm: fees[side] };
}

/** What is left of an input after the hook's share of it. */
export function afterInputCut(amount: bigint, inputCut: bigint): bigint {
  return amount - (amount * inputCut) / ONE;
}

/** Shares that the hook takes of the input and of the output; units as in `HookRule`. */
type Cuts = readonly [bigint, number];

function sold(
  figures: GasFigures,
  pool: HookedPool,
  order: Order,
  [inputCut, outputCut]: Cuts,
): Trade<HookedPool> | undefined {
  const amount = afterInputCut(order.amount, inputCut);
  const done = managedTrade(figures, pool, { ...order, amount });
  if (done === undefined || overflows(done.amountOut, outputCut)) return undefined;
  const amountOut = done.amountOut - (done.amountOut * BigInt(outputCut)) / PPM;
  return amountOut > 0n ? { ...done, amountIn: order.amount, amountOut } : undefined;
}

function bought(
  figures: GasFigures,
  pool: HookedPool,
  order: Order,
  [inputCut, outputCut]: Cuts,
): Trade<HookedPool> | undefined {
  const amount = leastBefore(order.amount, BigInt(outputCut), PPM);
  const done = managedTrade(figures, pool, { ...order, amount });
  if (done === undefined || overflows(done.amountOut, outputCut)) return undefined;
  const amountIn = leastBefore(done.amountIn, inputCut, ONE);
  return amountIn <= MAX_AMOUNT ? { ...done, amountIn, amountOut: order.amount } : undefined;
}

/** Whether the hook's multiplication of an output with its share leaves int128. */
function overflows(amountOut: bigint, outputCut: number): boolean {
  return amountOut * BigInt(outputCut) > MAX_AMOUNT;
}

/** The least amount of which `net` is left after a share of `cut`/`unit`, rounded down, is taken. */
export function leastBefore(net: bigint, cut: bigint, unit: bigint): bigint {
  // x - floor(x·cut/unit) = ceil(x·(unit - cut)/unit) ≥ net  ⇔  x·(unit - cut) > (net - 1)·unit
  return ((net - 1n) * unit) / (unit - cut) + 1n;
}

/** The pool in doubles: one mirror per direction, and the share of its output that the hook leaves. */
export type HookedMirror = {
  readonly sides: DirectionalMirror;
  readonly pays: readonly [number, number];
  /** Gas units that the hook adds. */
  readonly gas: number;
};

const WHOLE = [1, 1] as const;

export function hookedMirror(state: HookedPool): HookedMirror {
  const { rule } = state;
  if (rule === null) return { sides: managedMirror(state), pays: WHOLE, gas: 0 };
  const side = (k: 0 | 1): ConcentratedMirror => {
    const pool = withFee(state, rule, k);
    const mirror = managedMirror(state.spent ? { ...pool, sqrtPriceX96: 0n } : pool)[k];
    return { ...mirror, keep: mirror.keep * (1 - Number(rule.inputCuts[k]) / 1e18) };
  };
  const [cut0, cut1] = rule.outputCuts;
  return { sides: [side(0), side(1)], pays: [1 - cut0 / 1e6, 1 - cut1 / 1e6], gas: rule.gas };
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function hookedFloat({ sides, pays }: HookedMirror, i: number, j: number, x: number): number {
  return directionalFloat(sides, i, j, x) * pays[i === 0 ? 0 : 1];
}

/** The curve of a direction: one exact segment per range. */
export function hookedCurve({ sides, pays }: HookedMirror, i: number, j: number): Curve {
  const curve = directionalCurve(sides, i, j);
  const share = pays[i === 0 ? 0 : 1];
  if (share === 1) return curve;
  const scaled = (lane: Curve["y"]) => Array.from(lane, (value) => value * share);
  return { ...curve, y: scaled(curve.y), m: scaled(curve.m) };
}
