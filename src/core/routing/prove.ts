import type { Address } from "../types.ts";
import { boundsAt, certifiedOrder, marginalPrices } from "./bounds.ts";
import type { Bounds, CertifiedOrder, Ledger, Unproved } from "./certificate/certify.ts";
import { certifyLocally, type PartialPrices } from "./certificate/local/local.ts";
import { arbitrageOf, gapsOf, LEG_GAS, leastSold, type Paid } from "./certificate/statement.ts";
import { type Proof, settledArbitrage, type Tightening, tighten } from "./certificate/tighten.ts";
import { NATIVE_NODE } from "./market-graph/graph.ts";
import type { Query } from "./request.ts";
import type { Sale } from "./sale.ts";
import { gasCost } from "./settlement/evaluate.ts";
import type { Optimality, RouteFound, Unproven } from "./types.ts";

/** What a route proves, and the prices that do. */
export type Proved = Pick<RouteFound, "optimality" | "prices" | "netPrices"> & {
  /** By node, the prices of the least bound, or those of the route if nothing is proved. */
  readonly marginal: PartialPrices;
};

const NO_PRICES: ReadonlyMap<Address, number> = new Map();
const NOTHING = { prices: NO_PRICES, netPrices: NO_PRICES };

/**
 * Proves how good a route is: the least of the bounds at base prices, at the prices that the route implies, and at those of
 * the last convex problem; if these leave much open, at prices that minimise the bound. A bound below what the route pays is a
 * bug: it is counted, and nothing is claimed.
 */
export function proveRoute(query: Query, sale: Sale): Proved {
  const { route, gas, bound } = sale;
  const { from, to, request } = query;
  const paid = { amountOut: route.amountOut, gasCost: gasCost(query, gas) };
  if (from === to)
    return {
      optimality: unitForUnit(paid, request.maxLegs),
      ...NOTHING,
      marginal: new Map([[to, 1]]),
    };
  const order = certifiedOrder(query, route.amountIn);
  const ofRoute = marginalPrices(query, sale);
  const isConvex = typeof bound === "bigint";
  const { proofs, reason } = tried(query, sale, {
    order,
    net: Number(paid.amountOut - paid.gasCost),
    ofRoute,
    isConvex,
  });
  if (proofs.length === 0) return { optimality: { upperBound: null, reason }, ...NOTHING, marginal: ofRoute };
  const optimality = stated(query, order, paid, proofs);
  const isWanted = request.wantsPrices === true && optimality.upperBound !== null;
  const proof = leastBy(proofs, ({ gross }) => gross);
  if (!isWanted) return { optimality, marginal: proof.prices, ...NOTHING };
  const netProof = leastBy(proofs, ({ net }) => net);
  const prices = allPrices(query, order, proof);
  const netPrices = netProof === proof ? prices : allPrices(query, order, netProof);
  return { optimality, marginal: proof.prices, prices, netPrices };
}

/**
 * A bound within this share, or this many legs, of what is paid needs no further prices: if the convex problem was
 * solved, and otherwise.
 */
const NEAR = { convex: 5e-5, other: 1e-5 };
const NEAR_LEGS = { convex: 2, other: 0.1 };
/**
 * If the convex problem was solved, the bound is minimised if the gap is between these shares of what is paid. A larger one is due to
 * pools that gain without the order, beside which no gap is stated, unless the cap on legs binds.
 */
const OPEN = 1e-4;
const TOO_OPEN = 0.1;
/** Number of minimisations, at most: the prices of a solved problem are near the best already. */
const ROUNDS = { convex: 1, other: 4 };

type Trying = {
  readonly order: CertifiedOrder;
  /** What the route pays less the gas of its crossings, in smallest units. */
  readonly net: number;
  readonly ofRoute: PartialPrices;
  /** Whether the convex problem was solved, so that its prices are near the best. */
  readonly isConvex: boolean;
};

/**
 * The proofs by known prices, until one is near enough, and by minimised prices if none is; or the reason why there is none. The
 * best known prices are those of the convex problem if it was solved, otherwise the route's own.
 */
function tried(query: Query, sale: Sale, trying: Trying): Tried {
  const { order, net, isConvex } = trying;
  const kind = isConvex ? "convex" : "other";
  const enough = net + Math.max(NEAR[kind] * net, NEAR_LEGS[kind] * LEG_GAS * order.outPerGas);
  const first = atHand(query, sale, trying, enough);
  const { proofs, reason } = first;
  const open = openOf(proofs, net);
  const isWorth = isConvex ? isWorthMinimising(query, sale, open) : order.outPerGas > 0;
  const isNear = proofs.length > 1 && proofs.at(-1)!.bounds.net < enough;
  if (isNear || proofs.length === 0 || query.late() || !isWorth) return first;
  const wanted = { passed: trying.ofRoute.keys(), enough, rounds: ROUNDS[kind], late: query.late };
  const tightened = tighter(query, order, proofs, wanted);
  const all = [...proofs, ...tightened];
  const left = openOf(all, net);
  if (!isConvex || !isHeldByCap(query, sale, open) || left < Math.min(LEFT_OPEN * open, OF_MANY_MORE))
    return { proofs: all, reason };
  const last = proofOf(query, sale, { prices: trying.ofRoute, staysPut: left < OF_MANY_MORE });
  return { proofs: "reason" in last ? all : [...all, last], reason };
}

/**
 * If minimising leaves more than this share of the gap, as over pools of several coins, the route's own prices are tried as well. If
 * the gap exceeds `OF_MANY_MORE` of what is paid, hubs may move for these, since few legs have other prices than many.
 */
const LEFT_OPEN = 0.5;
const OF_MANY_MORE = 0.01;

/** The gap between a net amount and the best of some proofs, as a share of the amount; 0 if there are none. */
function openOf(proofs: readonly Proof[], net: number): number {
  return proofs.length > 0 ? leastBy(proofs, (bounds) => bounds.net).bounds.net / net - 1 : 0;
}

/** Whether minimising the bound at the prices of a solved problem may close much of its gap. */
function isWorthMinimising(query: Query, sale: Sale, open: number): boolean {
  return isHeldByCap(query, sale, open) || (open > OPEN && open < TOO_OPEN);
}

/**
 * Whether a route has as many legs as are allowed, and the gap may be due to that. With free legs, orders with more than a small gap
 * would use hundreds of legs and take longest anyway, so they are excluded.
 */
function isHeldByCap(query: Query, sale: Sale, open: number): boolean {
  const isWorth = open > OPEN && (query.outPerGas > 0 || open < OF_MANY_MORE);
  return isWorth && isCapped(query, sale);
}

function isCapped({ request }: Query, { route }: Sale): boolean {
  return request.maxLegs > 0 && route.steps.length >= request.maxLegs;
}

/** Proofs, and why the last prices that prove nothing do not. */
type Tried = { readonly proofs: readonly Proof[]; readonly reason: string };

/**
 * The proofs by base prices, the optimum's and the route's, up to the first that is near enough. If the bound at the prices of a
 * solved optimum is going to be minimised, the route's own are skipped, as they are seldom better.
 */
function atHand(query: Query, sale: Sale, trying: Trying, enough: number): Tried {
  const { ofRoute } = trying;
  const proofs: Proof[] = [];
  let reason = "";
  for (const prices of [new Map([[query.to, 1]]), query.workspace.dual, ofRoute]) {
    const isOfRoute = prices === ofRoute;
    if (prices.size === 0 || (isOfRoute && isMinimised(query, sale, trying, proofs))) continue;
    const staysPut = isOfRoute && stayPut(query, sale, trying, proofs);
    const found = proofOf(query, sale, { prices, staysPut });
    if ("reason" in found) reason = found.reason;
    else proofs.push(found);
    // Base prices ignore the order, so others are tried after them in any case.
    if (!("reason" in found) && proofs.length > 1 && found.bounds.net < enough) break;
  }
  return { proofs, reason };
}

/**
 * Whether hubs keep their base prices beside those of the route: where the optimum is near, and for a sale that was cut short, since
 * a hub that moves has the pools of a large market evaluated for up to 0.1 s.
 */
function stayPut(query: Query, sale: Sale, { isConvex, net }: Trying, proofs: readonly Proof[]): boolean {
  if (sale.isCut && query.request.side === "in") return true;
  return isConvex && !(isCapped(query, sale) && openOf(proofs, net) > OF_MANY_MORE);
}

/** Whether the optimum's prices proved a bound that is going to be minimised because the cap on legs binds. */
function isMinimised(query: Query, sale: Sale, { isConvex, net }: Trying, proofs: readonly Proof[]): boolean {
  return isConvex && proofs.length > 1 && isHeldByCap(query, sale, openOf(proofs, net));
}

/** The proof by some prices, or why they prove nothing. The search may have computed the bounds at the optimum's prices. */
function proofOf(
  query: Query,
  { route, proved }: Sale,
  { prices, staysPut }: Pick<Proof, "prices" | "staysPut">,
): Proof | Unproved {
  const isKnown = prices === query.workspace.dual && proved?.amount === route.amountIn;
  const ledger: Ledger = { moved: new Map(), gaining: [] };
  const bounds = isKnown ? proved.bounds : boundsAt(query, prices, route.amountIn, { staysPut, ledger });
  if ("reason" in bounds) return bounds;
  return isKnown ? { prices, bounds, staysPut: proved.staysPut } : { prices, bounds, staysPut, ledger };
}

/** The proofs found by minimising the bound, starting from the best of some proofs. */
function tighter(
  { graph, workspace }: Query,
  order: CertifiedOrder,
  proofs: readonly Proof[],
  wanted: Omit<Tightening, "proof">,
): readonly Proof[] {
  const proof = leastBy(proofs, ({ net }) => net);
  return tighten(graph, workspace.certificates, order, { proof, ...wanted });
}

function leastBy(proofs: readonly Proof[], bound: (bounds: Bounds) => number): Proof {
  return proofs.reduce((least, one) => (bound(one.bounds) < bound(least.bounds) ? one : least));
}

/** The statement for wrapping or unwrapping the native coin: one to one is optimal. */
function unitForUnit({ amountOut, gasCost: cost }: Paid, maxLegs: number): Optimality {
  return {
    upperBound: amountOut,
    upperBoundNet: amountOut - cost,
    gapBps: 0,
    gapNetBps: 0,
    gapLegs: null,
    reason: undefined,
    lowerBound: amountOut,
    gasCost: cost,
    legCost: 0,
    marketArbitrageWei: undefined,
    arbitrageShare: 0,
    gasPriceWei: undefined,
    maxLegs,
  };
}

const VIOLATED = "the bound was below what the route pays: a bug, so nothing is claimed";

function stated(
  query: Query,
  order: CertifiedOrder,
  paid: Paid,
  proofs: readonly Proof[],
): Optimality | Unproven {
  const { workspace, request } = query;
  const upperBound = ceiled(Math.min(...proofs.map(({ bounds }) => bounds.gross)));
  // What a route nets is no more than what it pays. Both bounds may be of other prices, and are rounded in doubles.
  const upperBoundNet = ceiled(Math.min(...proofs.map(({ bounds }) => Math.min(bounds.net, bounds.gross))));
  const lowerBound = request.side === "out" ? leastSold(proofs, request.amount) : undefined;
  const isTooHigh = lowerBound !== undefined && Number(lowerBound) > order.amount;
  if (isTooHigh || paid.amountOut > upperBound || paid.amountOut - paid.gasCost > upperBoundNet) {
    workspace.counters.boundsViolated++;
    return { upperBound: null, reason: VIOLATED };
  }
  const gasPriceWei = order.outPerGas > 0 ? Number(request.gasPriceWei ?? 0n) : 0;
  const arbitrage = marketArbitrage(query, order, gasPriceWei);
  const legCost = LEG_GAS * order.outPerGas;
  const facts = { ...paid, upperBound, upperBoundNet, legCost, arbitrageShare: arbitrage.share };
  const isNative = query.nativePerOut !== undefined && arbitrage.wei < Number.MAX_VALUE;
  const marketArbitrageWei = isNative ? BigInt(Math.ceil(arbitrage.wei)) : undefined;
  const asked = { maxLegs: request.maxLegs, gasPriceWei: gasPriceWei > 0 ? request.gasPriceWei : undefined };
  return { ...facts, ...asked, ...gapsOf(facts), lowerBound, marketArbitrageWei };
}

/** Arbitrage after gas: the lesser of that at base prices and at base prices optimised for the price of gas. */
function marketArbitrage({ graph, workspace, from }: Query, order: CertifiedOrder, gasPriceWei: number) {
  const { certificates } = workspace;
  const atBase = arbitrageOf(graph, certificates.local, order, gasPriceWei);
  const isAtHome = graph.near.component[from] === graph.near.component[NATIVE_NODE];
  if (!(atBase.wei > 0 && gasPriceWei > 0 && isAtHome)) return atBase;
  const wei = Math.min(atBase.wei, settledArbitrage(graph, certificates, order, gasPriceWei));
  return { wei, share: (atBase.share * wei) / atBase.wei };
}

/** The prices of all tokens: those of the proof, and base prices for the others. */
function allPrices(
  { graph, workspace }: Query,
  order: CertifiedOrder,
  { prices: best, staysPut }: Proof,
): Map<Address, number> {
  const keep = new Float64Array(graph.tokens.length);
  certifyLocally(graph, workspace.certificates, best, { ...order, keep, staysPut });
  const prices = new Map<Address, number>();
  for (const [token, node] of graph.nodeOf) if (keep[node]! > 0) prices.set(token, keep[node]!);
  return prices;
}

function ceiled(amount: number): bigint {
  return BigInt(Math.ceil(amount));
}
