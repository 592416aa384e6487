import type { RouteFound, RouteResult } from "../../core/routing/types.ts";
import type { Address, Route } from "../../core/types.ts";
import type { FindRequest as Query, SearchSession } from "../ports/ports.ts";
import { tokensOf } from "./flow.ts";

/**
 * Least share of its amount, in parts per million, that a route through unvetted tokens must be able to lose and still
 * be better than the best route without them, where the request allows less slippage.
 */
const FLOOR_PPM = 500;

/** Least share of the time limit that a further search gets. */
const LEAST_SHARE = 1 / 4;

export type Vetting = {
  readonly isVetted: (token: Address) => boolean;
  readonly monotonicMs: () => number;
  /** Slippage that the request allows, in parts per million. */
  readonly slippagePpm: number;
};

/**
 * Finds a route that crosses unvetted tokens only where it is better even at the least amount that the request accepts.
 * The code of such a token runs during the swap. It can recognise a simulation and make the transaction pay that least
 * amount, so the whole slippage is at stake and not only the quoted gain. The request's own tokens are always allowed.
 * One search is enough where the best route crosses only vetted tokens; otherwise further searches exclude pools with
 * unvetted ones.
 *
 * @returns the best route where it crosses only vetted tokens, where no other route exists, or where it is better than
 *   the best route without unvetted tokens even after losing the slippage or the floor, whichever is larger; otherwise
 *   the route without unvetted tokens, with its bound over the allowed pools
 */
export async function findVetted(
  find: SearchSession["find"],
  query: Query,
  { isVetted, monotonicMs, slippagePpm }: Vetting,
): Promise<RouteResult> {
  const startMs = monotonicMs();
  const best = await find(query);
  if (best.kind === "missing" || unvettedBetween(best.route, isVetted).length === 0) return best;
  // "two" keeps pools of several coins, of which some are unlisted pool shares, for trades between two known tokens.
  for (const vetted of ["two", "all"] as const) {
    const leftMs = Math.max(query.timeoutMs * LEAST_SHARE, query.timeoutMs - (monotonicMs() - startMs));
    const other = await find({ ...query, allowed: { ...query.allowed, vetted }, timeoutMs: leftMs });
    if (other.kind === "missing") return best;
    if (unvettedBetween(other.route, isVetted).length > 0) continue;
    const lossPpm = Math.max(FLOOR_PPM, slippagePpm);
    return worthOf(query, best, lossPpm) > worthOf(query, other) ? best : other;
  }
  return best;
}

/** The unvetted tokens that a route crosses between the token sold and the token bought, each once. */
export function unvettedBetween(
  { tokenIn, tokenOut, steps }: Route,
  isVetted: (token: Address) => boolean,
): readonly Address[] {
  const crossed = new Set(steps.flatMap(tokensOf));
  return [...crossed].filter((token) => token !== tokenIn && token !== tokenOut && !isVetted(token));
}

/**
 * The amount bought net of gas, if gas counts, in units of that token. With side "out" it is minus the amount sold for
 * the amount requested.
 *
 * @param lossPpm share of the amount bought that the swap loses, in parts per million
 */
function worthOf(
  { side, gasPriceWei }: Query,
  { route, gas, nativePerOut }: RouteFound,
  lossPpm = 0,
): number {
  const kept = 1 - lossPpm / 1e6;
  if (side === "out") return -Number(route.amountIn) / kept;
  const gasOut = nativePerOut === undefined ? 0 : (gas * Number(gasPriceWei ?? 0n)) / nativePerOut;
  return Number(route.amountOut) * kept - gasOut;
}
