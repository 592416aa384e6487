import { byNumber, curveVariants, stepKinds } from "../encoding/kinds.ts";
import { stepFlags, type WireRoute, type WireStep } from "../encoding/layout.ts";
import { type Address, NATIVE } from "../types.ts";

/** How a laid-out route differs from its steps one by one, as far as gas is concerned. */
export type RouterWork = {
  /**
   * Balances that the router is given where it had none, less those that the steps' own figures have in them: below zero
   * where two neighbours count the same one.
   */
  readonly heldTokens: number;
  /** How often a pool pays the native coin to the router; unwrapping has that in its figure. */
  readonly heldNatives: number;
  /** Steps that share the settlement of the step before them. */
  readonly joinedSteps: number;
  /** Steps over a vault of many pools that a step before them has called. */
  readonly warmVaults: number;
  /** No step needs more gas where the price has moved on. */
  readonly isSteady: boolean;
};

/** What the gas of a kind's steps depends on. */
type KindWork = {
  /** Its pools cross no ticks, iterate little, and keep no history. Of Curve's that is so for one of its variants. */
  readonly isSteady: boolean | "where int128";
  /** Its pools take from the router alone, and their figures bring the token there. */
  readonly takesFromRouter: boolean;
  /** Its pools pay the router alone, and their figures have that balance in them. */
  readonly paysRouter: boolean;
  /** One contract holds what all its pools have. Steps of v4 over one manager are settled together instead. */
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
  converter: PULLING,
});

/** @throws Error where no step has that kind */
function workOf(kind: number): KindWork {
  const work = works[kind];
  if (work === undefined) throw new Error(`no step has kind ${kind}`);
  return work;
}

/** @param route without permits at its head, as `planSteps` gives it */
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

/** Balances of the router that the step's own figure has in it; the payer's token, which only they bring there, apart. */
function countedBy({ kind, src, dst }: WireStep, tokens: readonly Address[]): number {
  const { takesFromRouter, paysRouter } = workOf(kind);
  const takes = takesFromRouter && src !== 0 && tokens[src] !== NATIVE;
  const isPaid = paysRouter && tokens[dst] !== NATIVE;
  return (takes ? 1 : 0) + (isPaid ? 1 : 0);
}

/** How often a pool pays a token to the router that has none of it. */
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

/** Of Curve's pools those whose `exchange` takes int128 have one curve, and neither bands nor a price that is moved. */
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

/** A token that one v4 step leaves with the manager for the next. */
const staysInside = (step: WireStep, next: WireStep | undefined): boolean =>
  next !== undefined && joins(next, step) && next.src === step.dst && next.share === 0;
