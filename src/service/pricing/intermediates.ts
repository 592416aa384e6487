import type { RouteFound, RouteResult } from "../../core/routing/types.ts";
import type { Address, Route } from "../../core/types.ts";
import type { FindRequest as Query, SearchSession } from "../ports/ports.ts";
import { tokensOf } from "./flow.ts";

/** What a route through a token that is not vetted must pay more, in parts per million of what is paid without one. */
const FLOOR_PPM = 500;

/** The least share of a search's time that a second one gets. */
const LEAST_SHARE = 1 / 4;

export type Vetting = {
  readonly isVetted: (token: Address) => boolean;
  readonly monotonicMs: () => number;
};

/**
 * Finds a route that crosses tokens which are not vetted only where that pays. Such a token's code runs while the route
 * does, and may make it pay less than was quoted, so it is not worth a gain of a few parts in a million. The tokens that
 * were asked for are always allowed. One search is enough where the best route crosses vetted tokens alone; else a second
 * one does without the others.
 *
 * @returns the second route, with its bound over the pools that it was allowed, where the first gains less than the floor
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
  // Pools of many coins, some of them shares that no list names, still trade two that are known.
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

/** Paid less gas where that counts, in units of the token bought; sold, below zero, where the amount bought is given. */
function worthOf({ side, gasPriceWei }: Query, { route, gas, nativePerOut }: RouteFound): number {
  if (side === "out") return -Number(route.amountIn);
  const gasOut = nativePerOut === undefined ? 0 : (gas * Number(gasPriceWei ?? 0n)) / nativePerOut;
  return Number(route.amountOut) - gasOut;
}
