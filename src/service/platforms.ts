import type { Chain } from "../core/types.ts";
import type { Deps } from "./deps.ts";

/** The served chains, sorted by id. */
export function platforms(deps: Deps): Chain[] {
  return [...deps.chains.values()].map((served) => served.chain).sort((a, b) => a.id - b.id);
}
