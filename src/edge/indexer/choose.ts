import type { EndpointHead } from "../node/node.ts";
import { indexOf, type Ring } from "./ring.ts";
import type { Target } from "./sync.ts";

/** What the endpoints' reports mean for the newest committed block, the tip of the ring. */
type Choice =
  /** The tip is the newest block; it was reported last at this time of `elapsedMs`. */
  | { readonly kind: "confirmed"; readonly seenAt: number }
  /** Another block is the newest; the target says when it was reported. */
  | { readonly kind: "go"; readonly target: Target }
  /**
   * A block below the tip on another fork: a reorg to a lower height, a faulty node, or a tip that was never a block of
   * the chain, which only time can distinguish.
   */
  | { readonly kind: "lower"; readonly target: Target }
  /** Only lagging nodes answer, or none. */
  | { readonly kind: "unknown" };

/** Seconds by which this machine's clock and that of a chain may differ. */
const CLOCKS_APART_S = 60;

/**
 * Chooses among the reported heads: the highest wins, and at the tip's height the tip itself.
 *
 * A lower head that is in the ring is an old one, from a lagging node. A lower head that is not in the ring counts as a
 * fork only if its node has once reported the tip's height; a node that merely lags is never followed back. A head below
 * the whole ring is one of a node that lags unless it is younger than the tip, which then has too high a number.
 *
 * @param nowSeconds Unix time, which a tip with a timestamp in the future is taken to have
 */
export function choose(heads: readonly EndpointHead[], ring: Ring, nowSeconds = Date.now() / 1000): Choice {
  const tip = ring.at(-1)?.header;
  const [best] = [...heads].sort((a, b) => b.head.number - a.head.number);
  if (best === undefined) return { kind: "unknown" };
  if (tip === undefined || best.head.number > tip.number) return { kind: "go", target: targetOf(best) };

  const ours = heads.filter(({ head }) => head.hash === tip.hash);
  if (ours.length > 0) return { kind: "confirmed", seenAt: Math.max(...ours.map(({ at }) => at)) };
  if (best.head.number === tip.number) return { kind: "go", target: targetOf(best) };

  const floor = (ring[0] as Ring[number]).header.number;
  const since = tip.timestamp > nowSeconds + CLOCKS_APART_S ? nowSeconds - CLOCKS_APART_S : tip.timestamp;
  const fork = heads.find(({ head, highest }) => {
    const isOther = head.number > floor ? highest >= tip.number : head.timestamp > since;
    return isOther && indexOf(ring, head.hash) < 0;
  });
  return fork === undefined ? { kind: "unknown" } : { kind: "lower", target: targetOf(fork) };
}

export function targetOf({ label, head, at }: EndpointHead): Target {
  return { header: head, seenAt: at, by: label };
}
