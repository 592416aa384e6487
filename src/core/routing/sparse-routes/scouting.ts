import type { Demand } from "../convex/demand.ts";
import type { Graph } from "../market-graph/graph.ts";
import { levelOf, pricesAt } from "../market-graph/pair-index.ts";
import type { Flow } from "../settlement/layout.ts";
import type { Workshop } from "../workspace.ts";
import { type Followed, type Following, type FollowRules, followUp, partOf, solveAlong } from "./follow.ts";
import { pour, valueForPouring } from "./pour.ts";
import { type Pieces, sendPieces } from "./scout.ts";

/** Hops as multiples of those of an ordinary path. */
type Sent = Pick<Pieces, "pieces" | "falling" | "hops" | "after">;

/** Hops of the single paths that come first, so that something is in hand. */
const PATHS = [0.5, 1, 3];
/** What the scout sends where more than one path pays: prices that contradict each other make ways round pay. */
const SCOUTED: readonly Sent[] = [
  { pieces: 8, hops: 3, falling: true },
  { pieces: 16, hops: 0.75 },
  { pieces: 4, hops: 2 },
  { pieces: 16, hops: 3 },
];
/** What is poured where more than one way pays. */
const POURED = [{ pieces: 8, falling: true }, { pieces: 16 }];
/** Where tokens are valued for that: by pools after a trade of these shares of the order, 0 = at spot. Other pools lead each astray. */
const VALUED_AT = [0, 1, 0.01];
/** The last piece of an order, as a share: where it takes the path that all before it took, no other pays. */
const LAST = 1 / 128;

type Scouting = Following & {
  /** All sets so far. */
  readonly sets: (readonly Flow[])[];
  /** The best of them, solved over its edges. */
  best: Followed | undefined;
};

/** Sets of flows that real outputs find where prices do not, the best first; it leaves a set's problem in the workshop. */
export function scoutOut(
  graph: Graph,
  shop: Workshop,
  demand: Demand,
  rules: FollowRules,
): readonly (readonly Flow[])[] {
  const scouting: Scouting = { graph, shop, demand, rules, sets: [], best: undefined };
  sendOut(scouting);
  for (const share of VALUED_AT) if (!demand.late()) pourOut(scouting, share);
  const { sets, best } = scouting;
  return best === undefined ? sets : [best.flows, ...sets];
}

function sendOut(scouting: Scouting): void {
  const { demand } = scouting;
  let path: readonly Flow[] = [];
  for (const hops of PATHS) {
    path = scout(scouting, demand, { pieces: 1, hops });
    note(scouting, path);
    if (demand.late()) return;
  }
  const farthest = PATHS.at(-1)!;
  if (isOnly(scouting, path, (last, after) => scout(scouting, last, { pieces: 1, hops: farthest, after })))
    return;
  for (const pieces of SCOUTED) if (!demand.late()) note(scouting, scout(scouting, demand, pieces));
}

/** Sends an order; where gas eats every trade, as if it were free. */
function scout({ graph, shop, rules }: Scouting, demand: Demand, { hops, ...pieces }: Sent): readonly Flow[] {
  const { perGas, cap } = rules;
  const options = { ...pieces, hops: Math.ceil(hops * rules.hops), legs: cap, perGas };
  const set = sendPieces(graph, shop.scout, demand, options);
  return set.length === 0 && perGas > 0
    ? sendPieces(graph, shop.scout, demand, { ...options, perGas: 0 })
    : set;
}

/** Pours with tokens valued after a trade of a share of the order, and follows the best set so far up by those values. */
function pourOut(scouting: Scouting, share: number): void {
  const { graph, shop, demand, rules } = scouting;
  const { perGas, cap } = rules;
  const supply = demand.amount * graph.values.ref[demand.from]!;
  const prices = share === 0 ? graph.pairs.spot : pricesAt(graph.pairs, levelOf(share * supply));
  valueForPouring(graph, shop.pourer, demand, prices);
  const send = (part: Demand, pieces: Pick<Pieces, "pieces" | "falling" | "after">) =>
    pour(graph, shop.pourer, part, { ...pieces, legs: cap, perGas });
  const way = send(demand, { pieces: 1 });
  note(scouting, way);
  if (!isOnly(scouting, way, (last, after) => send(last, { pieces: 1, after })))
    for (const pieces of POURED) if (!demand.late()) note(scouting, send(demand, pieces));
  if (scouting.best !== undefined) scouting.best = followUp(scouting, scouting.best);
}

/** Whether the last piece of an order takes the way that all before it did. @param send sends a part after flows */
function isOnly(
  { demand }: Scouting,
  way: readonly Flow[],
  send: (part: Demand, after: readonly Flow[]) => readonly Flow[],
): boolean {
  const before = way.map((flow) => ({ edge: flow.edge, amount: flow.amount * (1 - LAST) }));
  return send(partOf(demand, LAST), before).length === way.length;
}

/** Keeps a set, and what it nets once it is solved where that is the most. */
function note(scouting: Scouting, set: readonly Flow[]): void {
  const { demand, rules, sets, best } = scouting;
  if (set.length === 0) return;
  sets.unshift(set);
  const solved = demand.late() ? undefined : solveAlong(scouting, set);
  if (solved === undefined || solved.flows.length > rules.cap) return;
  if (best === undefined || solved.net > best.net) scouting.best = solved;
}
