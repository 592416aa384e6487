import { readNamed } from "../../../core/named-addresses.ts";
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

/** The deployment's text of known hooks, by name and address. Records have few texts, and pools are many. */
const known = new Map<string, ReadonlyMap<Address, string>>();

/** The name under which a deployment lists a hook; "" if it does not. */
export function familyOf(hooks: Address, { id, facts }: Deployment): string {
  const text = facts.hooks;
  if (text === undefined) return "";
  const names =
    known.get(text as string) ??
    new Map(readNamed(text, `deployment ${id}: hooks`).map(({ name, address }) => [address, name]));
  known.set(text as string, names);
  return names.get(hooks) ?? "";
}

/** Addresses of contracts beside the hook that the pool's deployment lists under a name. */
export function helpersOf({ facts }: Pool, name: string): readonly Address[] {
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
