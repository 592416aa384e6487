import type { Registry, StepCode } from "../protocol.ts";
import { type Address, ALL_Q32, type Pool, type Route, type Step, type View } from "../types.ts";
import { stepKinds } from "./kinds.ts";
import { stepFlags, type WireRoute } from "./layout.ts";

export type EncodingContext = {
  readonly registry: Registry;
  /** The states with which the route was settled. */
  readonly view: View;
  /** Whether the pool may pay the recipient directly: `Deployment.trusted` of its deployment. */
  readonly trusts: (pool: Pool) => boolean;
  /** Whether the token's code is assumed to move balances only, and to call no other contract. */
  readonly vets: (token: Address) => boolean;
};

/** All tokens of the route: the one sold first, the one bought last. */
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
 * For each step, whether it may pay the next step's pool instead of the router. It may if the next step sells all of
 * that token and takes its input by transfer, and the router holds none of the token.
 */
function handovers(steps: readonly Laid[]): readonly boolean[] {
  const filled = new Set<number>([0]);
  return steps.map((step, index) => {
    const wasFilled = filled.has(step.dst);
    if (step.share === 0) filled.delete(step.src);
    filled.add(step.dst);
    const next = steps[index + 1];
    const before = steps[index - 1];
    // Consecutive v4 steps are settled together; only a v4 step on its own can pay a third party.
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
 * Plans the transfers of a settled route, with as few of them as is safe.
 *
 * A pool is paid directly by the previous one if it takes its input in advance. The recipient is paid directly if
 * every pool is trusted and runs no foreign code, and every token except the one bought is vetted. The threat: foreign
 * code called during the swap, of a pool, of a hook or of a token, could take the liquidity from which the swap is about to be paid, and use it to fill
 * another order of the same recipient. The balance check would then pass with money that was due anyway. The output
 * of a route with foreign code is therefore paid into the router's custody, and the router pays from its own balance
 * of the token bought only.
 *
 * @param buyFee whether a fee is taken from the token bought, for which the router must hold all of it
 * @throws Error if the route sells the token bought or buys the token sold, or a protocol is missing; all are bugs
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
    route.steps.every(({ pool }) => context.trusts(pool)) &&
    steps.every(({ code }) => code.runsForeignCode !== true) &&
    tokens.slice(0, last).every(context.vets);
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
