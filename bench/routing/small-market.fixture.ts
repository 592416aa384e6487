import { addFile, emptyMarket, type Market } from "./market/market.ts";
import type { Order } from "./market/schema.ts";
import { seededMarket } from "./market/seeded.ts";
import { makeBoard } from "./orders/board.ts";
import { buildEngine, type RunOptions, runOrder } from "./orders/run.ts";
import { taskOf } from "./report/compare.ts";

export const free: RunOptions = { gasGwei: 0, maxLegs: 0, budgetMs: 1e9 };

/** A seeded market with everything that the bench lays over it. */
export function smallMarket(seed: number, protocols?: readonly string[]) {
  const { file, orders } = seededMarket(seed, { tokens: 40, pools: 160, orders: 24 });
  const pools = file.pools.filter(({ protocol }) => protocols?.includes(protocol) ?? true);
  const market: Market = emptyMarket();
  addFile(market, { ...file, pools });
  const { engine } = buildEngine(market);
  const board = makeBoard(market);
  return {
    file,
    market,
    orders,
    engine,
    board,
    ask: (order: Order, options: RunOptions = free) =>
      runOrder(engine, market, order, { ...options, wantsPrices: true }),
    task: (order: Order, options: RunOptions = free) => taskOf({ board, engine, options }, order)!,
  };
}
