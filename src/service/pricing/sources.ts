import type { Allowance } from "../../core/allowance.ts";
import { BraidError, shortened } from "../../core/errors.ts";
import { isMakerPool } from "../../core/rfq.ts";
import type { Chain, Deployment } from "../../core/types.ts";
import type { Deps } from "../deps.ts";
import { isWrapping, type SourceType, sourceType } from "./route-summary.ts";

/** A source of liquidity that include and exclude lists can name. */
export type Source = {
  readonly id: string;
  readonly name: string;
  readonly type: SourceType;
  /** Name of its design. */
  readonly protocol: string;
  readonly chainIds: readonly number[];
};

/** The sources that a request allows; `names` holds ids or names of sources, in upper or lower case. */
export type SourceWish = {
  /** "include": only the named sources; "exclude": all but the named ones. Without names, all sources. */
  readonly list: "include" | "exclude";
  readonly names: readonly string[];
  readonly rfqOnly: boolean;
};

/** All sources of the served chains, sorted by id; wrapping does not count as a source. */
export function sources(deps: Deps): Source[] {
  const byId = new Map<string, Source & { chainIds: number[] }>();
  for (const { chain } of deps.chains.values()) {
    for (const deployment of chain.deployments) {
      if (isWrapping(deployment)) continue;
      const { id, name, protocol } = deployment;
      const source = byId.get(id) ?? { id, name, type: sourceType(deployment), protocol, chainIds: [] };
      source.chainIds.push(chain.id);
      byId.set(id, source);
    }
  }
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Ids of the deployments that a request may use. Wrapping deployments are always included, and routes name them: a list
 * may name them too, which changes nothing. An unknown name in an exclude list is ignored.
 *
 * @throws BraidError VALIDATION where an include list names no source of this chain
 */
export function allowedSources(chain: Chain, wish: SourceWish): Allowance["deployments"] {
  if (wish.names.length === 0 && !wish.rfqOnly) return "all";
  const named = new Set(wish.names.map((name) => name.toLowerCase()));
  const isNamed = (deployment: Deployment) => namesOf(deployment).some((name) => named.has(name));
  const including = wish.list === "include" && named.size > 0;
  if (including && !chain.deployments.some(isNamed)) throw noSuchSource(chain, wish.names);
  const isAllowed = (deployment: Deployment) =>
    isNamed(deployment) === including && (!wish.rfqOnly || isMakerPool(deployment));
  return chain.deployments
    .filter((deployment) => isWrapping(deployment) || isAllowed(deployment))
    .map((deployment) => deployment.id);
}

/** The names of a wish that are no source of this chain, in lower case. */
export function unknownSources(chain: Chain, { names }: SourceWish): string[] {
  if (names.length === 0) return [];
  const known = new Set(chain.deployments.flatMap(namesOf));
  return [...new Set(names.map((name) => name.toLowerCase()))].filter((name) => !known.has(name));
}

/** What a wish can call a deployment, in lower case. */
const namesOf = ({ id, name }: Deployment): readonly string[] => [id.toLowerCase(), name.toLowerCase()];

function noSuchSource({ deployments }: Chain, names: readonly string[]): BraidError {
  const value = shortened(names.join(","));
  const candidates = deployments.filter((deployment) => !isWrapping(deployment));
  const known = candidates.map(({ id, name }) => `${id} (${name})`).join(", ");
  const reason = `names no source of this chain, but ${JSON.stringify(value)}; known are ${known === "" ? "none" : known}`;
  return new BraidError("VALIDATION", `Bad request: includeAggregator ${reason}.`, {
    details: [{ field: "includeAggregator", reason, value }],
  });
}
