import { quantileOf } from "../../report/statistics.ts";
import { atLeast, atMost, type Bar } from "../bars.ts";
import { type Offer, startDevnetService, type Token } from "./service.ts";

/** What the service said of one order. */
export type DevnetRow = {
  /** Symbols of the token sold and the one bought, and the worth of the amount in the native coin. */
  readonly from: string;
  readonly to: string;
  readonly eth: number;
  readonly reason: string | null;
  readonly gapBps: number | null;
  readonly gapLegs: number | null;
  readonly isRouted: boolean;
  readonly isProved: boolean;
  readonly isComplete: boolean;
  readonly ms: number;
};

/** Amounts of the native coin that the sizes are worth. */
const SIZES = [0.01, 0.1, 1, 10, 100];
/** Orders asked before the first is kept. */
const WARM_UP = 50;

/**
 * Every pair of tokens of the devnet at five sizes, asked of the service.
 *
 * @param withGas whether routes are chosen net of gas; without, no gap is told in legs
 */
export async function runDevnet(withGas: boolean): Promise<DevnetRow[]> {
  const { tokens, price, worth, stop } = await startDevnetService();
  try {
    const orders: { from: Token; to: Token; amount: bigint; eth: number }[] = [];
    for (const from of tokens) {
      for (const eth of SIZES) {
        const amount = await worth(from, eth, withGas);
        for (const to of tokens) if (to !== from && amount > 0n) orders.push({ from, to, amount, eth });
      }
    }
    const ask = ({ from, to, amount }: (typeof orders)[number]) =>
      price({ from: from.address, to: to.address, amount, withGas });
    for (const order of orders.slice(-WARM_UP)) await ask(order);
    const rows: DevnetRow[] = [];
    for (const order of orders) {
      const { optimality, search } = await ask(order);
      const ends = { from: order.from.symbol, to: order.to.symbol, eth: order.eth };
      rows.push({ ...ends, ...(optimality && search ? rowOf(optimality, search) : NO_ROUTE) });
    }
    return rows;
  } finally {
    await stop();
  }
}

/** An order that is refused has nothing to prove; the text counts those. */
const NO_ROUTE = {
  gapBps: null,
  gapLegs: null,
  reason: null,
  isRouted: false,
  isProved: false,
  isComplete: true,
  ms: 0,
};

function rowOf(
  { upper_bound, gap_bps, gap_legs, reason }: NonNullable<Offer["optimality"]>,
  { complete, ms }: NonNullable<Offer["search"]>,
) {
  const gaps = { gapBps: gap_bps, gapLegs: gap_legs, reason };
  return { ...gaps, isRouted: true, isProved: upper_bound !== null, isComplete: complete, ms };
}

function isNear({ gapBps, gapLegs }: DevnetRow): boolean {
  return (gapLegs ?? Infinity) <= 1 || (gapBps ?? Infinity) <= 1;
}

/** Which tokens the orders buy or sell that are farther than that from their bound. */
export function devnetText(rows: readonly DevnetRow[]): string {
  const routed = rows.filter(({ isRouted }) => isRouted);
  const far = routed.filter((row) => !isNear(row));
  const counts = new Map<string, number>();
  for (const { from, to } of far)
    for (const symbol of [from, to]) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  const tokens = [...counts].sort(([, a], [, b]) => b - a).slice(0, 8);
  const sizes = SIZES.map((size) => `${far.filter(({ eth }) => eth === size).length} of ${size} ETH`);
  const reasons = Map.groupBy(
    far,
    ({ reason, gapLegs }) =>
      reason ?? (gapLegs === null ? "more than 1 bp, gas not counted" : "more than 1 bp and 1 leg"),
  );
  return [
    `${rows.length - routed.length} of ${rows.length} orders have no route; ${far.length} are farther: ${sizes.join(", ")}`,
    `tokens that most of them sell or buy: ${tokens.map(([symbol, count]) => `${symbol} ${count}`).join(", ")}`,
    ...[...reasons].map(([reason, list]) => `  ${list.length} x ${reason}`),
  ].join("\n");
}

export function devnetBars(all: readonly DevnetRow[], gas = "gas free"): Bar[] {
  const rows = all.filter(({ isRouted }) => isRouted);
  const of = { market: `devnet, ${gas}, ${rows.length} orders` };
  const share = (what: string, { length }: readonly DevnetRow[], wanted: number) =>
    atLeast(of, { what, value: (100 * length) / rows.length, unit: " %" }, wanted);
  const p50 = quantileOf(
    rows.map(({ ms }) => ms),
    0.5,
  );
  return [
    share(
      "orders with a bound",
      rows.filter(({ isProved }) => isProved),
      100,
    ),
    share("gap of at most 1 leg or 1 bp", rows.filter(isNear), 100),
    share(
      "searches complete",
      rows.filter(({ isComplete }) => isComplete),
      99.5,
    ),
    atMost(of, { what: "time of the search by the clock, p50", value: p50, unit: " ms" }, 10),
  ];
}
