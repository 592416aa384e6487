import { byNumber, curveVariants, stepKinds } from "../encoding/kinds.ts";
import { stepFlags, type WireRoute, type WireStep } from "../encoding/layout.ts";
import { type Address, NATIVE } from "../types.ts";

/** How the gas of an encoded route differs from the sum of its steps' figures. */
export type RouterWork = {
  /**
   * Number of router balances that become nonzero, less those already in the figures of the steps; negative if two
   * neighbouring steps count the same balance.
   */
  readonly heldTokens: number;
  /** Number of payments of the native coin by pools to the router; unwrapping has that in its figure. */
  readonly heldNatives: number;
  /** Number of steps that share the settlement of the step before them. */
  readonly joinedSteps: number;
  /** Number of steps that call a vault of many pools already called by an earlier step. */
  readonly warmVaults: number;
  /** Whether no step needs more gas if the price has moved. */
  readonly isSteady: boolean;
};

/** Properties of a step kind that determine its gas. */
type KindWork = {
  /** Its pools cross no ticks, iterate little, and keep no history. For Curve this holds for one variant only. */
  readonly isSteady: boolean | "where int128";
  /** Its pools take their input from the router only; their figures include the transfer of the token to the router. */
  readonly takesFromRouter: boolean;
  /** Its pools pay the router only; their figures include that balance. */
  readonly paysRouter: boolean;
  /**
   * One contract holds the tokens of all its pools. v4 is not counted here: its steps over one manager are settled
   * together. Neither is PancakeSwap Infinity: each step locks the Vault for itself.
   */
  readonly isVault: boolean;
};

const MOVING: KindWork = { isSteady: false, takesFromRouter: false, paysRouter: false, isVault: false };
const STEADY: KindWork = { ...MOVING, isSteady: true };
const PULLING: KindWork = { ...STEADY, takesFromRouter: true };

const works = byNumber<KindWork>({
  v2: STEADY,
  solidly: MOVING,
  v3: MOVING,
  v4: MOVING,
  balancerV2: { ...PULLING, isVault: true },
  curve: { ...PULLING, isSteady: "where int128", paysRouter: true },
  wrap: { ...PULLING, paysRouter: true },
  balancerV3: { ...MOVING, isVault: true },
  dodoV2: MOVING,
  dodoV1: { ...PULLING, isSteady: false, paysRouter: true },
  erc4626: PULLING,
  liquidityBook: MOVING,
  wooFi: STEADY,
  maverickV1: MOVING,
  rfq: STEADY,
  v2Fee: STEADY,
  permit: MOVING,
  permit2: MOVING,
  airSwap: PULLING,
  infinity: MOVING,
  ekubo: { ...MOVING, isVault: true },
  fluid: { ...PULLING, isSteady: false },
  fluidLite: { ...PULLING, isSteady: false, isVault: true },
  converter: PULLING,
  maverickV2: MOVING,
  iziswap: MOVING,
});

/** @throws Error if the kind is unknown */
function workOf(kind: number): KindWork {
  const work = works[kind];
  if (work === undefined) throw new Error(`no step has kind ${kind}`);
  return work;
}

/** The gas corrections of a route. @param route without permit steps, as `planSteps` returns it */
export function routerWork(route: WireRoute): RouterWork {
  const { tokens, steps } = route;
  const counted = steps.reduce((sum, step) => sum + countedBy(step, tokens), 0);
  return {
    heldTokens: filledBalances(route) - counted,
    heldNatives: steps.filter((step, index) => paysNative(step, steps[index + 1], tokens)).length,
    joinedSteps: steps.filter((step, index) => joins(step, steps[index - 1])).length,
    warmVaults: steps.filter((step, index) => callsAgain(step, steps.slice(0, index))).length,
    isSteady: steps.every(isSteady),
  };
}

/**
 * Number of router balances that the step's figure includes. The token sold by the user is excluded: only these steps
 * bring it to the router.
 */
function countedBy({ kind, src, dst }: WireStep, tokens: readonly Address[]): number {
  const { takesFromRouter, paysRouter } = workOf(kind);
  const takes = takesFromRouter && src !== 0 && tokens[src] !== NATIVE;
  const isPaid = paysRouter && tokens[dst] !== NATIVE;
  return (takes ? 1 : 0) + (isPaid ? 1 : 0);
}

/** Number of payments of a token to a router that holds none of it. */
function filledBalances({ tokens, steps }: WireRoute): number {
  const filled = new Set<number>();
  let count = 0;
  for (const [index, step] of steps.entries()) {
    if (step.share === 0) filled.delete(step.src);
    const isPaid = !isPaidElsewhere(step) && !staysInside(step, steps[index + 1]);
    if (!isPaid || tokens[step.dst] === NATIVE || filled.has(step.dst)) continue;
    filled.add(step.dst);
    count++;
  }
  return count;
}

/** Curve pools whose `exchange` takes int128 have a fixed curve, without bands and without a moving price scale. */
function isSteady({ kind, extra }: WireStep): boolean {
  const { isSteady: steady } = workOf(kind);
  if (steady !== "where int128") return steady;
  return (Number.parseInt(extra.slice(-2), 16) & curveVariants.uint256Indexes) === 0;
}

const paysNative = (step: WireStep, next: WireStep | undefined, tokens: readonly Address[]): boolean =>
  tokens[step.dst] === NATIVE &&
  step.kind !== stepKinds.wrap &&
  !isPaidElsewhere(step) &&
  !staysInside(step, next);

const callsAgain = ({ kind, target }: WireStep, before: readonly WireStep[]): boolean =>
  workOf(kind).isVault && before.some((step) => step.kind === kind && step.target === target);

const isPaidElsewhere = ({ flags }: WireStep): boolean =>
  (flags & (stepFlags.toNext | stepFlags.toRecipient)) !== 0;

const joins = (step: WireStep, before: WireStep | undefined): boolean =>
  step.kind === stepKinds.v4 && before?.kind === stepKinds.v4 && before.target === step.target;

/** Whether a v4 step leaves its output with the manager for the next step. */
const staysInside = (step: WireStep, next: WireStep | undefined): boolean =>
  next !== undefined && joins(next, step) && next.src === step.dst && next.share === 0;
