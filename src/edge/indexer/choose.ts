import type { EndpointHead } from "../node/node.ts";
import { indexOf, type Ring } from "./ring.ts";
import type { Target } from "./sync.ts";

/** What the endpoints' reports mean for the block that is held. */
type Choice =
  /** The held block is the newest: reported at this monotonic time. */
  | { readonly kind: "confirmed"; readonly seenAt: number }
  /** Another block is the newest, or was at this monotonic time. */
  | { readonly kind: "go"; readonly target: Target }
  /** A block below the held one, on another fork: a reorg to a lower height, or a node that is wrong. Time tells. */
  | { readonly kind: "lower"; readonly target: Target }
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
  if (tip === undefined || best.head.number > tip.number) return { kind: "go", target: targetOf(best) };

  const ours = heads.filter(({ head }) => head.hash === tip.hash);
  if (ours.length > 0) return { kind: "confirmed", seenAt: Math.max(...ours.map(({ at }) => at)) };
  if (best.head.number === tip.number) return { kind: "go", target: targetOf(best) };

  const floor = (ring[0] as Ring[number]).header.number;
  const fork = heads.find(
    ({ head, highest }) => highest >= tip.number && head.number > floor && indexOf(ring, head.hash) < 0,
  );
  return fork === undefined ? { kind: "unknown" } : { kind: "lower", target: targetOf(fork) };
}

function targetOf({ head, at }: EndpointHead): Target {
  return { header: head, seenAt: at };
}
