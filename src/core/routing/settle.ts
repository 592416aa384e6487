import type { Protocol, Registry } from "../protocol.ts";
import { type Address, ALL_Q32, type At, type Fill, type StateId, type Step, type View } from "../types.ts";
import type { Overlay, PlannedStep } from "./types.ts";

export type SettleContext = {
  readonly registry: Registry;
  readonly view: View;
  readonly at: At;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
};

/** What a plan pays to the wei, or the first step that cannot be filled. */
export type Settled =
  | {
      readonly kind: "settled";
      readonly steps: readonly Step[];
      readonly amountOut: bigint;
      readonly gas: number;
    }
  | { readonly kind: "failed"; readonly step: number; readonly error: unknown };

/** A view that remembers what earlier hops wrote over the states of a block. */
export function overlay(base: View): Overlay {
  const written = new Map<StateId, unknown>();
  return {
    get: (id) => (written.has(id) ? written.get(id) : base.get(id)),
    set: (id, state) => void written.set(id, state),
  };
}

/**
 * Runs a plan as the router will: each step takes its share of what is left in its token's register, rounded
 * down, and is quoted exactly on the states that the steps before it left behind.
 *
 * A step that would take nothing fails, as does one that the pool cannot fill or that throws (`error`).
 */
export function settle(plan: readonly PlannedStep[], amountIn: bigint, context: SettleContext): Settled {
  const registers = new Map<Address, bigint>([[context.tokenIn, amountIn]]);
  const states = overlay(context.view);
  const steps: Step[] = [];
  let gas = 0;
  for (const [k, planned] of plan.entries()) {
    const { pool, i, j, shareQ32 } = planned;
    const left = registers.get(pool.tokens[i]!) ?? 0n;
    const taken = shareQ32 === ALL_Q32 ? left : (left * BigInt(shareQ32)) >> 32n;
    const fill = attempt(planned, taken, states, context);
    if (fill === undefined || "error" in fill) return { kind: "failed", step: k, error: fill?.error };
    for (const [id, state] of fill.writes) states.set(id, state);
    registers.set(pool.tokens[i]!, left - taken);
    registers.set(pool.tokens[j]!, (registers.get(pool.tokens[j]!) ?? 0n) + fill.amountOut);
    steps.push({ pool, i, j, shareQ32, amountIn: taken, amountOut: fill.amountOut, gas: fill.gas });
    gas += fill.gas;
  }
  return { kind: "settled", steps, amountOut: registers.get(context.tokenOut) ?? 0n, gas };
}

function attempt(
  { pool, i, j }: PlannedStep,
  amount: bigint,
  states: View,
  { registry, at }: SettleContext,
): Fill | { readonly error: unknown } | undefined {
  if (amount <= 0n) return undefined;
  const protocol = registry.get(pool.protocol) as Protocol;
  try {
    const fill = protocol.quote(states, pool, i, j, amount, "in", at);
    return fill !== undefined && fill.amountIn === amount && fill.amountOut > 0n ? fill : undefined;
  } catch (error) {
    return { error };
  }
}
