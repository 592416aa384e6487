import { readNamed, writeNamed } from "../../../core/named-addresses.ts";
import type { Address, At, Call, Deployment, Hex, Pool, Refusal } from "../../../core/types.ts";
import type { HookedPool, HookRule } from "./rule.ts";

/** What a family finds out of a pool. */
export type Found = {
  readonly rule: HookRule;
  /** Whether the rule may change without a log of the manager, so that it holds for the next block only. */
  readonly ages: boolean;
  /** The pool as the next swap finds it, if its hook trades with the pool first; or why that cannot be told. */
  readonly prepare?: (state: HookedPool) => HookedPool | Refusal;
};

/** Hooks with the same code, or with code that treats a swap alike. */
export type HookFamily = {
  /** Calls still needed to find the rule, given the answers so far; `[]` = done. */
  reads(pool: Pool, answers: readonly Hex[]): readonly Call[];
  /** The rule from all answers, or why the pool is refused. */
  load(pool: Pool, answers: readonly Hex[], at: At): Found | Refusal;
};

/** What a pool's facts say of its hook. */
type HookFacts = {
  /** The name under which the deployment lists it; "" if it does not. */
  readonly family: string;
  /** Contracts that the deployment lists beside it (`writeNamed`): those whose names begin with the same word. */
  readonly helpers?: string;
};

const UNLISTED: HookFacts = { family: "" };

/** By the deployment's text of known hooks, facts by hook. Records have few texts, and pools are many. */
const known = new Map<string, ReadonlyMap<Address, HookFacts>>();

export function hookFacts(hooks: Address, { id, facts }: Deployment): HookFacts {
  const text = facts.hooks as string | undefined;
  if (text === undefined) return UNLISTED;
  const listed = known.get(text) ?? factsByHook(text, `deployment ${id}: hooks`);
  known.set(text, listed);
  return listed.get(hooks) ?? UNLISTED;
}

function factsByHook(text: string, owner: string): ReadonlyMap<Address, HookFacts> {
  const all = readNamed(text, owner);
  const wordOf = (name: string) => name.slice(0, name.indexOf("-") + 1);
  return new Map(
    all.map(({ name: family, address }) => {
      const beside = all.filter(({ name }) => name !== family && wordOf(name) === wordOf(family));
      const helpers = beside.map((one) => writeNamed({ [one.name]: one.address })).join(";");
      return [address, helpers === "" ? { family } : { family, helpers }];
    }),
  );
}

/** Addresses of contracts beside the hook that the pool's deployment lists under a name. */
export function helpersOf({ facts }: Pool, name: string): readonly Address[] {
  if (facts.helpers === undefined) return [];
  return readNamed(facts.helpers, "helpers of hooks")
    .filter((helper) => helper.name === name)
    .map(({ address }) => address);
}

/**
 * The one contract beside the hook that the pool's deployment lists under a name.
 *
 * @throws Error if it lists none: the record is wrong
 */
export function helperOf(pool: Pool, name: string): Address {
  const [helper] = helpersOf(pool, name);
  if (helper === undefined) throw new Error(`deployment ${pool.deployment}: hooks must list ${name}`);
  return helper;
}

/** No call of a hook before a swap takes or adds anything. */
export const NO_CUTS = { inputCuts: [0n, 0n], outputCuts: [0, 0] } as const;
