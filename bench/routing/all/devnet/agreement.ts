import { atMost, type Bar } from "../bars.ts";
import { type DevnetService, type Offer, startDevnetService, type Token } from "./service.ts";

/** What one pair says at one size, gross and gas free, each in smallest units. */
export type AgreementRow = {
  readonly from: string;
  readonly to: string;
  /** Worth of the amount in the native coin. */
  readonly eth: number;
  readonly amount: string;
  /** What selling the amount and half of it delivers. */
  readonly paid: string;
  readonly paidForHalf: string;
  /** Price impacts of those two, in basis points. */
  readonly impactBps: number | null;
  readonly impactOfHalfBps: number | null;
  /** What buying `paid` and half of it costs; null where that is refused. */
  readonly cost: string | null;
  readonly costOfHalf: string | null;
  /** What selling `cost` delivers. */
  readonly paidForCost: string | null;
  readonly isComplete: boolean;
};

/** Amounts of the native coin that the sizes are worth. */
const SIZES = [0.01, 0.1, 1, 10, 100, 1_000, 10_000];
/** A trade that takes half of the depth gets half of what a small one would. */
const HALF_OF_DEPTH_BPS = 5_000;

/** Every pair of tokens of the devnet at every size up to half of its depth: sold, bought, and sold for what buying costs. */
export async function runAgreement(): Promise<AgreementRow[]> {
  const service = await startDevnetService();
  try {
    const rows: AgreementRow[] = [];
    for (const from of service.tokens) {
      for (const eth of SIZES) {
        const amount = await service.worth(from, eth, false);
        for (const to of service.tokens) {
          const row =
            to === from || amount < 2n ? undefined : await rowOf(service, { from, to, amount, eth });
          if (row !== undefined) rows.push(row);
        }
      }
    }
    return rows;
  } finally {
    await service.stop();
  }
}

type Order = { readonly from: Token; readonly to: Token; readonly amount: bigint; readonly eth: number };

/** @returns undefined where nothing routes, or the amount is more than half of the depth */
async function rowOf(service: DevnetService, order: Order): Promise<AgreementRow | undefined> {
  const { from, to, amount, eth } = order;
  const ask = (side: "SELL" | "BUY", of: bigint) =>
    service.price({ from: from.address, to: to.address, amount: of, side, withGas: false });
  const whole = await ask("SELL", amount);
  const paid = BigInt(whole.amount_out_total ?? 0);
  if (paid < 2n || (whole.price_impact_bps ?? 0) > HALF_OF_DEPTH_BPS) return undefined;
  const half = await ask("SELL", amount / 2n);
  const [bought, boughtHalf] = [await ask("BUY", paid), await ask("BUY", paid / 2n)];
  const back: Offer = bought.amount_in === undefined ? {} : await ask("SELL", BigInt(bought.amount_in));
  return {
    ...{ from: from.symbol, to: to.symbol, eth, amount: `${amount}`, paid: `${paid}` },
    paidForHalf: half.amount_out_total ?? "0",
    impactBps: whole.price_impact_bps ?? null,
    impactOfHalfBps: half.price_impact_bps ?? null,
    cost: bought.amount_in ?? null,
    costOfHalf: boughtHalf.amount_in ?? null,
    paidForCost: back.amount_out_total ?? null,
    isComplete: [whole, half, bought, boughtHalf, back].every(({ search }) => search?.complete !== false),
  };
}

/** By how much an amount is below what it should be, as basis points of that; amounts are whole units, so that one of them counts for nothing. */
function shortBp(amount: bigint, wanted: bigint): number {
  const short = wanted - amount - 1n;
  return short <= 0n ? 0 : (1e4 * Number(short)) / Number(wanted);
}

/** Whether one of the other ways to ask was refused. */
const isRefused = ({ cost, costOfHalf, paidForCost, paidForHalf }: AgreementRow) =>
  cost === null || costOfHalf === null || paidForCost === null || paidForHalf === "0";

/** How far a row is from each promise; rows with a refusal count there. */
const PROMISES: readonly {
  readonly what: string;
  readonly unit: string;
  readonly limit: number;
  readonly off: (row: AgreementRow) => number;
}[] = [
  {
    what: "what buying costs, sold: below what was to be bought by",
    unit: " bp",
    limit: 0.1,
    off: ({ paidForCost, paid }) => shortBp(BigInt(paidForCost ?? paid), BigInt(paid)),
  },
  {
    what: "buying what a sale delivers costs more than was sold by",
    unit: " bp",
    limit: 0.1,
    off: ({ cost, amount }) => shortBp(BigInt(amount), BigInt(cost ?? amount)),
  },
  {
    what: "buying half costs more than the whole by",
    unit: " bp",
    limit: 0,
    off: ({ cost, costOfHalf }) => shortBp(BigInt(cost ?? costOfHalf ?? 0), BigInt(costOfHalf ?? 0)),
  },
  {
    what: "half of an amount delivers less than half by",
    unit: " bp",
    limit: 0.5,
    off: ({ paid, paidForHalf }) => shortBp(BigInt(paidForHalf), BigInt(paid) / 2n),
  },
  {
    what: "price impact of half above that of the whole by",
    unit: " bp",
    limit: 0,
    off: ({ impactBps, impactOfHalfBps }) => Math.max(0, (impactOfHalfBps ?? 0) - (impactBps ?? 0)),
  },
];

export function agreementBars(rows: readonly AgreementRow[]): Bar[] {
  const of = { market: `devnet, sold and bought, ${rows.length} orders` };
  const worst = (off: (row: AgreementRow) => number) =>
    rows.length === 0 ? Number.NaN : rows.reduce((most, row) => Math.max(most, off(row)), 0);
  const refused = rows.length === 0 ? Number.NaN : rows.filter(isRefused).length;
  const promises = PROMISES.map(({ what, unit, limit, off }) => {
    const broken = rows.filter((row) => off(row) > limit).length;
    const more = broken === 0 ? "" : `; ${broken} orders are above`;
    return atMost(of, { what, value: worst(off), unit, more }, limit);
  });
  return [
    ...promises,
    atMost(of, { what: "orders sold whole that are refused in half or bought", value: refused }, 0),
  ];
}

/** How many orders that word is shown for. */
const SHOWN = 6;

/** The orders that are farthest from each promise that is broken. */
export function agreementText(rows: readonly AgreementRow[]): string {
  const cut = rows.filter(({ isComplete }) => !isComplete).length;
  const lines = PROMISES.flatMap(({ what, unit, limit, off }) => {
    const far = rows.filter((row) => off(row) > limit).sort((x, y) => off(y) - off(x));
    if (far.length === 0) return [];
    const shown = far
      .slice(0, SHOWN)
      .map((row) => `${row.from} > ${row.to} ${row.eth} ETH ${off(row).toFixed(3)}${unit}`);
    return [`${what}: ${shown.join(", ")}`];
  });
  const refused = rows.filter(isRefused).map((row) => `${row.from} > ${row.to} ${row.eth} ETH`);
  const ends = refused.length === 0 ? [] : [`refused: ${refused.slice(0, SHOWN).join(", ")}`];
  return [`${rows.length} orders, ${cut} with a search that was cut short`, ...lines, ...ends].join("\n");
}
