import type { RouteFound, RouteResult } from "../../core/routing/types.ts";
import type { Address, Route } from "../../core/types.ts";
import type { FindRequest as Query, SearchSession } from "../ports/ports.ts";
import { tokensOf } from "./flow.ts";

/** Least gain of a route through unvetted tokens over a route without them, in parts per million of the latter. */
const FLOOR_PPM = 500;

/** Least share of the time limit that a further search gets. */
const LEAST_SHARE = 1 / 4;

export type Vetting = {
  readonly isVetted: (token: Address) => boolean;
  readonly monotonicMs: () => number;
};

/**
 * Finds a route that crosses unvetted tokens only where its gain is large enough. The code of such a token runs during
 * the swap and may make it pay less than was quoted, so a gain of a few parts per million does not justify it. The
 * request's own tokens are always allowed. One search is enough where the best route crosses only vetted tokens;
 * otherwise further searches exclude pools with unvetted ones.
 *
 * @returns the route without unvetted tokens, with its bound over the allowed pools, where the best one gains no more
 * than   the floor over it; otherwise the best route
 */
export async function findVetted(
  find: SearchSession["find"],
  query: Query,
  { isVetted, monotonicMs }: Vetting,
): Promise<RouteResult> {
  const startMs = monotonicMs();
  const best = await find(query);
  const isKnown = (token: Address) => token === query.tokenIn || token === query.tokenOut || isVetted(token);
  if (best.kind === "missing" || crossesKnown(best.route, isKnown)) return best;
  // "two" keeps pools of several coins, of which some are unlisted pool shares, for trades between two known tokens.
  for (const vetted of ["two", "all"] as const) {
    const leftMs = Math.max(query.timeoutMs * LEAST_SHARE, query.timeoutMs - (monotonicMs() - startMs));
    const other = await find({ ...query, allowed: { ...query.allowed, vetted }, timeoutMs: leftMs });
    if (other.kind === "missing") return best;
    if (crossesKnown(other.route, isKnown)) return isWorthIt(query, best, other) ? best : other;
  }
  return best;
}

type IsKnown = (token: Address) => boolean;

function crossesKnown({ steps }: Route, isKnown: IsKnown): boolean {
  return steps.every((step) => tokensOf(step).every(isKnown));
}

function isWorthIt(query: Query, best: RouteFound, vetted: RouteFound): boolean {
  const [most, least] = [worthOf(query, best), worthOf(query, vetted)];
  return most - least > (Math.abs(least) * FLOOR_PPM) / 1e6;
}

/** The amount bought net of gas, if gas counts, in units of that token; with side "out", minus the amount sold. */
function worthOf({ side, gasPriceWei }: Query, { route, gas, nativePerOut }: RouteFound): number {
  if (side === "out") return -Number(route.amountIn);
  const gasOut = nativePerOut === undefined ? 0 : (gas * Number(gasPriceWei ?? 0n)) / nativePerOut;
  return Number(route.amountOut) - gasOut;
}
