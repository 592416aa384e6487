import { startStack } from "../../../test/support/stack.ts";
import { atLeast, atMost, type Bar } from "./bars.ts";
import { quantileOf } from "./figures.ts";

/** What the service said of one order. */
export type DevnetRow = {
  readonly gapBps: number | null;
  readonly gapLegs: number | null;
  readonly isProved: boolean;
  readonly isComplete: boolean;
  readonly ms: number;
};

const CHAIN = 31337;
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
/** Amounts of the native coin that the sizes are worth. */
const SIZES = [0.01, 0.1, 1, 10, 100];
/** Orders asked before the first is kept. */
const WARM_UP = 50;

/** Every pair of tokens of the devnet at five sizes, asked of the service as a newcomer starts it. */
export async function runDevnet(): Promise<DevnetRow[]> {
  const stack = await startStack();
  try {
    const get = async (path: string) => (await fetch(`${stack.url}/v1/${CHAIN}/${path}`)).json();
    const { tokens } = (await get("tokens")) as { tokens: { address: string }[] };
    const price = async (from: string, to: string, amount: bigint) =>
      (await get(`price?fromTokenAddress=${from}&toTokenAddress=${to}&amount=${amount}`)) as Offer;
    const orders: { from: string; to: string; amount: bigint }[] = [];
    for (const { address: from } of tokens) {
      for (const size of SIZES) {
        const wei = BigInt(Math.round(size * 1e18));
        const worth = from === NATIVE ? wei : BigInt((await price(NATIVE, from, wei)).amount_out_total ?? 0);
        for (const { address: to } of tokens)
          if (to !== from && worth > 0n) orders.push({ from, to, amount: worth });
      }
    }
    for (const { from, to, amount } of orders.slice(-WARM_UP)) await price(from, to, amount);
    const rows: DevnetRow[] = [];
    for (const { from, to, amount } of orders) {
      const offer = await price(from, to, amount);
      if (offer.optimality !== undefined && offer.search !== undefined)
        rows.push(rowOf(offer.optimality, offer.search));
    }
    return rows;
  } finally {
    await stack.stop();
  }
}

type Offer = {
  readonly amount_out_total?: string;
  readonly optimality?: {
    readonly upper_bound: string | null;
    readonly gap_bps: number | null;
    readonly gap_legs: number | null;
  };
  readonly search?: { readonly complete: boolean; readonly ms: number };
};

function rowOf(
  { upper_bound, gap_bps, gap_legs }: NonNullable<Offer["optimality"]>,
  { complete, ms }: NonNullable<Offer["search"]>,
): DevnetRow {
  return { gapBps: gap_bps, gapLegs: gap_legs, isProved: upper_bound !== null, isComplete: complete, ms };
}

export function devnetBars(rows: readonly DevnetRow[]): Bar[] {
  const of = { market: `devnet, ${rows.length} orders` };
  const near = rows.filter(({ gapBps, gapLegs }) => (gapLegs ?? Infinity) <= 1 || (gapBps ?? Infinity) <= 1);
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
    share("gap of at most 1 leg or 1 bp", near, 100),
    share(
      "searches complete",
      rows.filter(({ isComplete }) => isComplete),
      99.5,
    ),
    atMost(of, { what: "time of the search by the clock, p50", value: p50, unit: " ms" }, 10),
  ];
}
