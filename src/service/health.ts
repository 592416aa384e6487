import type { Head } from "../core/types.ts";
import { unfitness } from "./chain.ts";
import type { Deps } from "./deps.ts";
import type { MarketPort, PoolCheckPort, QuarantinedPool } from "./ports/ports.ts";
import type { Coverage } from "./ports/ports-discovery.ts";
import type { EndpointReport } from "./ports/ports-endpoints.ts";
import type { MakerHealth } from "./ports/ports-makers.ts";

/** State of one chain, for operators. */
export type ChainHealth = {
  readonly chainId: number;
  readonly name: string;
  readonly phase: "starting" | "live";
  /** Why the chain cannot be priced now; undefined where it can. */
  readonly trouble: string | undefined;
  /** Whether the chain was live at some time since the start. */
  readonly wasReady: boolean;
  /** Progress of discovery; undefined where all pools were known before the first price. */
  readonly coverage: Coverage | undefined;
  /** Why nothing can be swapped through the router; undefined where the router is deployed. */
  readonly routerTrouble: string | undefined;
  readonly head: Head | undefined;
  readonly ageMs: number | undefined;
  /** Since the newest block came. */
  readonly headAgeMs: number | undefined;
  readonly counts: ReturnType<MarketPort["counts"]>;
  readonly checks: ReturnType<PoolCheckPort["counts"]>;
  /** In the order of the configuration. */
  readonly endpoints: readonly EndpointReport[];
  /** Empty where none are configured. */
  readonly makers: readonly MakerHealth[];
};

/** Health of every served chain, sorted by id. */
export function health(deps: Deps): ChainHealth[] {
  return [...deps.chains.values()]
    .sort((a, b) => a.chain.id - b.chain.id)
    .map((served) => {
      const { chain, market, checks } = served;
      const status = market.status();
      return {
        chainId: chain.id,
        name: chain.name,
        phase: status.phase,
        trouble: unfitness(served, deps.settings.maxStateAgeMs),
        wasReady: status.phase === "live" || status.wasLive === true,
        coverage: served.discovery?.coverage(),
        routerTrouble: served.routerTrouble(),
        head: status.phase === "live" ? status.head : undefined,
        ageMs: status.phase === "live" ? status.ageMs : undefined,
        headAgeMs: status.phase === "live" ? status.headAgeMs : undefined,
        counts: market.counts(),
        checks: checks.counts(),
        endpoints: served.endpoints?.() ?? [],
        makers: served.makers?.health() ?? [],
      };
    });
}

/** The quarantined pools of a chain, with the reasons. */
export function quarantinedOn(deps: Deps, chainId: number): readonly QuarantinedPool[] {
  return deps.chains.get(chainId)?.market.quarantined() ?? [];
}
