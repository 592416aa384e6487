import { BraidError } from "../../core/errors.ts";
import { gasScalesOf } from "../../core/gas/gas-scales.ts";
import { fillsWhole, isMakerPool, levelOf, RFQ, type RfqState, type SignedOrder } from "../../core/rfq.ts";
import { settle } from "../../core/routing/settlement/settle.ts";
import type { RouteFound } from "../../core/routing/types.ts";
import type { Address, PoolId, Route, StateId, Step, View } from "../../core/types.ts";
import type { Deps } from "../deps.ts";
import type { MakersPort } from "../ports/ports-makers.ts";
import { tokensOf } from "../pricing/flow.ts";
import { offerOf, type Priced, search } from "../pricing/price.ts";
import { isWrapping } from "../pricing/route-summary.ts";

/** Most time, in milliseconds, that makers in the route add to a quote. */
const MOST_ADDED_MS = 250;
/** Reserve for late timers and for settling the route over the orders. */
const SLACK_MS = 15;
/** Makers always have at least this long to answer, however long the search took. */
const LEAST_FIRM_MS = 50;

/** An order must be valid for at least this long after the time of the first block that could execute it. */
const LEAST_VALID_SECONDS = 30;

/**
 * A maker's leg after other pools may receive more than was quoted, but an order cannot be filled beyond its amount.
 * The order is therefore requested for this much more, in parts per million, and filled pro rata.
 */
const ROOM_PPM = 10_000n;

/** Ids of the maker pools in a route. */
export function makerPools({ steps }: Route): readonly PoolId[] {
  return steps.filter(({ pool }) => isMakerPool(pool)).map(({ pool }) => pool.id);
}

/**
 * Replaces the indicative maker prices of an offer by signed orders. All makers of the route are asked at once, and a
 * route without makers is searched meanwhile. That route is the answer where an order is refused, late or worse than
 * promised, or where the route over the orders pays less.
 *
 * @returns the offer itself where its route has no maker pool
 * @throws BraidError NO_ROUTE where makers do not honour their prices and there is no other route
 */
export async function withOrders(deps: Deps, priced: Priced, taker: Address | undefined): Promise<Priced> {
  const { makers } = priced.served;
  if (makers === undefined || makerPools(priced.offer.route).length === 0) return priced;
  const asked = askAll(deps, makers, priced, taker);
  const plain = await withoutMakers(deps, priced);
  const orders = await asked;
  const firm = orders === undefined ? undefined : firmed(deps, priced, orders);
  const best = betterOf(firm, plain);
  if (best === undefined) throw nobodySigned(priced);
  if (best === firm) return firm;
  const reason = orders === undefined ? NOT_GIVEN : NOT_WORTH_IT;
  const makerless = makerPools(priced.offer.route).map((id) => ({ kind: "maker", id, reason }) as const);
  const searches = [...priced.searches, ...best.searches];
  return { ...best, searches, waitMs: priced.waitMs, refused: [...priced.refused, ...makerless] };
}

const NOT_GIVEN = "no order as good as the maker's price was given in time";
const NOT_WORTH_IT = "with the orders as they were signed, pools pay more";

async function withoutMakers(deps: Deps, { prepared, served }: Priced): Promise<Priced | undefined> {
  const { allowed } = prepared;
  const others = served.chain.deployments.filter(({ protocol }) => protocol !== RFQ).map(({ id }) => id);
  const deployments =
    allowed.deployments === "all" ? others : others.filter((id) => allowed.deployments.includes(id));
  try {
    const plain = { ...prepared, allowed: { ...allowed, deployments } };
    return await search(deps, plain, deps.settings.searchTimeoutMs);
  } catch (error) {
    if (error instanceof BraidError) return undefined;
    throw error;
  }
}

/** Orders by the index of their step in the route. */
type Orders = ReadonlyMap<number, SignedOrder>;

/** Asks for the orders of all maker legs. @returns undefined where any leg gets no order */
async function askAll(
  deps: Deps,
  makers: MakersPort,
  priced: Priced,
  taker: Address | undefined,
): Promise<Orders | undefined> {
  const { steps } = priced.offer.route;
  const places = [...steps.keys()].filter((k) => isMakerPool(steps[k]!.pool));
  const wanted = places.map((k) => askOf(deps, priced, k));
  const pools = new Set(places.map((k) => steps[k]!.pool.id));
  // A maker's levels do not promise two orders on one pair: the price of the second depends on the fill of the first.
  if (pools.size < places.length || wanted.includes(undefined)) return undefined;
  const leastExpiry = priced.at.timestamp + LEAST_VALID_SECONDS;
  const timeoutMs = firmMs(priced);
  const given = await Promise.all(
    wanted.map((ask) => makers.firm({ ...ask!, taker, leastExpiry }, timeoutMs)),
  );
  const orders = new Map(places.flatMap((k, n) => (given[n] === undefined ? [] : [[k, given[n]]])));
  return orders.size === places.length ? orders : undefined;
}

/**
 * Time that makers have to answer. The first search is deducted, because a quote without makers would not wait for it.
 */
function firmMs({ searches }: Priced): number {
  const searchedMs = searches.reduce(
    (sum, { result }) => sum + (result.kind === "found" ? result.search.ms : 0),
    0,
  );
  return Math.max(LEAST_FIRM_MS, Math.floor(MOST_ADDED_MS - SLACK_MS - searchedMs));
}

/**
 * The order request of one leg, with room for a larger amount where the leg's amount is not certain.
 *
 * @returns undefined where the maker's levels cannot fill the amount with its room, or the maker's orders allow no room
 */
function askOf({ registry }: Deps, { offer: { route }, view, at }: Priced, place: number) {
  const { pool, i, j, amountIn } = route.steps[place]!;
  const [takerToken, makerToken] = [pool.tokens[i]!, pool.tokens[j]!];
  const isSure = isCertain(route, place);
  if (!isSure && fillsWhole(pool)) return undefined;
  const room = isSure ? 0n : (amountIn * ROOM_PPM) / 1_000_000n + 1n;
  const takerAmount = amountIn + room;
  const fill = registry.get(pool.protocol)!.quote(view, pool, i, j, takerAmount, "in", at);
  return fill && { pool, takerToken, takerAmount, makerToken, promised: fill.amountOut };
}

/**
 * Whether a step receives exactly the quoted amount even if pools change before execution: it sells the token that the
 * swap takes, or that token after wrapping.
 */
function isCertain({ tokenIn, steps }: Route, place: number): boolean {
  const certain = new Set([tokenIn]);
  const feeders = (token: Address) => steps.filter((step) => tokensOf(step)[1] === token);
  const isWrapped = (step: Step) => isWrapping(step.pool) && tokensOf(step)[0] === tokenIn;
  const [sold] = tokensOf(steps[place]!);
  return certain.has(sold) || feeders(sold).every(isWrapped);
}

/** The route with orders instead of levels, settled in integers; undefined where it cannot be settled. */
function firmed(deps: Deps, priced: Priced, orders: Orders): Priced | undefined {
  const { offer, found, at, prepared } = priced;
  const states = new Map<StateId, RfqState>();
  const plan = offer.route.steps.map((step, k) => {
    const order = orders.get(k);
    if (order === undefined) return step;
    const id = `order:${k}`;
    states.set(id, stateOf(order, step.i));
    return { ...step, pool: { ...step.pool, stateIds: [id] as const } };
  });
  const view: View = { get: (id) => states.get(id) ?? priced.view.get(id) };
  const { tokenIn, tokenOut, amountIn } = offer.route;
  const gasScales = gasScalesOf(offer.chain.deployments);
  const settled = settle(plan, amountIn, { registry: deps.registry, view, at, gasScales, tokenIn, tokenOut });
  if (settled.kind === "failed") return undefined;
  const { steps, amountOut, gas } = settled;
  const route: Route = { ...offer.route, steps, amountOut };
  const firm: RouteFound = { ...found, route, gas };
  const expiry = Math.min(...[...orders.values()].map(({ order }) => order.expiry));
  const { head, isPreconfirmed } = offer;
  return { ...offerOf(deps, prepared, firm, { ...priced, head, isPreconfirmed, view }), expiry };
}

/** An order as the state of a maker pool with one level. */
function stateOf(firm: SignedOrder, i: number): RfqState {
  const level = [levelOf(firm.order)];
  return { levels: i === 0 ? [level, []] : [[], level], firm };
}

/** The offer that pays more, net of gas where the request says so; with side "out", the one that sells less. */
function betterOf(firm: Priced | undefined, plain: Priced | undefined): Priced | undefined {
  const isBought = firm === undefined || firm.prepared.request.side === "in" || buysEnough(firm);
  if (firm === undefined || !isBought) return plain;
  if (plain === undefined) return firm;
  return worthOf(firm) >= worthOf(plain) ? firm : plain;
}

function buysEnough({ offer, prepared }: Priced): boolean {
  return offer.amountOut >= prepared.request.amount;
}

function worthOf({ offer, found, prepared }: Priced): number {
  const { request, gasPriceWei } = prepared;
  if (request.side === "out") return -Number(offer.amountIn);
  const isNet = request.withGas && found.nativePerOut !== undefined;
  const gas = isNet ? (found.gas * Number(gasPriceWei)) / found.nativePerOut! : 0;
  return Number(offer.amountOut) - gas;
}

function nobodySigned({ prepared: { request, tokenIn, tokenOut } }: Priced): BraidError {
  const reason = "no maker gave an order as good as its price";
  const pair = `from ${tokenIn.symbol} (${tokenIn.address}) to ${tokenOut.symbol} (${tokenOut.address})`;
  return new BraidError("NO_ROUTE", `No liquidity ${pair}: ${reason}.`, {
    details: [{ field: "amount", reason, value: request.amount.toString() }],
  });
}
