import type { EndpointHead } from "../node/node.ts";
import type { Header } from "../node/types.ts";
import { indexOf, type Ring } from "./ring.ts";

/** What the endpoints' reports mean for the block that is held. */
export type Choice =
  /** The held block is the newest: reported at this monotonic time. */
  | { readonly kind: "confirmed"; readonly at: number }
  /** Another block is the newest, or was at this monotonic time. */
  | { readonly kind: "go"; readonly target: Header; readonly at: number }
  /** A block below the held one, on another fork: a reorg to a lower height, or a node that is wrong. Time tells. */
  | { readonly kind: "lower"; readonly target: Header; readonly at: number }
  /** Only nodes that lag behind answer, or none: nothing is known. */
  | { readonly kind: "unknown" };

/**
 * Chooses among the reported heads: the highest wins, and at the same height the one that is held.
 *
 * A lower head that is held already is an old one: its node lags. A lower head that is not held can be a fork only where its
 * node once knew the height that is held; a node that merely lags is never followed back.
 */
export function choose(heads: readonly EndpointHead[], ring: Ring): Choice {
  const tip = ring.at(-1)?.header;
  const [best] = [...heads].sort((a, b) => b.head.number - a.head.number);
  if (best === undefined) return { kind: "unknown" };
  if (tip === undefined || best.head.number > tip.number)
    return { kind: "go", target: best.head, at: best.at };

  const ours = heads.filter(({ head }) => head.hash === tip.hash);
  if (ours.length > 0) return { kind: "confirmed", at: Math.max(...ours.map(({ at }) => at)) };
  if (best.head.number === tip.number) return { kind: "go", target: best.head, at: best.at };

  const floor = (ring[0] as Ring[number]).header.number;
  const fork = heads.find(
    ({ head, highest }) => highest >= tip.number && head.number > floor && indexOf(ring, head.hash) < 0,
  );
  return fork === undefined ? { kind: "unknown" } : { kind: "lower", target: fork.head, at: fork.at };
}
