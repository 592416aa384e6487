import { performance } from "node:perf_hooks";
import type { Engine } from "../../../src/core/routing/types.ts";
import { benchRegistry, gasPriceOut } from "../market/gas.ts";
import type { Market } from "../market/market.ts";
import type { OrderResult } from "../market/schema.ts";
import { type Board, makeBoard } from "../orders/board.ts";
import type { RunOptions } from "../orders/run.ts";
import type { Answer, Task } from "../proof/judge.ts";
import { mean, quantile } from "./statistics.ts";
import { figure, ratio, table } from "./table.ts";

/** A way to route that is compared with the engine. */
export type Rival = { readonly name: string; readonly answer: (task: Task) => MaybeLater };
type MaybeLater = Answer | undefined | Promise<Answer | undefined>;

/** How a rival did on one order; `answer` is undefined where it found nothing. */
export type Duel = { readonly order: number; readonly answer: Answer | undefined; readonly ms: number };

/** Nets that differ by less than this share of the amount out are equal: 0.01 bp. */
const EQUAL = 1e-6;
const WARM_UP = 3;

type Field = {
  readonly market: Market;
  readonly engine: Engine;
  readonly options: RunOptions;
  /** Where it was made already. */
  readonly board?: Board;
};

type Duelling = {
  readonly rivals: readonly Rival[];
  readonly results: readonly OrderResult[];
  readonly sample: readonly number[];
};

/** Asks every rival for the orders numbered `sample`; each is judged as the engine is. */
export async function duel(
  field: Field,
  { rivals, results, sample }: Duelling,
): Promise<Map<string, Duel[]>> {
  const { engine, options } = field;
  const board = field.board ?? makeBoard(field.market);
  const tasks = sample.map((order) => ({ order, task: taskOf({ board, engine, options }, results[order]!) }));
  const duels = new Map<string, Duel[]>();
  for (const { name, answer } of rivals) {
    for (const { task } of tasks.slice(-WARM_UP)) await timed(answer, task);
    const list: Duel[] = [];
    for (const { order, task } of tasks) list.push({ order, ...(await timed(answer, task)) });
    duels.set(name, list);
  }
  return duels;
}

async function timed(answer: Rival["answer"], task: Task | undefined) {
  const start = performance.now();
  const found = task && (await answer(task));
  return { answer: found, ms: performance.now() - start };
}

/** The order as a strategy is asked it; undefined where a token is in no pool. */
export function taskOf(
  { board, engine, options }: { board: Board; engine: Engine; options: RunOptions },
  { tokenIn, tokenOut, amountIn }: Pick<OrderResult, "tokenIn" | "tokenOut" | "amountIn">,
): Task | undefined {
  const from = board.nodeOf.get(tokenIn);
  const to = board.nodeOf.get(tokenOut);
  if (from === undefined || to === undefined || from === to) return undefined;
  return {
    board,
    registry: benchRegistry(board.market),
    from,
    to,
    amount: BigInt(amountIn),
    gasOut: gasPriceOut({ wei: options.gasGwei * 1e9, nativePerOut: engine.nativePer(tokenOut) }),
    maxLegs: options.maxLegs === 0 ? Number.POSITIVE_INFINITY : options.maxLegs,
  };
}

/** What the engine nets above a rival, as a share of the larger amount out; below 0 where it is worse. */
export function gainOver(result: OrderResult, { answer }: Pick<Duel, "answer">): number {
  if (answer === undefined) return result.net === undefined ? 0 : 1;
  if (result.net === undefined || result.amountOut === undefined) return -1;
  const out = Math.max(Number(result.amountOut), Number(answer.amountOut));
  return Number(BigInt(result.net) - answer.net) / out;
}

/** A rival's amount out over the engine's bound, where there are both. */
export function ratioOf(result: OrderResult, { answer }: Duel): number | undefined {
  if (answer === undefined || result.bound == null) return undefined;
  return Number((answer.amountOut * 10n ** 15n) / BigInt(result.bound)) / 1e15;
}

/** Rivals against the engine, for people. */
export function duelTable(
  results: readonly OrderResult[],
  duels: ReadonlyMap<string, readonly Duel[]>,
): string {
  const sample = [...duels.values()][0]?.map(({ order }) => order) ?? [];
  const best = new Map(sample.map((n) => [n, bestNet(results[n]!, [...duels.values()], n)]));
  const engine = sample.map((n) => {
    const { ms, net, amountOut, gasUnits, route } = results[n]!;
    const answer =
      net === undefined
        ? undefined
        : { amountOut: BigInt(amountOut!), net: BigInt(net), gasUnits: gasUnits!, legs: route! };
    return { order: n, ms, answer };
  });
  const head = [
    "router",
    "mean",
    "p5",
    "min",
    "net per mille of best",
    "legs",
    "engine better",
    "equal",
    "worse",
  ];
  const rows = [["engine", engine] as const, ...duels].map(([name, list]) => [
    name,
    ...ratioCells(results, list),
    figure(mean(shares(list, best)), 4),
    figure(mean(list.flatMap(({ answer }) => (answer ? [answer.legs.length] : []))), 1),
    ...(list === engine ? ["", "", "", "", ""] : lossCells(results, list)),
    ...msCells(list),
  ]);
  return table([...head, "worst loss bp", "at order", "ms p50", "ms max"], rows);
}

function bestNet(result: OrderResult, all: readonly (readonly Duel[])[], order: number): number {
  const nets = all.flatMap((list) => list.find((one) => one.order === order)?.answer?.net ?? []).map(Number);
  return Math.max(Number(result.net ?? 0), ...nets);
}

/** Nets in per mille of the best net of the run, where that is worth something. */
function shares(list: readonly Duel[], best: ReadonlyMap<number, number>): number[] {
  return list.flatMap(({ order, answer }) => {
    const most = best.get(order)!;
    return most > 0 ? [(1000 * Number(answer?.net ?? 0n)) / most] : [];
  });
}

function ratioCells(results: readonly OrderResult[], list: readonly Duel[]): string[] {
  const ratios = list.flatMap((one) => ratioOf(results[one.order]!, one) ?? []).sort((a, b) => a - b);
  return [ratio(mean(ratios)), ratio(quantile(ratios, 0.05)), ratio(ratios[0] ?? Number.NaN)];
}

function lossCells(results: readonly OrderResult[], list: readonly Duel[]): string[] {
  const gains = list.map((one) => gainOver(results[one.order]!, one));
  const worst = Math.min(...gains);
  const worse = gains.filter((gain) => gain < -EQUAL).length;
  const better = gains.filter((gain) => gain > EQUAL).length;
  return [
    String(better),
    String(gains.length - better - worse),
    String(worse),
    worse > 0 ? figure(-worst * 1e4, 3) : "0",
    worse > 0 ? String(list[gains.indexOf(worst)]!.order) : "-",
  ];
}

function msCells(list: readonly Duel[]): string[] {
  const ms = list.map((one) => one.ms).sort((a, b) => a - b);
  return [figure(quantile(ms, 0.5)), figure(ms.at(-1) ?? Number.NaN)];
}

/** Orders that a rival routes with more net than the engine, with the rival that nets most, worst first. */
export function losses(results: readonly OrderResult[], duels: ReadonlyMap<string, readonly Duel[]>) {
  const worst = new Map<number, { name: string; one: Duel; gain: number }>();
  for (const [name, list] of duels) {
    for (const one of list) {
      const gain = gainOver(results[one.order]!, one);
      if (gain < Math.min(-EQUAL, worst.get(one.order)?.gain ?? 0)) worst.set(one.order, { name, one, gain });
    }
  }
  return [...worst.values()].sort((a, b) => a.gain - b.gain);
}
