import type { Compared } from "./brute.ts";
import { mean } from "./statistics.ts";
import { figure, table } from "./table.ts";

/** Mean and worst gap by price of gas; where the engine is better the gap counts as 0. */
export function bruteTable(results: readonly Compared[]): string {
  const gweis = [...new Set(results.map(({ gwei }) => gwei))];
  const rows = gweis.map((gwei) => [`${gwei}`, ...cells(results.filter((result) => result.gwei === gwei))]);
  return table(
    ["gwei", "orders", "engine better", "equal", "worse", "mean gap bp", "worst gap bp", "at"],
    gweis.length > 1 ? [...rows, ["all", ...cells(results)]] : rows,
  );
}

function cells(results: readonly Compared[]): string[] {
  const gaps = results.map(({ gapBp }) => Math.max(0, gapBp));
  const worst = Math.max(...gaps);
  const worse = gaps.filter((gap) => gap > 0.01).length;
  const better = results.filter(({ gapBp }) => gapBp < -0.01).length;
  return [
    String(results.length),
    String(better),
    String(results.length - better - worse),
    String(worse),
    figure(mean(gaps), 4),
    figure(worst, 3),
    worst > 0 ? orderOf(results[gaps.indexOf(worst)]!) : "-",
  ];
}

function orderOf({ order }: Compared): string {
  return `${order.amountIn} of ${order.tokenIn.slice(0, 10)} for ${order.tokenOut.slice(0, 10)}`;
}

/** The orders where a subset nets more, worst first. */
export function bruteLosses(results: readonly Compared[], most: number): string {
  return results
    .filter(({ gapBp }) => gapBp > 0.01)
    .sort((a, b) => b.gapBp - a.gapBp)
    .slice(0, most)
    .map(({ order, gwei, gapBp, best, engine }) => {
      const legs = `${best.legs.length} legs against ${engine.legs}`;
      return `  ${order.amountIn} of ${order.tokenIn} for ${order.tokenOut} at ${gwei} gwei: ${figure(gapBp, 3)} bp, ${best.net} to the engine's ${engine.net} (${legs}, ${figure(engine.ms)} ms)`;
    })
    .join("\n");
}
