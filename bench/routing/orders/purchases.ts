import { performance } from "node:perf_hooks";
import type { Engine } from "../../../src/core/routing/types.ts";
import type { Market } from "../market/market.ts";
import type { OrderResult } from "../market/schema.ts";
import { mean, quantileOf } from "../report/statistics.ts";
import { figure, table } from "../report/table.ts";
import { type RunOptions, requestOf } from "./run.ts";

/** What buying costs that a sale pays: the same order, asked from its other side. */
export type Purchase = {
  readonly sale: OrderResult;
  /** By how much it costs more than was sold, in basis points of that; undefined if it is refused. */
  readonly excessBp: number | undefined;
  readonly isComplete: boolean;
  readonly ms: number;
};

/** Buys what every sale that routed pays. */
export function buyAll(
  engine: Engine,
  market: Market,
  { sales, options }: { readonly sales: readonly OrderResult[]; readonly options: RunOptions },
): Purchase[] {
  return sales.flatMap((sale): Purchase[] => {
    if (sale.amountOut === undefined) return [];
    const start = performance.now();
    const found = engine.find({
      ...requestOf(market, sale, options),
      amount: BigInt(sale.amountOut),
      side: "out",
    });
    const ms = performance.now() - start;
    if (found.kind === "missing") return [{ sale, excessBp: undefined, isComplete: false, ms }];
    const excessBp = 1e4 * (Number(found.route.amountIn) / Number(sale.amountIn) - 1);
    return [{ sale, excessBp, isComplete: found.search.complete, ms }];
  });
}

/** Refusals, what purchases cost beyond the sales, and how long they take. */
export function purchaseTable(purchases: readonly Purchase[]): string {
  const excess = purchases.flatMap(({ excessBp }) => excessBp ?? []);
  const times = (of: (one: Purchase) => number) =>
    [0.5, 0.9, 0.99].map((share) => figure(quantileOf(purchases.map(of), share)));
  const costs = [mean(excess), quantileOf(excess, 1), quantileOf(excess, 0)].map((bp) => figure(bp, 3));
  const counts = [
    purchases.length - excess.length,
    purchases.filter(({ isComplete }) => !isComplete).length,
    purchases.filter(isDear).length,
  ];
  return [
    table(
      ["purchases", "refused", "cut short", "too dear", "mean bp", "worst bp", "best bp"],
      [[String(purchases.length), ...counts.map(String), ...costs]],
    ),
    table(
      ["ms", "p50", "p90", "p99"],
      [
        ["a purchase", ...times(({ ms }) => ms)],
        ["its sale", ...times(({ sale }) => sale.ms)],
      ],
    ),
  ].join("\n\n");
}

/** What buying the output of a sale may cost beyond what was sold. */
const MOST_EXCESS_BP = 0.1;

/** Whether a purchase costs more than `MOST_EXCESS_BP` and one unit of the smallest amount in its sale's route, since amounts are integers. */
function isDear({ sale, excessBp }: Purchase): boolean {
  const smallest = Math.min(...(sale.route ?? []).map(({ amountOut }) => Number(amountOut)));
  return excessBp !== undefined && excessBp > MOST_EXCESS_BP + 1e4 / smallest;
}

/** Purchases that are refused, and if gas is free those that cost too much: with gas a purchase weighs it against the input. */
export function purchaseFaults(purchases: readonly Purchase[], { gasGwei }: RunOptions): string[] {
  return purchases.flatMap((purchase) => {
    const { sale, excessBp } = purchase;
    const order = `${sale.amountOut} of ${sale.tokenOut} for ${sale.tokenIn}`;
    if (excessBp === undefined) return [`${order}: cannot be bought`];
    return gasGwei === 0 && isDear(purchase)
      ? [`${order}: costs ${figure(excessBp, 3)} bp more than the sale sold`]
      : [];
  });
}
