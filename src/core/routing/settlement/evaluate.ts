/**
 * Settlement: what a route pays in exact integer amounts.
 *
 * In:  flows by edge in doubles, the amount sold, and the states of one block.
 * Out: a program of steps in topological order, each with its share q of what its token's register holds (`layout.ts`),
 *      run as the router runs it: sold_k = ⌊q_k·held⌋, bought_k by the protocol's exact integer quote on the states
 *      that the steps before it leave behind (`settle.ts`); and net = amount out - ⌈gas·price⌉, by which all candidates
 *      compare.
 * The last step that sells a token sells all that is left of it. Steps that cannot be filled are dropped.
 * O(legs) quotes. Reference: the router's program, `core/encoding/plan.ts` and contracts/README.md.
 */
import type { Route } from "../../types.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Faults, RouteRequest } from "../types.ts";
import { type InputSaving, inputSavingOf } from "./input-saving.ts";
import { type Ends, type Flow, type LaidStep, layOut } from "./layout.ts";
import { type SettleContext, type Settled, settle } from "./settle.ts";

/** A settled route and its net amount: the amount out, less the cost of gas where the request counts gas. */
export type Judged = {
  readonly route: Route;
  readonly gas: number;
  readonly net: bigint;
  /** The flows of the route, without those whose steps could not be filled. */
  readonly flows: readonly Flow[];
  /** The steps with the shares that were settled; `settle` can run them again for another amount. */
  readonly plan: readonly LaidStep[];
};

/** What one search passes to `judge` with every candidate. */
export type Trial = {
  readonly graph: Graph;
  readonly request: RouteRequest;
  readonly ends: Ends;
  /** Smallest units of the token bought for one unit of gas; 0 where gas is not counted or has no price. */
  readonly outPerGas: number;
  readonly faults: Faults;
  /** Edges that could not be filled with what a route of the present search sells to them. */
  readonly refused: Set<number>;
  /** Milliseconds spent on settling, by the request's clock. */
  readonly spent: { settleMs: number };
};

export function settleContext({ graph, request, ends }: Trial): SettleContext {
  const { registry, view, gasScales } = graph;
  return { registry, view, at: request.at, gasScales, ...ends };
}

/** Settles a plan exactly and adds the elapsed time to `spent`. */
export function settleTimed(trial: Trial, plan: readonly LaidStep[], amountIn: bigint, saving?: InputSaving) {
  const { spent, request } = trial;
  const begun = request.now();
  const settled = settle(plan, amountIn, settleContext(trial), saving);
  spent.settleMs += request.now() - begun;
  return settled;
}

/**
 * Evaluates a candidate for all searches alike: lays the flows out as steps, settles these exactly, and computes the
 * net amount. A step that cannot be filled is dropped, and the rest is laid out and settled again. A pool whose design
 * throws is dropped in the same way and counted as a fault; it stays available to other requests, since the amount that
 * made it throw is the caller's.
 *
 * @returns undefined where no step is left, no path joins the ends, or a wrap is missing or cannot be filled
 */
export function judge(trial: Trial, flows: readonly Flow[], amountIn: bigint): Judged | undefined {
  const { values, nodeOf } = trial.graph;
  const value = Number(amountIn) * values.ref[nodeOf.get(trial.ends.tokenIn)!]!;
  let kept = flows;
  while (kept.length > 0) {
    const plan = layOut(trial.graph, kept, trial.ends);
    if (plan === undefined) return undefined;
    const settled = settleTimed(trial, plan, amountIn, inputSavingOf(trial.graph, plan, value));
    if (settled.kind === "settled")
      return weighed(trial, { plan: withShares(plan, settled), flows: kept, amountIn }, settled);
    const failed = plan[settled.step]!;
    if (settled.error !== undefined) {
      trial.faults.threw++;
      trial.faults.pools.add(failed.pool.id);
    }
    if (failed.edge < 0) return undefined;
    trial.refused.add(failed.edge);
    kept = kept.filter(({ edge }) => edge !== failed.edge);
  }
  return undefined;
}

/** The plan with its shares replaced by those that were settled; input saving may have lowered some. */
function withShares(plan: readonly LaidStep[], { steps }: Filled): readonly LaidStep[] {
  return plan.map((step, k) => ({ ...step, shareQ32: steps[k]!.shareQ32 }));
}

/** A settled plan, the flows that it was laid out from, and the amount sold. */
type Tried = Pick<Judged, "plan" | "flows"> & { readonly amountIn: bigint };

/** Makes a settled plan a route and computes its net amount. */
export function weighed(trial: Trial, { plan, flows, amountIn }: Tried, settled: Filled): Judged {
  const { steps, amountOut, gas } = settled;
  const route: Route = { ...trial.ends, amountIn, amountOut, steps };
  return { route, gas, net: amountOut - gasCost(trial, gas), flows, plan };
}

type Filled = Extract<Settled, { readonly kind: "settled" }>;

/** The cost of `gas` units of gas in smallest units of the token bought, rounded up; 0 where gas has no price. */
export function gasCost({ outPerGas }: Trial, gas: number): bigint {
  const cost = gas * outPerGas;
  return cost > 0 && cost < Number.MAX_VALUE ? BigInt(Math.ceil(cost)) : 0n;
}

/** The one of larger net amount, then the one of less gas, then the first, so that the result is deterministic. */
export function better(a: Judged | undefined, b: Judged | undefined): Judged | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.net !== b.net) return b.net > a.net ? b : a;
  return b.gas < a.gas ? b : a;
}
