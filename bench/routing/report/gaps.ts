import { ROUTE_GAS } from "../market/gas.ts";
import type { Market } from "../market/market.ts";
import type { GapSummary, OrderResult, ProofSummary, Spread } from "../market/schema.ts";
import { quantile } from "./statistics.ts";
import { figure, table } from "./table.ts";

/** Gas units of a leg, by which distances of small orders are measured. */
export const LEG_GAS = 60_000;

/** How far an answer is from its bounds. */
export type Gap = {
  /** (bound - amountOut) / bound in basis points. */
  readonly grossBp: number;
  /** The same of the amounts after the gas of the legs; undefined where no net is worth anything. */
  readonly netBp: number | undefined;
  /** Net bound less net, in what 60,000 units of gas cost; undefined where gas is free or has no price. */
  readonly legs: number | undefined;
};

/** @returns undefined where nothing was proved */
export function gapOf(result: OrderResult): Gap | undefined {
  const { amountOut, bound, netBound, gasPriceOut = 0 } = result;
  if (amountOut === undefined || bound == null || netBound === undefined) return undefined;
  const left = BigInt(netBound) - netOfLegs(result);
  return {
    grossBp: bpOf(BigInt(bound) - BigInt(amountOut), BigInt(bound)),
    netBp: BigInt(netBound) > 0n ? bpOf(left, BigInt(netBound)) : undefined,
    legs: gasPriceOut > 0 ? Number(left) / (LEG_GAS * gasPriceOut) : undefined,
  };
}

function bpOf(part: bigint, whole: bigint): number {
  return whole > 0n ? Number((part * 10n ** 15n) / whole) / 1e11 : 0;
}

/** What an answer nets without the gas that every route needs: what net bounds are bounds of. */
export function netOfLegs({ amountOut, gasUnits, gasPriceOut }: OrderResult): bigint {
  return BigInt(amountOut!) - BigInt(Math.ceil((gasUnits! - ROUTE_GAS) * (gasPriceOut ?? 0)));
}

/** Whether an answer pays more than was proved to be possible, before gas or after. */
export function violatesBound(result: OrderResult): boolean {
  const { amountOut, bound, netBound } = result;
  if (amountOut === undefined || bound == null || netBound === undefined) return false;
  return BigInt(amountOut) > BigInt(bound) || netOfLegs(result) > BigInt(netBound);
}

/** What an order sells, in units of the native coin; undefined where the market has no price of it. */
export type Worth = (order: OrderResult) => number | undefined;

/**
 * By the file's prices in USD where it has that of the token sold, else by the price that the pools give.
 *
 * @param nativePer wei of the native coin per smallest unit of a token, by the pools
 */
export function worthIn(
  market: Market,
  nativePer: (token: OrderResult["tokenIn"]) => number | undefined,
): Worth {
  const { usd, tokens, native } = market;
  return ({ tokenIn, amountIn }) => {
    const [price, coin, token] = [usd.get(tokenIn), usd.get(native), tokens.get(tokenIn)];
    if (price !== undefined && coin !== undefined && token !== undefined)
      return ((Number(amountIn) / 10 ** token.decimals) * price) / coin;
    const wei = nativePer(tokenIn);
    return wei === undefined ? undefined : (Number(amountIn) * wei) / 1e18;
  };
}

/** Orders worth `from` to below `to` of the native coin. */
export type SizeClass = { readonly name: string; readonly from: number; readonly to: number };

export const SIZE_CLASSES: readonly SizeClass[] = [
  { name: "< 0.3 ETH", from: 0, to: 0.3 },
  { name: "0.3 - 3 ETH", from: 0.3, to: 3 },
  { name: ">= 3 ETH", from: 3, to: Number.POSITIVE_INFINITY },
];

/** @param results of orders that route */
export function gapsOf(name: string, results: readonly OrderResult[]): GapSummary {
  const gaps = results.flatMap((result) => gapOf(result) ?? []);
  return {
    name,
    orders: results.length,
    proved: gaps.length / results.length,
    grossBp: spreadOf(gaps.map(({ grossBp }) => grossBp)),
    netBp: spreadOf(gaps.flatMap(({ netBp }) => netBp ?? [])),
    legs: spreadOf(gaps.flatMap(({ legs }) => legs ?? [])),
  };
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p90: quantile(sorted, 0.9) };
}

/** Those of a size. */
export function ofSize(
  results: readonly OrderResult[],
  worth: Worth,
  { from, to }: SizeClass,
): OrderResult[] {
  return results.filter((result) => {
    const size = worth(result);
    return size !== undefined && size >= from && size < to;
  });
}

export function proofOf(all: readonly OrderResult[], worth: Worth): ProofSummary {
  const results = all.filter(({ error }) => error === undefined);
  const classes = SIZE_CLASSES.map((size) => gapsOf(size.name, ofSize(results, worth, size)));
  const reasons: Record<string, number> = {};
  for (const { reason } of results) if (reason !== undefined) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const arbitrage = results.flatMap(({ arbitrageWei }) =>
    arbitrageWei == null ? [] : [Number(arbitrageWei)],
  );
  return {
    gaps: [...classes.filter(({ orders }) => orders > 0), gapsOf("all", results)],
    violations: results.filter(violatesBound).length,
    reasons,
    arbitrageEth: arbitrage.length > 0 ? arbitrage.reduce((a, b) => Math.max(a, b)) / 1e18 : null,
    complete: results.filter(({ complete }) => complete).length / results.length,
  };
}

/** For people. */
export function proofTable({ gaps, violations, reasons, arbitrageEth, complete }: ProofSummary): string {
  const cells = ({ p50, p90 }: Spread) => [figure(p50, 3), figure(p90, 3)];
  const rows = gaps.map(({ name, orders, proved, grossBp, netBp, legs }) => [
    name,
    String(orders),
    share(proved),
    ...cells(grossBp),
    ...cells(netBp),
    ...cells(legs),
  ]);
  const head = [
    "gap to bound",
    "orders",
    "with a net bound",
    "gross bp p50",
    "p90",
    "net bp p50",
    "p90",
    "legs p50",
    "p90",
  ];
  const held = arbitrageEth === null ? "not said" : `${arbitrageEth.toPrecision(4)} ETH`;
  const given = Object.entries(reasons).map(([reason, count]) => `  ${count} x ${reason}`);
  return [
    `${table(head, rows)}\n`,
    `violated bounds: ${violations}; market_arbitrage: ${held}; search complete: ${share(complete)}`,
    given.length > 0
      ? `reasons for no bound, or no gap:\n${given.join("\n")}`
      : "no reason for no bound or no gap given",
  ].join("\n");
}

function share(value: number): string {
  return Number.isFinite(value) ? `${figure(100 * value, 2)} %` : "-";
}
