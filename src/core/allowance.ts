import type { Address, Pool, PoolId } from "./types.ts";

/** The pools that a search may use, as plain data that can be sent to a thread. */
export type Allowance = {
  /** Deployment ids, including the wrapper's; "all" = every deployment. */
  readonly deployments: "all" | readonly string[];
  readonly avoided: readonly PoolId[];
  /** How many tokens of a pool must be vetted or be one of the two traded: none, two, or all of them. */
  readonly vetted: "none" | "two" | "all";
};

export const ALLOW_ALL: Allowance = { deployments: "all", avoided: [], vetted: "none" };

type Ends = { readonly tokenIn: Address; readonly tokenOut: Address };

/** The allowance as a predicate of pools, for a search between two tokens. */
export function allowedBy(
  { deployments, avoided, vetted }: Allowance,
  { tokenIn, tokenOut }: Ends,
  isVetted: (token: Address) => boolean,
): (pool: Pool) => boolean {
  const listed = deployments === "all" ? undefined : new Set(deployments);
  const refused = new Set(avoided);
  const isKnown = (token: Address) => token === tokenIn || token === tokenOut || isVetted(token);
  const crosses = {
    none: () => true,
    two: ({ tokens }: Pool) => tokens.filter(isKnown).length >= 2,
    all: ({ tokens }: Pool) => tokens.every(isKnown),
  }[vetted];
  return (pool) => (listed?.has(pool.deployment) ?? true) && !refused.has(pool.id) && crosses(pool);
}
