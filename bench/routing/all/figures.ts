import type { OrderResult } from "../market/schema.ts";
import { gapOf, netOfLegs, type SizeClass, violatesBound, type Worth } from "../report/gaps.ts";
import { mean } from "../report/statistics.ts";
import type { Both } from "./pair.ts";

export type Row = Both & { readonly eth: number | undefined };

/** Both sides' answers with what each order sells, in units of the native coin. */
export function rowsOf(list: readonly Both[], worth: Worth): Row[] {
  return list.map((both) => ({ ...both, eth: worth(both.order as OrderResult) }));
}

const routed = (rows: readonly Row[]) => rows.filter(({ a }) => a.error === undefined);

/** Share of the orders that route which have a net bound. */
export function proved(rows: readonly Row[]): number {
  const all = routed(rows);
  return all.filter(({ a }) => gapOf(a) !== undefined).length / all.length;
}

export function violations(rows: readonly Row[]): number {
  return rows.filter(({ a }) => violatesBound(a)).length;
}

export function complete(rows: readonly Row[]): number {
  return rows.filter(({ a }) => a.complete ?? a.error !== undefined).length / rows.length;
}

/** Gaps of the first side's answers of a size. */
export function gaps(
  rows: readonly Row[],
  unit: "grossBp" | "netBp" | "legs",
  size?: Pick<SizeClass, "from" | "to">,
): number[] {
  return routed(rows)
    .filter(({ eth }) => size === undefined || (eth !== undefined && eth >= size.from && eth < size.to))
    .flatMap(({ a }) => gapOf(a)?.[unit] ?? []);
}

/** Gross gaps of both sides in basis points, over orders on which the first side uses all its legs. */
export function cappedGaps(
  rows: readonly Row[],
  legs: number,
): { readonly a: number[]; readonly b: number[] } {
  const capped = routed(rows).filter(({ a, b }) => a.legs === legs && a.bound != null && b?.bound != null);
  const gap = ({ amountOut, bound }: Row["a"]) =>
    Number(((BigInt(bound!) - BigInt(amountOut!)) * 10n ** 15n) / BigInt(bound!)) / 1e11;
  return { a: capped.map(({ a }) => gap(a)), b: capped.map(({ b }) => gap(b!)) };
}

/**
 * What the first side nets above the second, in basis points of the larger amount out; an order that only one routes counts as
 * ±10,000. The gas of both is priced as the first side prices it, since a price of gas is no merit.
 */
export function gains(rows: readonly Row[]): number[] {
  return rows.flatMap(({ a, b }) => {
    if (b === undefined || (a.error !== undefined && b.error !== undefined)) return [];
    if (a.error !== undefined) return [-1e4];
    if (b.error !== undefined) return [1e4];
    const priced = { ...b, gasPriceOut: a.gasPriceOut ?? 0 };
    const most = Math.max(Number(a.amountOut), Number(b.amountOut));
    return [(Number(netOfLegs(a) - netOfLegs(priced)) / most) * 1e4];
  });
}

export function meanOf(values: readonly number[]): number {
  return values.length > 0 ? mean(values) : Number.NaN;
}

export function least(values: readonly number[]): number {
  return values.length > 0 ? values.reduce((x, y) => Math.min(x, y)) : Number.NaN;
}

export function most(values: readonly number[]): number {
  return values.length > 0 ? values.reduce((x, y) => Math.max(x, y)) : Number.NaN;
}

export function msOf(rows: readonly Row[], side: "a" | "b", clock: "ms" | "cpuMs" = "cpuMs"): number[] {
  return rows.flatMap((row) => row[side]?.[clock] ?? []);
}
