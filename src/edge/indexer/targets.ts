import { performance } from "node:perf_hooks";
import type { Market } from "../market/market.ts";
import type { EndpointHead } from "../node/node.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import { choose, targetOf } from "./choose.ts";
import type { Ring } from "./ring.ts";
import type { Target } from "./sync.ts";

/** Which of the reported heads is followed. */
export type Targets = {
  /** The head to follow; undefined where none is newer, or where a lower fork has not lasted for long enough yet. */
  next(ring: Ring): Target | undefined;
  /** The highest head that the nodes report. @throws NodeFailure where no node reports one */
  newest(): Target;
  /** To be called where a head could not be followed. */
  failed(target: Target): void;
  /** To be called where a head, or a block on the path to it, was committed. */
  arrived(target: Target): void;
};

type TargetsRequest = {
  readonly heads: () => readonly EndpointHead[];
  readonly market: Pick<Market, "confirm">;
  /** Milliseconds for which a fork at a lower height must last before it is followed. */
  readonly lowerForkMs: number;
  /** Lets the head of an endpoint count only where no other one reports a head, for a while. */
  readonly disbelieve: (label: string, why: string) => void;
};

/**
 * Attempts in a row to follow the heads of one endpoint, after which those of the others are followed instead; one
 * attempt where none of its heads has been followed since. An endpoint that names a block far ahead, and knows nothing of
 * it, would otherwise hold up the chain beside any number of good ones.
 */
const MOST_FAILURES = 3;

export function createTargets({ heads, market, lowerForkMs, disbelieve }: TargetsRequest): Targets {
  const failures = new Map<string, number>();
  let lowerSince: number | undefined;
  const chosen = (ring: Ring) => {
    const all = heads();
    const choice = choose(
      all.filter(({ isBelieved }) => isBelieved),
      ring,
    );
    return choice.kind === "unknown" ? choose(all, ring) : choice;
  };
  return {
    next(ring) {
      const choice = chosen(ring);
      if (choice.kind !== "lower") lowerSince = undefined;
      if (choice.kind === "confirmed") market.confirm(choice.seenAt);
      if (choice.kind === "go") return choice.target;
      if (choice.kind !== "lower") return undefined;
      lowerSince ??= performance.now();
      return performance.now() - lowerSince >= lowerForkMs ? choice.target : undefined;
    },
    newest() {
      const all = heads();
      const some = all.filter(({ isBelieved }) => isBelieved);
      const [best] = [...(some.length > 0 ? some : all)].sort((a, b) => b.head.number - a.head.number);
      if (best === undefined) throw new NodeFailure("transport", "no node answers");
      return targetOf(best);
    },
    failed({ by }) {
      const count = (failures.get(by) ?? 0) + 1;
      failures.set(by, count);
      if (count >= MOST_FAILURES) disbelieve(by, "its newest block cannot be followed");
    },
    arrived: ({ by }) => void failures.delete(by),
  };
}
