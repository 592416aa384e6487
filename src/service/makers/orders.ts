import { BraidError, unlessRefused } from "../../core/errors.ts";
import { gasScalesOf } from "../../core/gas/gas-scales.ts";
import {
  fillsWhole,
  isAirSwapOrder,
  isMakerPool,
  levelOf,
  type RfqState,
  type SignedOrder,
} from "../../core/rfq.ts";
import { settle } from "../../core/routing/settlement/settle.ts";
import type { RouteFound } from "../../core/routing/types.ts";
import type { Address, Deployment, Pool, PoolId, Route, StateId, Step, View } from "../../core/types.ts";
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
 * route without makers is searched meanwhile. Where orders are missing, the best route over the other makers is asked
 * for its orders in the time that is left, so that a maker that signs nothing does not keep out those that do. The
 * route without makers is the answer where an order is refused, late or worse than promised again, or where the route
 * over the orders pays less.
 *
 * @returns the offer itself where its route has no maker pool
 * @throws BraidError NO_ROUTE where makers do not honour their prices and there is no other route
 */
export async function withOrders(deps: Deps, priced: Priced, taker: Address | undefined): Promise<Priced> {
  const { makers } = priced.served;
  if (makers === undefined || makerPools(priced.offer.route).length === 0) return priced;
  // Both are awaited from the start: a rejection of one that nobody awaits yet would end the process.
  const [{ firm, tried, missing }, plain] = await Promise.all([
    overOrders(deps, priced, { makers, taker }),
    withoutMakers(deps, priced),
  ]);
  const best = betterOf(firm, plain);
  if (best === undefined) throw nobodySigned(priced);
  if (best === firm) return firm;
  const others = firm === undefined ? NOT_GIVEN : NOT_WORTH_IT;
  const searches = [...tried.searches, ...best.searches];
  return {
    ...best,
    searches,
    waitMs: priced.waitMs,
    refused: [...tried.refused, ...refusedOf(tried, (maker) => missing.get(maker) ?? others)],
  };
}

const NOT_GIVEN = "no order as good as the maker's price was given in time";
const NOT_WORTH_IT = "with the orders as they were signed, pools pay more";
const NOT_ASKABLE = "the maker's levels cannot promise an order that covers its leg";
const ONE_NONCE = "the maker signed two orders of the route with one nonce, of which only one can be filled";

/** @param reasonOf why a maker's deployment is not used; undefined where it may still be */
const refusedOf = ({ offer }: Priced, reasonOf: (maker: string) => string | undefined) =>
  offer.route.steps.flatMap(({ pool: { id, deployment, protocol } }) => {
    const reason = isMakerPool({ protocol }) ? reasonOf(deployment) : undefined;
    return reason === undefined ? [] : [{ kind: "maker", id, reason } as const];
  });

/** Whom to ask for orders, and the account that will fill them. */
type Asking = { readonly makers: MakersPort; readonly taker: Address | undefined };

/**
 * The offer over signed orders, if all of its orders were given, the priced route that was asked for them last, and
 * whose orders it lacks.
 */
type OverOrders = { readonly firm: Priced | undefined; readonly tried: Priced; readonly missing: Missing };

async function overOrders(deps: Deps, priced: Priced, asking: Asking): Promise<OverOrders> {
  const timeoutMs = firmMs(priced);
  const endMs = deps.monotonicMs() + timeoutMs;
  const first = await askAll(deps, priced, asking, timeoutMs);
  const { missing } = first;
  if (missing.size === 0)
    return { firm: first.orders && firmed(deps, priced, first.orders), tried: priced, missing };
  const searchMs = endMs - deps.monotonicMs() - LEAST_FIRM_MS;
  const others = searchMs < 1 ? undefined : await withOtherMakers(deps, priced, missing, searchMs);
  const leftMs = Math.floor(endMs - deps.monotonicMs());
  if (others === undefined || leftMs < LEAST_FIRM_MS) return { firm: undefined, tried: priced, missing };
  const second = await askAll(deps, others, asking, leftMs);
  const firm = second.orders && firmed(deps, others, second.orders);
  return { firm, tried: others, missing: second.missing };
}

/** The best route without the makers whose orders are missing; undefined where no other maker is in it. */
async function withOtherMakers(
  deps: Deps,
  priced: Priced,
  missing: Missing,
  timeoutMs: number,
): Promise<Priced | undefined> {
  const rest = allowedOf(priced).filter(({ id }) => !missing.has(id));
  if (!rest.some(isMakerPool)) return undefined;
  const found = await searchAmong(deps, priced, rest, timeoutMs);
  if (found === undefined || makerPools(found.offer.route).length === 0) return undefined;
  const refused = [...priced.refused, ...refusedOf(priced, (maker) => missing.get(maker))];
  const searches = [...priced.searches, ...found.searches];
  return { ...found, prepared: { ...found.prepared, refused }, searches, waitMs: priced.waitMs, refused };
}

function withoutMakers(deps: Deps, priced: Priced): Promise<Priced | undefined> {
  const pools = allowedOf(priced).filter((deployment) => !isMakerPool(deployment));
  return searchAmong(deps, priced, pools, deps.settings.searchTimeoutMs);
}

/** The deployments that the request allows. */
function allowedOf({ prepared: { allowed }, served }: Priced): readonly Deployment[] {
  const { deployments } = allowed;
  return served.chain.deployments.filter(({ id }) => deployments === "all" || deployments.includes(id));
}

async function searchAmong(
  deps: Deps,
  { prepared }: Priced,
  among: readonly Deployment[],
  timeoutMs: number,
): Promise<Priced | undefined> {
  const allowed = { ...prepared.allowed, deployments: among.map(({ id }) => id) };
  return unlessRefused(() => search(deps, { ...prepared, allowed }, timeoutMs));
}

/** Orders by the index of their step in the route. */
type Orders = ReadonlyMap<number, SignedOrder>;

/** The deployments of makers without a usable order, and why they have none. */
type Missing = ReadonlyMap<string, string>;

/** The orders of all maker legs; undefined where any is missing. */
type Asked = { readonly orders: Orders | undefined; readonly missing: Missing };

/**
 * Asks for the orders of all maker legs at once. Where one of them cannot be asked for, nobody is asked: the route needs
 * all of them.
 */
async function askAll(
  deps: Deps,
  priced: Priced,
  { makers, taker }: Asking,
  timeoutMs: number,
): Promise<Asked> {
  const { steps } = priced.offer.route;
  const places = [...steps.keys()].filter((k) => isMakerPool(steps[k]!.pool));
  const wanted = places.map((k) => askOf(deps, priced, k));
  const poolAt = (n: number) => steps[places[n]!]!.pool;
  // A maker's levels do not promise two orders on one pair: the price of the second depends on the fill of the first.
  const isTwice = (n: number) => wanted.some((_, m) => m < n && poolAt(m).id === poolAt(n).id);
  const unfit = wanted.flatMap((ask, n) => (ask === undefined || isTwice(n) ? [poolAt(n).deployment] : []));
  if (unfit.length > 0)
    return { orders: undefined, missing: new Map(unfit.map((maker) => [maker, NOT_ASKABLE])) };
  const leastExpiry = priced.at.timestamp + LEAST_VALID_SECONDS;
  const given = await Promise.all(
    wanted.map((ask) => makers.firm({ ...ask!, taker, leastExpiry }, timeoutMs)),
  );
  const nonces = places.map((_, n) => given[n] && nonceKey(poolAt(n), given[n]));
  const reasonAt = (n: number) => {
    if (given[n] === undefined) return NOT_GIVEN;
    return nonces.indexOf(nonces[n]) < n ? ONE_NONCE : undefined;
  };
  const missing = new Map<string, string>();
  for (const n of places.keys()) {
    const reason = reasonAt(n);
    if (reason !== undefined) missing.set(poolAt(n).deployment, reason);
  }
  const orders = new Map(places.flatMap((k, n) => (given[n] === undefined ? [] : [[k, given[n]]])));
  return { orders: missing.size === 0 ? orders : undefined, missing };
}

/** The nonce of an order with the account and the contract that use it up: together they can be filled once. */
function nonceKey({ address }: Pool, { order }: SignedOrder): string {
  const account = isAirSwapOrder(order) ? [order.settler, order.signer] : [address];
  return [...account, order.nonce].join(":");
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
