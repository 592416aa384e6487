import type { Registry } from "../../../src/core/protocol.ts";
import { benchRegistry } from "../market/gas.ts";
import type { Market } from "../market/market.ts";
import type { OrderResult } from "../market/schema.ts";
import { makeBoard } from "../orders/board.ts";
import { buildEngine, runOrder } from "../orders/run.ts";
import { isConnected, judgeEdges } from "../proof/judge.ts";
import { verify } from "../proof/verify.ts";
import { netOfLegs, violatesBound } from "../report/gaps.ts";
import { type Bracket, bracket, WIDTH_BP } from "./bracket.ts";
import type { RefereeCase } from "./cases.ts";
import type { Program } from "./program.ts";

/** What the referee says of an answer. */
export type Verdict = {
  readonly refereed: RefereeCase;
  readonly result: OrderResult;
  readonly bracket: Bracket;
  /** What does not hold; none where engine and certificate are right. */
  readonly faults: readonly string[];
  /** Why the referee cannot say how good the answer is; undefined where it can. */
  readonly undecided: string | undefined;
  /** Outer bound less the engine's net, in basis points of the amount that the engine pays. */
  readonly gapBp: number;
  /** The certificate's net bound less the outer bound, in the same. */
  readonly looseBp: number;
};

export type Asking = {
  readonly newProgram: () => Program;
  /** The engine's designs, where they are not those of the bench: a fault can be planted there. */
  readonly registryOf?: (market: Market) => Registry;
  /** Changes an answer before it is refereed: a fault can be planted there. */
  readonly change?: (result: OrderResult) => OrderResult;
};

/** What doubles lose. */
const ROUNDING = 1e-9;

export function referee(asking: Asking, refereed: RefereeCase): Verdict {
  const { newProgram, registryOf = benchRegistry, change = (result) => result } = asking;
  const { market, order, gasGwei, maxLegs } = refereed;
  const { engine } = buildEngine(market, registryOf(market));
  const result = change(runOrder(engine, market, order, { gasGwei, maxLegs, budgetMs: 60_000 }));
  const board = makeBoard(market);
  const gasOut = result.gasPriceOut ?? 0;
  const [from, to] = [board.nodeOf.get(order.tokenIn)!, board.nodeOf.get(order.tokenOut)!];
  const net = result.amountOut === undefined ? 0 : Number(netOfLegs(result));
  const ends = { from, to, amount: Number(order.amountIn) };
  const found = bracket(newProgram, board, { ...ends, maxLegs, gasOut, known: net });
  const task = { board, registry: benchRegistry(market), from, to, amount: BigInt(order.amountIn), gasOut };
  const settled = judgeEdges({ ...task, maxLegs }, found.flows);
  const best =
    settled && netOfLegs({ ...result, amountOut: String(settled.amountOut), gasUnits: settled.gasUnits });
  const bp = 1e4 / Number(result.amountOut ?? 1);
  const holds = verify(board, [{ ...result, bound: null }], maxLegs).faults.length === 0;
  const undecided = undecidedBy(found, net, holds);
  const wasted =
    ends.amount - found.flows.reduce((sum, { edge, amount }) => sum + (edge.tail === from ? amount : 0), 0);
  return {
    refereed,
    result,
    bracket: found,
    undecided,
    faults: [
      ...faultsOf({
        ...{ result, found, best, undecided },
        sellsAll: wasted < ends.amount * WASTE,
        isRoute: isConnected(ends, found.flows),
      }),
      ...(engine.counters().boundsViolated > 0 ? ["the engine withdrew a bound below what it pays"] : []),
    ],
    gapBp: (found.outer - net) * bp,
    looseBp: (Number(result.netBound ?? 0) - found.outer) * bp,
  };
}

/** Share of what is sold that the referee's flows may leave over: they may throw away what no route can. */
const WASTE = 1e-6;

function below(value: number): number {
  return value - Math.abs(value) * ROUNDING - 1;
}

/**
 * HiGHS now and then calls solutions optimal that are not, under all settings that it is given: an answer that nets more and holds hop
 * by hop shows that.
 */
function undecidedBy({ outer, widthBp }: Bracket, net: number, holds: boolean): string | undefined {
  if (!(widthBp <= WIDTH_BP)) return `the bracket is ${widthBp} bp wide`;
  return holds && below(net) > outer
    ? `the solver calls ${outer} the most, and a route nets ${net}`
    : undefined;
}

type Judged = {
  readonly result: OrderResult;
  readonly found: Bracket;
  /** What the referee's flows net once settled in integers; undefined where they do not settle. */
  readonly best: bigint | undefined;
  /** Whether the referee's flows sell all of the order. */
  readonly sellsAll: boolean;
  /**
   * Whether all of the referee's flows are connected with both ends. A cap on legs bounds what routes net, and circles of pools that the
   * order does not reach can net more.
   */
  readonly isRoute: boolean;
  readonly undecided: string | undefined;
};

function faultsOf({ result, found, best, sellsAll, isRoute, undecided }: Judged): string[] {
  const { outer, inner, innerGross } = found;
  const { bound, netBound, amountOut } = result;
  if (amountOut === undefined) return sellsAll ? [`the order does not route: ${result.error}`] : [];
  if (bound == null || netBound === undefined) return [`nothing is proved: ${result.reason}`];
  const faults: [boolean, string][] = [
    [violatesBound(result), "the answer pays more than its own bound"],
    [
      undecided === undefined && below(Number(netOfLegs(result))) > outer,
      `the answer nets ${netOfLegs(result)}, and ${outer} is possible`,
    ],
    [isRoute && below(inner) > Number(netBound), `the net bound is ${netBound}, and ${inner} can be netted`],
    [isRoute && below(innerGross) > Number(bound), `the bound is ${bound}, and ${innerGross} can be paid`],
    [best !== undefined && best > BigInt(netBound), `the net bound is ${netBound}, and a route nets ${best}`],
  ];
  return faults.flatMap(([isFault, what]) => (isFault ? [what] : []));
}
