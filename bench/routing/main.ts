import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { Engine } from "../../src/core/routing/types.ts";
import { runCommand } from "./flags.ts";
import { BadInput } from "./market/fields.ts";
import { type Market, readMarket, readOrders } from "./market/market.ts";
import type { Order, OrderResult, Summary } from "./market/schema.ts";
import { type Options, readOptions, sampleOf, USAGE } from "./options.ts";
import { makeBoard } from "./orders/board.ts";
import { hasFormulas } from "./orders/directions.ts";
import { makeOrders } from "./orders/orders.ts";
import { measurePatches } from "./orders/patching.ts";
import { buyAll, purchaseFaults, purchaseTable } from "./orders/purchases.ts";
import { buildEngine, runOrder, WARM_UP, warmUpOrders } from "./orders/run.ts";
import { verify } from "./proof/verify.ts";
import { refereeAll, refereeFaults, refereeTable } from "./referee/report.ts";
import { type Duel, duel, duelTable, losses, ratioOf } from "./report/compare.ts";
import { proofTable, violatesBound, worthIn } from "./report/gaps.ts";
import { loadPeers } from "./report/peers.ts";
import { summarise } from "./report/summary.ts";
import { figure, ratio, table } from "./report/table.ts";
import { strategies } from "./strategies/index.ts";

/** A ratio above this: something paid more than the engine proved to be possible. */
const MOST_RATIO = 1;

const MOST_LOSSES = 12;
/** Routes orders over market files, and prints how near to the bound and how fast. Exit code 1: something is wrong. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.referee > 0) return refereed(options);
  const market = readMarket(options.market);
  if (options.verify && !hasFormulas(market))
    throw new BadInput(
      "--verify: the market holds metapools or dynamic fees, of which the bench has no formulas",
    );
  const orders = readOrders(options.orders);
  if (orders.length === 0) throw new BadInput(`${options.orders}: it holds no orders`);
  const warmUp = options.warmUp === undefined ? othersThan(orders, market) : readOrders(options.warmUp);
  console.log(`${machine()}\n${describeRun(market, orders, options)}\n`);
  const { engine, results, summary } = route(market, { orders, warmUp }, options);
  console.log(resultTable(summary, results.length));
  const duels = await compare({ market, engine, orders }, results, options);
  const faults =
    (options.verify ? verified(market, results, options) : 0) +
    (options.buy ? bought({ market, engine }, results, options) : 0);
  const beaten = beatenBounds(results, duels);
  const wrong = results.filter(violatesBound);
  for (const { tokenIn, tokenOut, amountIn } of wrong)
    console.log(`FAILED ${amountIn} of ${tokenIn} for ${tokenOut}: pays more than its own bound`);
  if (options.json !== undefined) writeResults(options.json, { summary, orders: results }, duels);
  if (summary.boundsViolated > 0)
    console.log(`FAILED ${summary.boundsViolated} bounds were below what was paid`);
  return wrong.length + beaten + faults + summary.boundsViolated > 0 ? 1 : 0;
}

/** Orders to warm up with; a few orders make too few others, so the market gives some. */
function othersThan(orders: readonly Order[], market: Market): readonly Order[] {
  const others = warmUpOrders(orders);
  if (others.length === WARM_UP) return others;
  const pairs = new Set(orders.map(({ tokenIn, tokenOut }) => tokenIn + tokenOut));
  const made = makeOrders(makeBoard(market), { count: WARM_UP, seed: 1 });
  return made.filter(({ tokenIn, tokenOut }) => !pairs.has(tokenIn + tokenOut));
}

/** Beside summary and orders: what each rival came to, by the number of the order. */
function writeResults(
  path: string,
  report: { readonly summary: Summary; readonly orders: readonly OrderResult[] },
  duels: ReadonlyMap<string, readonly Duel[]>,
): void {
  const rivals = Object.fromEntries(
    [...duels].map(([name, list]) => [
      name,
      list.map(({ order, answer, ms }) => ({
        order,
        ms,
        amountOut: answer && String(answer.amountOut),
        net: answer && String(answer.net),
        route: answer?.legs,
      })),
    ]),
  );
  writeFileSync(path, JSON.stringify({ ...report, rivals }));
}

/** Strategies and peers on the same orders. */
async function compare({ market, engine, orders }: Field, results: readonly OrderResult[], options: Options) {
  const sample = sampleOf(orders.length, market.pools.length, options);
  const board = makeBoard(market);
  const peers = await loadPeers(board, process.env.BENCH_PEERS_DIR);
  const named = options.strategies.map((name) => ({ name, answer: strategies.get(name)! }));
  const duels = await duel(
    { market, engine, options, board },
    { rivals: [...named, ...peers], results, sample },
  );
  console.log(`\npeers: ${peers.length === 0 ? "absent" : peers.map(({ name }) => name).join(", ")}`);
  if (duels.size > 0) {
    const asked = `strategies and peers on ${sample.length} of ${orders.length} orders`;
    console.log(`${asked}\n\n${duelTable(results, duels)}${lossList(results, duels)}`);
  }
  return duels;
}

/** @returns how often a strategy pays more than the engine's bound: then it is none */
function beatenBounds(results: readonly OrderResult[], duels: ReadonlyMap<string, readonly Duel[]>): number {
  let beaten = 0;
  for (const [name, list] of duels) {
    for (const one of list) {
      const over = ratioOf(results[one.order]!, one) ?? 0;
      if (over <= MOST_RATIO) continue;
      console.log(`FAILED order ${one.order}: ${name} pays ${over} of the engine's bound`);
      beaten++;
    }
  }
  return beaten;
}

async function refereed({ seeds, referee }: Options): Promise<number> {
  console.log(`${machine()}\nseeds ${seeds.join(", ")}\n`);
  const verdicts = await refereeAll(seeds, referee);
  const faults = refereeFaults(verdicts);
  console.log(`${[refereeTable(verdicts), ...faults].join("\n")}\n`);
  return faults.length > 0 ? 1 : 0;
}

type Field = { readonly market: Market; readonly orders: readonly Order[]; readonly engine: Engine };

/** @returns how many faults the checker found */
function verified(market: Market, results: readonly OrderResult[], { maxLegs }: Options): number {
  const { faults, bounds, loosest } = verify(makeBoard(market), results, maxLegs);
  for (const { order, what } of faults.slice(0, MOST_LOSSES)) console.log(`FAILED order ${order}: ${what}`);
  const proved = `${bounds} bounds worked out again, at most ${loosest.toExponential(1)} above the stated ones`;
  console.log(`\nverified ${results.length} orders: ${faults.length} faults; ${proved}`);
  return faults.length;
}

/** @returns how many purchases disagree with their sales */
function bought(
  { market, engine }: Omit<Field, "orders">,
  sales: readonly OrderResult[],
  options: Options,
): number {
  const purchases = buyAll(engine, market, { sales, options });
  const faults = purchaseFaults(purchases, options);
  console.log(`\n${purchaseTable(purchases)}`);
  for (const fault of faults.slice(0, MOST_LOSSES)) console.log(`FAILED ${fault}`);
  return faults.length;
}

function route(
  market: Market,
  { orders, warmUp }: { orders: readonly Order[]; warmUp: readonly Order[] },
  options: Options,
): { engine: Engine; results: OrderResult[]; summary: Summary } {
  const { engine, buildMs } = buildEngine(market);
  const graphMb = engine.graphBytes() / 1e6;
  for (const order of warmUp) runOrder(engine, market, order, options);
  const before = engine.counters();
  const results = orders.map((order) =>
    runOrder(engine, market, order, { ...options, wantsPrices: options.verify }),
  );
  const after = engine.counters();
  const summary = summarise(results, {
    ignoredPools: market.ignored,
    buildMs,
    graphMb,
    worth: worthIn(market, (token) => engine.nativePer(token)),
    searches: after.searches - before.searches,
    notConverged: after.notConverged - before.notConverged,
    outOfTime: after.outOfTime - before.outOfTime,
    threw: after.threw - before.threw,
    boundsViolated: after.boundsViolated - before.boundsViolated,
    ...measurePatches(engine, market),
  });
  return { engine, results, summary };
}

/** The worst losses, so that each can be looked into. */
function lossList(results: readonly OrderResult[], duels: ReadonlyMap<string, readonly Duel[]>): string {
  const lines = losses(results, duels).map(({ name, one, gain }) => {
    const { amountIn, tokenIn, tokenOut, net, ms } = results[one.order]!;
    const nets = `${one.answer?.net} to the engine's ${net} in ${figure(ms)} ms`;
    return `  order ${one.order}, ${amountIn} of ${tokenIn} for ${tokenOut}: ${name} ${figure(-gain * 1e4, 4)} bp better, ${nets}`;
  });
  const more = lines.length > MOST_LOSSES ? `\n  and ${lines.length - MOST_LOSSES} more` : "";
  return lines.length === 0
    ? ""
    : `\n\nThe engine is worse:\n${lines.slice(0, MOST_LOSSES).join("\n")}${more}`;
}

function machine(): string {
  const [cpu] = cpus();
  return `${cpu?.model ?? "unknown processor"}, ${cpus().length} cores, ${process.platform}, Node ${process.version}`;
}

function describeRun(market: Market, orders: readonly Order[], options: Options): string {
  const cap = options.maxLegs === 0 ? "no cap on legs" : `at most ${options.maxLegs} legs`;
  const gas = options.gasGwei === 0 ? "gas free" : `gas at ${options.gasGwei} gwei`;
  const size = `${market.tokens.size} tokens, ${market.pools.length} pools (${market.ignored} ignored)`;
  return `${size}, ${orders.length} orders, ${gas}, ${cap}, budget ${options.budgetMs} ms`;
}

function resultTable(summary: Summary, orders: number): string {
  const { ratio: r, ms, patchUs } = summary;
  const proved = table(
    ["ratio to bound", "mean", "p50", "p5", "min"],
    [["engine", ratio(r.mean), ratio(r.p50), ratio(r.p5), ratio(r.min)]],
  );
  const timed = table(
    ["ms an order", "p50", "p95", "p99", "max"],
    [["engine", ...[ms.p50, ms.p95, ms.p99, ms.max].map((value) => figure(value))]],
  );
  const graph = table(
    ["graph", "build ms", "MB", "patch 5,000 ms", "v2 us", "v3 us", "sampled us"],
    [
      [
        "engine",
        ...[summary.buildMs, summary.graphMb, summary.patchMs].map((value) => figure(value)),
        ...[patchUs.v2, patchUs.v3, patchUs.sampled].map((value) => figure(value)),
      ],
    ],
  );
  const counts = `${orders} orders: ${summary.failed} did not route, ${summary.unproved} without a bound; ${summary.searches} searches: notConverged ${summary.notConverged}, outOfTime ${summary.outOfTime}, boundsViolated ${summary.boundsViolated}`;
  return [proved, proofTable(summary.proof), timed, graph, counts].join("\n\n");
}

await runCommand(USAGE, main);
