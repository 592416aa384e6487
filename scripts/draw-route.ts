import { formatAmount, type PriceAnswer, type Token } from "../packages/sdk/src/index.ts";

/** An offer as text for the terminal. */

const PERMILLE_PER_PERCENT = 10;

/** A route as lines of text: one line a crossing in execution order, then the shares of the sources. */
export function drawRoute(offer: PriceAnswer, tokens: readonly Token[]): string[] {
  const known = new Map(tokens.map((token) => [token.address, token]));
  const amount = (address: Token["address"], raw: bigint) => {
    const token = known.get(address);
    return `${significant(formatAmount(raw, token?.decimals ?? 0))} ${token?.symbol ?? address}`;
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
export function significant(text: string): string {
  const [whole = "0", fraction = ""] = text.split(".");
  if (whole.length >= 6 || fraction === "") return whole;
  const zeros = whole === "0" ? (fraction.match(/^0*/)?.[0].length ?? 0) : 0;
  const digits = whole === "0" ? zeros + 6 : 6 - whole.length;
  return `${whole}.${fraction.slice(0, digits)}`.replace(/\.?0+$/, "");
}

/** What was asked for; the slippage in thousandths. */
type Terms = { readonly sell: Token; readonly buy: Token; readonly slippage: number };

/** What is given and what comes of it, exactly; the slippage in percent; fees, USD, impact and gas where they are known. */
export function describeOffer(offer: PriceAnswer, { sell, buy, slippage }: Terms): string[] {
  const sold = (amount: bigint) => `${formatAmount(amount, sell.decimals)} ${sell.symbol}`;
  const bought = (amount: bigint) => `${formatAmount(amount, buy.decimals)} ${buy.symbol}`;
  const fees = [
    ...(offer.sell_fee_amount > 0n ? [sold(offer.sell_fee_amount)] : []),
    ...(offer.fee_recipient_amount > 0n ? [bought(offer.fee_recipient_amount)] : []),
  ];
  const facts = [
    `at least ${bought(offer.min_amount_out)}`,
    `slippage ${Number((slippage / PERMILLE_PER_PERCENT).toFixed(6))} %`,
    ...(fees.length > 0 ? [`fees ${fees.join(" and ")}`] : []),
    ...(offer.price_impact_bps === undefined ? [] : [`impact ${offer.price_impact_bps / 100} %`]),
    `gas ${offer.estimate_gas_total}${inUsd(offer.gas_usd)}`,
    `block ${offer.block_number}`,
  ];
  const give = sold(offer.amount_in) + inUsd(offer.amount_in_usd);
  const take = bought(offer.amount_out_total) + inUsd(offer.amount_out_usd);
  return [`${give} → ${take}`, facts.join(", "), ...offer.warnings.map((warning) => `! ${warning}`)];
}

function inUsd(text: string | null): string {
  return text === null ? "" : ` ($${Number(text).toFixed(2)})`;
}

/** JSON with amounts as decimal texts, as the service writes them. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? String(each) : each), 2);
}
