import { formatUnits } from "viem";

export type OfferView = {
  amount_out_total: string;
  min_amount_out: string;
  estimate_gas_total: string;
  block_number: number;
  price_impact_bps: number;
  routes: { protocol_name: string; percent: number }[];
  route_graph: {
    tokens: { address: string; symbol?: string; decimals?: number }[];
    steps: {
      pool: string;
      protocol: string;
      token_in: string;
      token_out: string;
      amount_in: string;
      amount_out: string;
    }[];
  };
};

type TokenView = { address: string; symbol: string; decimals: number };

/** A route as lines of text: one line a crossing in execution order, then the shares of the sources. */
export function drawRoute(offer: OfferView, tokens: readonly TokenView[]): string[] {
  const known = new Map(tokens.map((token) => [token.address, token]));
  const amount = (address: string, raw: string) => {
    const token = known.get(address);
    return `${significant(formatUnits(BigInt(raw), token?.decimals ?? 0))} ${token?.symbol ?? address}`;
  };
  const rows = offer.route_graph.steps.map((step) => [
    amount(step.token_in, step.amount_in),
    step.protocol,
    `${step.pool.slice(0, 10)}…`,
    amount(step.token_out, step.amount_out),
  ]);
  const width = (column: number) => Math.max(...rows.map((row) => row[column]!.length));
  const lines = rows.map(
    ([sold, name, pool, bought]) =>
      `  ${sold!.padStart(width(0))} ──[ ${name!.padEnd(width(1))} ${pool!.padEnd(width(2))} ]──▶ ${bought}`,
  );
  const shares = offer.routes.map((entry) => `${entry.protocol_name} ${entry.percent} %`).join(" · ");
  return [...lines, "", `  ${shares}`];
}

/** Six significant digits are enough for reading; the exact amounts are in --json. */
function significant(text: string): string {
  const [whole = "0", fraction = ""] = text.split(".");
  if (whole.length >= 6 || fraction === "") return whole;
  const zeros = whole === "0" ? (fraction.match(/^0*/)?.[0].length ?? 0) : 0;
  const digits = whole === "0" ? zeros + 6 : 6 - whole.length;
  return `${whole}.${fraction.slice(0, digits)}`.replace(/\.?0+$/, "");
}
