import type { Protocol } from "../../core/protocol.ts";
import { ALL_Q32, type PoolId, type Route, type StateId, type Step, type View } from "../../core/types.ts";
import type { Deps } from "../deps.ts";
import { tokensOf } from "../pricing/flow.ts";
import type { Priced } from "../pricing/price.ts";
import { isWrapping } from "../pricing/route-summary.ts";
import { type Outcome, type Trial, tryOut } from "./simulation.ts";
import { NO_FEES, swapCall } from "./swap-call.ts";

/** The pools that made execution differ from the quote, for this wallet and its tokens. */
type Blame = {
  /** Pools that paid this wallet another amount than they quote, on the same block. */
  readonly differing: readonly PoolId[];
  /** Every pool of the route except wraps; they are avoided where no single pool is found to differ. */
  readonly suspects: readonly PoolId[];
};

/**
 * Finds the pools that do not pay this wallet what they quote. Each pool of the route is simulated as the end of one
 * path of pools that leads to it, paid to the taker and without fees; the first pool of a path that pays another amount
 * differs. A path that reverts proves nothing, since the cause may be the wallet or a deny list of a token. The wallet
 * or a token may have changed the pool during the simulation, so the result is valid for this request only.
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

/** The path of steps from the first token to a step; each token on it comes from the earliest step that buys it. */
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

/** Whether a path of pools pays on the same block what it quotes; undefined where the simulation is not conclusive. */
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

/** The exact route along a path of pools, for the amount that its first step sells in the offer. */
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
