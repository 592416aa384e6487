import type { ColumnWorkspace } from "../column-generation/stopping.ts";
import { carrying, type PrimalFlow } from "../convex/primal-flow.ts";
import type { Demand } from "../convex/problem.ts";
import { dropDeadEnds, type Problem } from "../convex/problem.ts";
import { solveProblem } from "../convex/solve.ts";
import { subProblem } from "../convex/sub-problem.ts";
import { profitAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Flow } from "../settlement/layout.ts";

const ROUNDS = 6;
/** Least loss of a leg's output by rounding, in smallest units. */
const ROUNDING = 0.6;
/** Share of the edges that earn less than their rounding loss that one round removes. */
const AT_ONCE = 0.5;

/** By edge, how much of its output rounding costs, in smallest units, rounding of fees included. */
export type Losses = ReadonlyMap<number, number>;

type Tidying = Pick<Demand, "late"> & { readonly losses: Losses };

/** Flows over some edges of a solved problem, and what they deliver less the cost of rounding, in value. */
export type Tidied = { readonly flows: readonly Flow[]; readonly net: number };

/**
 * Prunes a solution: each pool is reduced to the pair that carries most, since the curves of its pairs ignore each
 * other, and edges that earn less than their rounding loss are removed, half of them a round. Each round solves the
 * problem over the edges left.
 *
 * @param flows the optimal flows of the solved problem
 * @returns the pruned flows that net most; undefined if no edge is removed, or no flow is left
 */
export function tidy(
  graph: Graph,
  workspace: ColumnWorkspace,
  flows: readonly Flow[],
  { losses, late }: Tidying,
): Tidied | undefined {
  const { problem } = workspace;
  let best: Tidied | undefined;
  let kept = worthwhile(graph, problem, onePairEach(graph, flows), losses);
  for (let round = 0, before = flows.length; round < ROUNDS && kept.length < before && !late(); round++) {
    const solved = solveOver(workspace, kept, { losses, late });
    if (solved === undefined) break;
    const single = onePairEach(graph, solved.flows);
    if (single.length === solved.flows.length && !(best !== undefined && best.net >= solved.net))
      best = solved;
    before = kept.length;
    kept = worthwhile(graph, workspace.small, single, losses);
  }
  return best;
}

function solveOver(
  workspace: ColumnWorkspace,
  flows: readonly Flow[],
  { losses, late }: Tidying,
): Tidied | undefined {
  const { problem, small, scratch, primalFlow } = workspace;
  const places = flows.map(({ edge }) => scratch.inProblem[edge]! - 1).filter((place) => place >= 0);
  subProblem(small, problem, places);
  dropDeadEnds(small, undefined);
  if (small.edges === 0) return undefined;
  solveProblem(small, workspace, late);
  return primalFlow.most > 0 ? readFlows(small, primalFlow, losses) : undefined;
}

function readFlows(problem: Problem, primalFlow: PrimalFlow, losses: Losses): Tidied {
  const { edge, head, ref, price } = problem;
  const flows: Flow[] = [];
  let net = primalFlow.most;
  for (const e of carrying(primalFlow, problem)) {
    flows.push({ edge: edge[e]!, amount: primalFlow.best[e]! });
    net -= lossOf(losses, edge[e]!) * ref[head[e]!]! * price[head[e]!]!;
  }
  return { flows, net };
}

function lossOf(losses: Losses, edge: number): number {
  return Math.max(ROUNDING, losses.get(edge) ?? 0);
}

function onePairEach({ owner, tail, values }: Graph, flows: readonly Flow[]): Flow[] {
  const best = new Map<number, Flow>();
  const value = ({ edge, amount }: Flow) => amount * values.ref[tail[edge]!]!;
  for (const flow of flows) {
    const other = best.get(owner[flow.edge]!);
    if (other === undefined || value(flow) > value(other)) best.set(owner[flow.edge]!, flow);
  }
  return [...best.values()];
}

/** The flows without half of those that earn less than their rounding loss: the half with the largest shortfalls. */
function worthwhile(graph: Graph, problem: Problem, flows: readonly Flow[], losses: Losses): readonly Flow[] {
  const price = new Map<number, number>();
  for (let n = 0; n < problem.nodes; n++) price.set(problem.node[n]!, problem.price[n]! * problem.ref[n]!);
  const earned = ({ edge }: Flow) => {
    const out = price.get(graph.head[edge]!)!;
    return (profitAt(graph.curves, edge, price.get(graph.tail[edge]!)! / out) - lossOf(losses, edge)) * out;
  };
  const losing = flows.map((flow) => ({ flow, net: earned(flow) })).filter(({ net }) => net < 0);
  losing.sort((a, b) => a.net - b.net || a.flow.edge - b.flow.edge);
  const gone = new Set(losing.slice(0, Math.ceil(losing.length * AT_ONCE)).map(({ flow }) => flow));
  return gone.size === 0 ? flows : flows.filter((flow) => !gone.has(flow));
}
