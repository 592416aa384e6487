import type { Protocol } from "../../core/protocol.ts";
import { ALL_Q32, type PoolId, type Route, type StateId, type Step, type View } from "../../core/types.ts";
import type { Deps } from "../deps.ts";
import { tokensOf } from "../pricing/flow.ts";
import type { Priced } from "../pricing/price.ts";
import { isWrapping } from "../pricing/route-summary.ts";
import { type Outcome, type Trial, tryOut } from "./simulation.ts";
import { NO_FEES, swapCall } from "./swap-call.ts";

/** Which pools made execution differ from its quote, for this wallet and its tokens. */
type Blame = {
  /** Pools seen to pay this wallet something else than they quote, on the same block. */
  readonly differing: readonly PoolId[];
  /** Every pool of the route: to be avoided where none is seen to differ. */
  readonly suspects: readonly PoolId[];
};

/**
 * Finds the pools that do not pay this wallet what they quote. Each pool of the route is run at the end of one chain of
 * pools that leads to it, paid to the taker and without fees; the first of a chain that pays something else differs. A
 * chain that reverts shows nothing: the reason may lie with the wallet or a token's list. The wallet or a token may have
 * moved the pool during the run, so the result counts for this request and for no other.
 *
 * @throws BraidError STALE_STATE when no node answers
 */
export async function blame(deps: Deps, priced: Priced, trial: Trial): Promise<Blame> {
  const { steps } = priced.offer.route;
  const verdicts = new Map<Step, boolean | undefined>();
  await Promise.all(
    steps.map(async (step) => {
      verdicts.set(step, await pays(deps, priced, trial, chainTo(step, steps)));
    }),
  );
  const pools = steps.filter((step) => !isWrapping(step.pool));
  const differing = pools.filter((step) => {
    const before = chainTo(step, steps).slice(0, -1);
    return verdicts.get(step) === false && before.every((each) => verdicts.get(each) !== false);
  });
  return { differing: ids(differing), suspects: ids(pools) };
}

const ids = (steps: readonly Step[]): PoolId[] => [...new Set(steps.map((step) => step.pool.id))];

/** The steps that lead to one, from the first token on, always by the earliest step that feeds a token. */
function chainTo(step: Step, steps: readonly Step[]): readonly Step[] {
  const chain = [step];
  let [needed] = tokensOf(step);
  for (let index = steps.indexOf(step) - 1; index >= 0; index--) {
    const feeder = steps.slice(0, index + 1).find((each) => tokensOf(each)[1] === needed);
    if (feeder === undefined) break;
    chain.unshift(feeder);
    index = steps.indexOf(feeder);
    [needed] = tokensOf(feeder);
  }
  return chain;
}

/** Whether a chain of pools pays on the same block what it quotes; undefined where that cannot be told. */
async function pays(
  deps: Deps,
  { served, at, view }: Priced,
  trial: Trial,
  chain: readonly Step[],
): Promise<boolean | undefined> {
  const route = settleChain(chain, (name) => deps.registry.get(name), view, at);
  if (route === undefined) return undefined;
  const call = swapCall(
    route,
    {
      amountIn: route.amountIn,
      minimumOut: 1n,
      recipient: undefined,
      deadline: at.timestamp + deps.settings.deadlineSeconds,
      fees: NO_FEES,
    },
    { served, registry: deps.registry, view },
  );
  const outcome: Outcome = await tryOut(served, { ...trial, call, amountIn: route.amountIn });
  if (outcome.kind === "reverted" || !outcome.sameBlock) return undefined;
  return outcome.paid === route.amountOut;
}

/** The exact route through pools in a row, selling what the first of them sold in the offer. */
function settleChain(
  chain: readonly Step[],
  protocolOf: (name: string) => Protocol | undefined,
  view: View,
  at: Priced["at"],
): Route | undefined {
  const writes = new Map<StateId, unknown>();
  const overlay: View = { get: (id) => (writes.has(id) ? writes.get(id) : view.get(id)) };
  const steps: Step[] = [];
  let amount = chain[0]!.amountIn;
  for (const step of chain) {
    const { pool, i, j } = step;
    const fill = protocolOf(pool.protocol)?.quote(overlay, pool, i, j, amount, "in", at);
    if (fill === undefined) return undefined;
    for (const [id, state] of fill.writes) writes.set(id, state);
    steps.push({ ...step, shareQ32: ALL_Q32, amountIn: fill.amountIn, amountOut: fill.amountOut });
    amount = fill.amountOut;
  }
  const tokenIn = tokensOf(chain[0]!)[0];
  const tokenOut = tokensOf(chain.at(-1)!)[1];
  return { tokenIn, tokenOut, amountIn: chain[0]!.amountIn, amountOut: amount, steps };
}
