import type { Registry, StepCode } from "../protocol.ts";
import { type Address, ALL_Q32, type Pool, type Route, type Step, type View } from "../types.ts";
import { stepKinds } from "./kinds.ts";
import { stepFlags, type WireRoute } from "./layout.ts";

export type EncodingContext = {
  readonly registry: Registry;
  /** The states that the route was settled on. */
  readonly view: View;
  /** Whether the pool may pay the recipient itself: `Deployment.trusted` of the deployment that it was found under. */
  readonly trusts: (pool: Pool) => boolean;
  /** Whether the token's own code may be taken to move balances and to call nobody else. */
  readonly vets: (token: Address) => boolean;
};

/** Every token of the route once: the sold first, the bought last. */
function tableOf(route: Route): readonly Address[] {
  const between = new Set<Address>();
  for (const step of route.steps) between.add(step.pool.tokens[step.i]!).add(step.pool.tokens[step.j]!);
  between.delete(route.tokenIn);
  between.delete(route.tokenOut);
  return [route.tokenIn, ...between, route.tokenOut];
}

function codeOf(step: Step, context: EncodingContext): StepCode {
  const protocol = context.registry.get(step.pool.protocol);
  if (protocol === undefined) throw new Error(`no protocol ${step.pool.protocol} for pool ${step.pool.id}`);
  return protocol.encode(step.pool, context.view.get(step.pool.stateIds[0]), step.i, step.j);
}

type Laid = { readonly code: StepCode; readonly src: number; readonly dst: number; readonly share: number };

/**
 * Which steps may pay the next step's pool instead of the router: the next one takes all of that token, is paid before
 * it is called, and nothing of the token lies in the router.
 */
function handovers(steps: readonly Laid[]): readonly boolean[] {
  const filled = new Set<number>([0]);
  return steps.map((step, index) => {
    const wasFilled = filled.has(step.dst);
    if (step.share === 0) filled.delete(step.src);
    filled.add(step.dst);
    const next = steps[index + 1];
    const before = steps[index - 1];
    // Consecutive v4 steps are settled together, and only a step alone can pay a third party.
    const inRun = step.code.kind === stepKinds.v4 && before?.code.kind === stepKinds.v4;
    return (
      next !== undefined &&
      !wasFilled &&
      step.code.paysAnyone &&
      !inRun &&
      next.src === step.dst &&
      next.share === 0 &&
      next.code.intake === "transfer"
    );
  });
}

/**
 * Lays a settled route out for the router, by the cheapest way to move its tokens that the pools allow: users and pools
 * pay the next pool directly where it is paid in advance, and the recipient directly where every pool is trusted and every
 * token but the one bought is vetted. Code of anyone else that is called during the swap, of a pool or of a token, could
 * take the liquidity that it is about to be paid from and fill another order of the recipient instead, and so pass the
 * balance check with money that was due anyway. Such a route is paid into the router's custody, whose own balance of the
 * token bought is all that it can pay from.
 *
 * @param buyFee whether a fee is taken from the token bought, for which the router must hold all of it
 * @throws Error when the route sells the bought token or buys the sold one, or a protocol is missing: bugs, all of them
 */
export function planSteps(route: Route, buyFee: boolean, context: EncodingContext): WireRoute {
  const tokens = tableOf(route);
  const registers = new Map(tokens.map((token, index) => [token, index]));
  const last = tokens.length - 1;
  const steps = route.steps.map((step): Laid => {
    const src = registers.get(step.pool.tokens[step.i]!)!;
    const dst = registers.get(step.pool.tokens[step.j]!)!;
    if (src === last || dst === 0) throw new Error(`pool ${step.pool.id} runs against its route`);
    return { code: codeOf(step, context), src, dst, share: step.shareQ32 === ALL_Q32 ? 0 : step.shareQ32 };
  });
  const isKnown =
    route.steps.every(({ pool }) => context.trusts(pool)) && tokens.slice(0, last).every(context.vets);
  const direct = !buyFee && isKnown;
  const handed = handovers(steps);
  return {
    tokens,
    steps: steps.map(({ code, src, dst, share }, index) => {
      const flags =
        (code.zeroForOne ? stepFlags.zeroForOne : 0) |
        (handed[index - 1] ? stepFlags.prefunded : 0) |
        (direct && dst === last && code.paysAnyone ? stepFlags.toRecipient : 0) |
        (handed[index] ? stepFlags.toNext : 0);
      return { kind: code.kind, flags, src, dst, share, target: code.target, extra: code.extra };
    }),
  };
}
