import { type GasScales, scaledGas } from "../../gas/gas-scales.ts";
import type { Protocol, Registry } from "../../protocol.ts";
import {
  type Address,
  ALL_Q32,
  type At,
  type Fill,
  type StateId,
  type Step,
  type View,
} from "../../types.ts";
import type { Overlay, PlannedStep } from "../types.ts";
import type { InputSaving } from "./input-saving.ts";

export type SettleContext = {
  readonly registry: Registry;
  readonly view: View;
  readonly at: At;
  /** Absent for callers that do not read the gas. */
  readonly gasScales?: GasScales;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
};

/** The exact amounts that a plan trades, or the index of the first step that cannot be filled, with what it threw. */
export type Settled =
  | {
      readonly kind: "settled";
      readonly steps: readonly Step[];
      readonly amountOut: bigint;
      readonly gas: number;
    }
  | { readonly kind: "failed"; readonly step: number; readonly error: unknown };

/** A view of a block's states on which writes of earlier steps take precedence; `base` stays unchanged. */
export function overlay(base: View): Overlay {
  const written = new Map<StateId, unknown>();
  return {
    get: (id) => (written.has(id) ? written.get(id) : base.get(id)),
    set: (id, state) => void written.set(id, state),
  };
}

/**
 * Runs a plan as the router does: each step sells its share of what is left in its token's register, rounded down, and
 * is quoted exactly on the states that the steps before it leave behind.
 *
 * A step fails where it would sell nothing, where the pool cannot fill it, or where the quote throws (`error`).
 *
 * @param saving estimates the input that a step need not sell; a step that pays no less with that much less input gets
 *   the smaller share, unless it sells all that is left
 */
export function settle(
  plan: readonly PlannedStep[],
  amountIn: bigint,
  context: SettleContext,
  saving: InputSaving = spendAll,
): Settled {
  const registers = new Map<Address, bigint>([[context.tokenIn, amountIn]]);
  const states = overlay(context.view);
  const desk = { ...context, states, saving };
  const steps: Step[] = [];
  let gas = 0;
  for (const [k, planned] of plan.entries()) {
    const { pool, i, j } = planned;
    const left = registers.get(pool.tokens[i]!) ?? 0n;
    const tried = fillSaving(desk, planned, k, left);
    if (tried === undefined || "error" in tried) return { kind: "failed", step: k, error: tried?.error };
    const { sold, shareQ32, fill } = tried;
    for (const [id, state] of fill.writes) states.set(id, state);
    registers.set(pool.tokens[i]!, left - sold);
    registers.set(pool.tokens[j]!, (registers.get(pool.tokens[j]!) ?? 0n) + fill.amountOut);
    const stepGas = scaledGas(context.gasScales ?? UNSCALED, pool, fill.gas);
    steps.push({ pool, i, j, shareQ32, amountIn: sold, amountOut: fill.amountOut, gas: stepGas });
    gas += stepGas;
  }
  return { kind: "settled", steps, amountOut: registers.get(context.tokenOut) ?? 0n, gas };
}

const UNSCALED: GasScales = new Map();
const spendAll: InputSaving = () => 0n;

/** The context of a settlement, with the states that earlier steps have written and the input saving. */
type Desk = SettleContext & { readonly states: View; readonly saving: InputSaving };

/** A step that can be filled: the amount sold, its share of the register, and the fill. */
type Tried = { readonly sold: bigint; readonly shareQ32: number; readonly fill: Fill };
type Failed = { readonly error: unknown } | undefined;

/**
 * Fills a step, with the input reduced by the estimated saving where it then pays no less. A step that sells all that
 * is left is not reduced, as no later step could sell what it saves.
 */
function fillSaving(desk: Desk, planned: PlannedStep, k: number, left: bigint): Tried | Failed {
  const whole = attempt(desk, planned, left);
  if (whole === undefined || "error" in whole || whole.shareQ32 === ALL_Q32) return whole;
  const kept = desk.saving(k, whole.sold, whole.fill.amountOut);
  if (kept === 0n) return whole;
  const shareQ32 = Number(((whole.sold - kept) << 32n) / left) + 1;
  if (shareQ32 >= whole.shareQ32) return whole;
  const less = attempt(desk, { ...planned, shareQ32 }, left);
  const paysAsMuch = less !== undefined && !("error" in less) && less.fill.amountOut >= whole.fill.amountOut;
  return paysAsMuch ? less : whole;
}

function attempt(
  { registry, states, at }: Desk,
  { pool, i, j, shareQ32 }: PlannedStep,
  left: bigint,
): Tried | Failed {
  const sold = shareQ32 === ALL_Q32 ? left : (left * BigInt(shareQ32)) >> 32n;
  if (sold <= 0n) return undefined;
  const protocol = registry.get(pool.protocol) as Protocol;
  try {
    const fill = protocol.quote(states, pool, i, j, sold, "in", at);
    const isFilled = fill !== undefined && fill.amountIn === sold && fill.amountOut > 0n;
    return isFilled ? { sold, shareQ32, fill } : undefined;
  } catch (error) {
    return { error };
  }
}
