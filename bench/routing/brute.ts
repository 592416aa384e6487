import type { Engine } from "../../src/core/routing/types.ts";
import { type Board, type Edge, gasAt } from "./board.ts";
import { taskOf } from "./compare.ts";
import { gainOf } from "./dual.ts";
import { type Answer, betterAnswer, judgeEdges, type Task } from "./judge.ts";
import { type RunOptions, runOrder } from "./run.ts";
import type { Order, OrderResult } from "./schema.ts";
import { type Segments, segmentsOf } from "./segments.ts";
import { type SmallProblem, type Solved, solveSubset } from "./subset.ts";

/** How the engine did against every subset of the edges that are worth most. */
export type BruteResult = {
  readonly order: Order;
  readonly gwei: number;
  readonly engine: OrderResult;
  /** Undefined where nothing could be compared. */
  readonly best: Answer | undefined;
  /** What the best subset nets above the engine, in bp of its amount out; 0 or less where the engine is as good. */
  readonly gapBp: number;
};

export type Compared = BruteResult & { readonly best: Answer };

export function isCompared(result: BruteResult): result is Compared {
  return result.best !== undefined;
}

/** Edges of which every subset is tried. */
const EDGES = 13;
/** Subsets that are settled to the wei: those that promise most. */
const JUDGED = 24;

export type BruteField = {
  readonly board: Board;
  readonly engine: Engine;
  readonly options: RunOptions;
  readonly gweis: readonly number[];
};

/** Solves every subset for one order, and compares at every price of gas. */
export function bruteForce(field: BruteField, order: Order): BruteResult[] {
  const { board, engine, options, gweis } = field;
  const asked = { ...options, gasGwei: 0, maxLegs: 0, wantsPrices: true };
  const free = runOrder(engine, board.market, order, asked);
  const base = taskOf({ board, engine, options: { ...options, gasGwei: 0 } }, order);
  if (base === undefined || free.bound == null)
    return gweis.map((gwei) => ({ order, gwei, engine: free, best: undefined, gapBp: 0 }));
  const prices = pricesByNode(board, free);
  const edges = mostValuable(board, base, prices);
  const solved = solveAll(smallProblem(base, edges, prices), edges.length);
  return gweis.map((gwei) => {
    const task = taskOf({ board, engine, options: { ...options, gasGwei: gwei } }, order)!;
    const best = bestSubset(task, edges, solved);
    const result = runOrder(engine, board.market, order, { ...options, gasGwei: gwei });
    if (best === undefined) return { order, gwei, engine: result, best, gapBp: 0 };
    const net = result.net === undefined ? -Number(best.amountOut) : Number(best.net - BigInt(result.net));
    return { order, gwei, engine: result, best, gapBp: (net / Number(best.amountOut)) * 1e4 };
  });
}

/** The stated prices, by node; 0 = none. */
function pricesByNode(board: Board, { prices = {} }: OrderResult): Float64Array {
  const given = new Float64Array(board.tokens.length);
  for (const [token, price] of Object.entries(prices)) {
    const node = board.nodeOf.get(token as `0x${string}`);
    if (node !== undefined) given[node] = price;
  }
  return given;
}

function mostValuable(board: Board, { from, to }: Task, prices: Float64Array): Edge[] {
  return board.edges
    .filter(({ tail, head }) => head !== from && tail !== to)
    .map((edge) => ({ edge, gain: gainOf(edge, prices) }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, EDGES)
    .map(({ edge }) => edge);
}

const curves = new WeakMap<Edge, Segments>();

function curveOf(edge: Edge): Segments {
  const known = curves.get(edge) ?? segmentsOf(edge.direction);
  curves.set(edge, known);
  return known;
}

/** The edges over nodes of their own; prices are those of the whole market. */
function smallProblem(
  { from, to, amount }: Task,
  edges: readonly Edge[],
  prices: Float64Array,
): SmallProblem {
  const nodes = [from, to];
  const local = (node: number) => {
    if (!nodes.includes(node)) nodes.push(node);
    return nodes.indexOf(node);
  };
  const rows = edges.map((edge) => ({
    tail: local(edge.tail),
    head: local(edge.head),
    curve: curveOf(edge),
  }));
  return {
    nodes: nodes.length,
    amount: Number(amount),
    edges: rows,
    prices: nodes.map((node) => prices[node]! || 1),
  };
}

type Subset = { readonly mask: number; readonly solved: Solved };

/** All subsets whose every edge lies on a way between the ends; the others equal a smaller one. */
function solveAll(problem: SmallProblem, count: number): Subset[] {
  const subsets: Subset[] = [];
  for (let mask = 1; mask < 1 << count; mask++) {
    if (isWhole(problem, mask)) subsets.push({ mask, solved: solveSubset(problem, mask) });
  }
  return subsets;
}

function isWhole({ edges }: SmallProblem, mask: number): boolean {
  let ahead = 1;
  let behind = 2;
  for (let before = 0; before !== ahead + behind * 4096; ) {
    before = ahead + behind * 4096;
    for (let e = 0; e < edges.length; e++) {
      if ((mask & (1 << e)) === 0) continue;
      const { tail, head } = edges[e]!;
      if (ahead & (1 << tail)) ahead |= 1 << head;
      if (behind & (1 << head)) behind |= 1 << tail;
    }
  }
  return edges.every(
    ({ tail, head }, e) => (mask & (1 << e)) === 0 || ((ahead >> tail) & (behind >> head) & 1) === 1,
  );
}

function bestSubset(task: Task, edges: readonly Edge[], subsets: readonly Subset[]): Answer | undefined {
  const ranked = subsets
    .map(({ solved }) => ({ solved, net: solved.value - gasOf(task, edges, solved) * task.gasOut }))
    .filter(({ solved }) => solved.sold.filter((sold) => sold > 0).length <= task.maxLegs)
    .sort((a, b) => b.net - a.net)
    .slice(0, JUDGED);
  let best: Answer | undefined;
  for (const { solved } of ranked) {
    const flows = edges.map((edge, e) => ({ edge, amount: solved.sold[e]! }));
    best = betterAnswer(best, judgeEdges(task, flows));
  }
  return best;
}

function gasOf({ board }: Task, edges: readonly Edge[], { sold }: Solved): number {
  return edges.reduce((sum, edge, e) => sum + (sold[e]! > 0 ? gasAt(edge, board, sold[e]!) : 0), 0);
}
