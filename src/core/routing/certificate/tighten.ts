import type { Graph } from "../market-graph/graph.ts";
import type { Bounds, CertifiedOrder, Ledger } from "./certify.ts";
import { minimiseBound } from "./dual/minimise.ts";
import { settledPrices } from "./dual/settled.ts";
import { certifyLocally, type PartialPrices } from "./local.ts";
import type { CertificateMemory } from "./memory.ts";

/** Prices, the bounds that they prove, and whether all other tokens stand at base prices. */
export type Proof = { readonly prices: PartialPrices; readonly bounds: Bounds; readonly staysPut: boolean };

/** What a proof is made tighter from. */
export type Tightening = {
  /** The best proof so far. */
  readonly proof: Proof;
  /** Tokens that the route passes. */
  readonly passed: Iterable<number>;
  /** A net bound that needs to be no lower. */
  readonly enough: number;
};

/** Times that prices are minimised, each from the pools that gain at those before. */
const ROUNDS = 4;
/** A round that closes less of what is open, as a share, is the last one. */
const WORTHWHILE = 0.02;
/** Pools that gain whose tokens are variables, the best first, and the share of its gas that one must gain. */
const MOST_GAINING = 40;
const GAINING = 1.001;

/** Minimises the net bound over the prices around a route. @returns the proofs found, each better than the one before */
export function tighten(
  graph: Graph,
  memory: CertificateMemory,
  order: CertifiedOrder,
  { proof, passed, enough }: Tightening,
): readonly Proof[] {
  const ledger: Ledger = { moved: new Map(), gaining: [] };
  certifyLocally(graph, memory, proof.prices, { ...order, ledger });
  const settled = settledPrices(graph, memory, order);
  const route = [...passed];
  const found: Proof[] = [];
  let best = proof.bounds.net;
  for (let round = 0; round < ROUNDS; round++) {
    const variables = [...route, ...gainingTokens(graph, ledger, order)];
    const start = { prices: new Map(ledger.moved), variables, settled };
    const prices = minimiseBound(graph, order, start, enough);
    if (prices === undefined) break;
    const bounds = certifyLocally(graph, memory, prices, { ...order, ledger, staysPut: true });
    if ("reason" in bounds) break;
    const open = best - enough;
    if (bounds.net < best) found.push({ prices, bounds, staysPut: true });
    best = Math.min(best, bounds.net);
    if (best < enough || (round > 0 && open - (best - enough) < WORTHWHILE * open)) break;
  }
  return found;
}

/** The ends of pools that gain more than their gas at the prices. */
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
