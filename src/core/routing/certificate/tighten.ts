import { barOf } from "../../math/nth-largest.ts";
import { type Graph, NATIVE_NODE } from "../market-graph/graph.ts";
import type { Bounds, CertifiedOrder, Ledger } from "./certify.ts";
import { minimiseBound } from "./dual/minimise.ts";
import { settledPrices } from "./dual/settled.ts";
import { certifyLocally, type PartialPrices } from "./local/local.ts";
import type { CertificateMemory } from "./memory.ts";

/** Prices, and the bounds that they prove. */
export type Proof = {
  readonly prices: PartialPrices;
  readonly bounds: Bounds;
  /** Whether tokens without a price here keep their base price; see `CertifiedOrder`. */
  readonly staysPut: boolean;
  /** The basis of the bounds, where it was kept. */
  readonly ledger?: Ledger | undefined;
};

/** The input of `tighten`. */
export type Tightening = {
  /** The best proof so far. */
  readonly proof: Proof;
  /** Tokens that the route passes. */
  readonly passed: Iterable<number>;
  /** A net bound that is low enough: minimisation ends below it. */
  readonly enough: number;
  /** Number of minimisations, each of which starts from the prices and the gaining pools of the one before. */
  readonly rounds: number;
  /** Whether minimisation has to end with the prices that it has. */
  readonly late: () => boolean;
};

/** The last round is the one that lowers the bound by less than this share of what lies between it and `enough`. */
const WORTHWHILE = 0.02;
/**
 * Cap on the number of gaining pools whose tokens become variables, by descending gain, and the multiple of its gas
 * that such a pool must gain. More variables close more of the gap and cost more time.
 */
const MOST_GAINING = 40;
const GAINING = 1.001;

/**
 * Minimises the net bound over the prices around a route.
 *
 * @returns the proofs found, each better than the one before
 */
export function tighten(
  graph: Graph,
  memory: CertificateMemory,
  order: CertifiedOrder,
  { proof, passed, enough, rounds, late }: Tightening,
): readonly Proof[] {
  const ledger = proof.ledger ?? ledgerOf(graph, memory, order, proof.prices);
  const settled = settledPrices(graph, memory, order);
  const route = [...passed];
  const found: Proof[] = [];
  let best = proof.bounds.net;
  for (let round = 0; round < rounds; round++) {
    const variables = [...route, ...gainingTokens(graph, ledger, order)];
    const start = { prices: new Map(ledger.moved), variables, settled, shadow: shadowOf(ledger, order) };
    const prices = minimiseBound(graph, order, start, { enough, late });
    if (prices === undefined) break;
    const bounds = certifyLocally(graph, memory, prices, { ...order, ledger, staysPut: true });
    if ("reason" in bounds) break;
    const lowered = best - bounds.net;
    const isLittle = round > 0 && lowered < WORTHWHILE * (best - enough);
    if (lowered > 0) found.push({ prices, bounds, staysPut: true });
    best = Math.min(best, bounds.net);
    if (best < enough || isLittle || late()) break;
  }
  return found;
}

/** The basis of the bound that some prices prove. */
function ledgerOf(
  graph: Graph,
  memory: CertificateMemory,
  order: CertifiedOrder,
  prices: PartialPrices,
): Ledger {
  const ledger: Ledger = { moved: new Map(), gaining: [] };
  certifyLocally(graph, memory, prices, { ...order, ledger });
  return ledger;
}

/** Cap on the number of gas prices whose arbitrage is cached until base prices change. */
const MOST_REMEMBERED = 64;

/**
 * An upper bound on the market's arbitrage after gas, in wei: what all pools gain at the base prices that are optimised
 * for the price of gas, without an order. Infinity where it is not known.
 */
export function settledArbitrage(
  graph: Graph,
  memory: CertificateMemory,
  order: CertifiedOrder,
  gasPriceWei: number,
): number {
  const { arbitrage } = memory.settled;
  const known = arbitrage.get(gasPriceWei);
  if (known !== undefined) return known;
  const ledger: Ledger = { moved: new Map(), gaining: [] };
  const nothing = { from: NATIVE_NODE, to: NATIVE_NODE, amount: 1, maxLegs: 0, allowed: () => true };
  const market = { ...order, ...nothing, outPerGas: gasPriceWei, ledger, staysPut: true };
  const bounds = certifyLocally(graph, memory, new Map([[NATIVE_NODE, 1]]), market);
  const gained = ledger.gaining.reduce(
    (sum, { earned, cost }) => sum + Math.max(0, earned - cost * gasPriceWei),
    0,
  );
  const wei = "reason" in bounds ? Infinity : gained;
  if (arbitrage.size < MOST_REMEMBERED) arbitrage.set(gasPriceWei, wei);
  return wei;
}

/**
 * The shadow price of a crossing under the cap on legs: what the last pool that counts gains beyond its gas. 0 if the cap
 * leaves room for all pools that gain.
 */
function shadowOf({ gaining }: Ledger, { maxLegs, outPerGas }: CertifiedOrder): number {
  if (maxLegs === 0) return 0;
  return barOf(
    Float64Array.from(gaining, ({ earned, cost }) => earned - cost * outPerGas),
    maxLegs,
  );
}

/** The tokens of the pools that gain most beyond their gas at the prices of a ledger. */
function gainingTokens(
  { tail, head, entries }: Graph,
  { gaining }: Ledger,
  { outPerGas }: CertifiedOrder,
): number[] {
  return gaining
    .filter(({ earned, cost }) => earned > GAINING * cost * outPerGas)
    .sort((a, b) => b.earned - a.earned)
    .slice(0, MOST_GAINING)
    .flatMap(({ index }) => {
      const { firstEdge } = entries[index]!;
      return [tail[firstEdge]!, head[firstEdge]!];
    });
}
