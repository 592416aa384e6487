import type { Offer } from "../api.ts";
import { isWrapping, type NamedToken, stepName } from "../route/labels.ts";
import { dollars, exactAmount, priceText, ratioText, readableAmount } from "./amount.ts";
import { bpsText } from "./percent.ts";

/** Severity of a fact. */
export type Tone = "plain" | "caution" | "danger";

/** One line of an offer as text; `exact` has all digits. */
export type Fact = {
  readonly name: string;
  readonly text: string;
  readonly more?: string | undefined;
  readonly exact?: string | undefined;
  readonly tone?: Tone;
};

export type OfferNames = {
  readonly sold: NamedToken;
  readonly bought: NamedToken;
  /** The native coin, in which gas is paid. */
  readonly native: Pick<NamedToken, "symbol" | "decimals">;
  /** Name of 1e-9 native coins on this chain. */
  readonly gasUnit: string;
};

const CAUTION_BPS = 100;
const DANGER_BPS = 500;

/** The lines of an offer. Lines for optional fields are left out where the answer lacks them. */
export function factsOf(offer: Offer, sold: bigint, names: OfferNames): readonly Fact[] {
  const wrapping = wrappingFacts(offer, names.bought);
  return [
    priceFact(offer, sold, names),
    ...(wrapping ?? [...minimumFact(offer, names.bought), ...impactFact(offer), ...gapFact(offer)]),
    ...feeFact(offer, names),
    gasFact(offer, names),
    ...netFact(offer, names.bought),
    ...blockFact(offer),
  ];
}

function priceFact(offer: Offer, sold: bigint, { sold: from, bought: to }: OfferNames): Fact {
  const give = { amount: sold, decimals: from.decimals };
  const get = { amount: BigInt(offer.amount_out_total), decimals: to.decimals };
  const forth = `1 ${from.symbol} = ${priceText(give, get)} ${to.symbol}`;
  if (get.amount === 0n) return { name: "Price", text: forth };
  return { name: "Price", text: forth, more: `1 ${to.symbol} = ${priceText(get, give)} ${from.symbol}` };
}

/** The lines of a route that only wraps or unwraps the native coin: it has no price that could move, and no better route. */
function wrappingFacts(offer: Offer, bought: NamedToken): readonly Fact[] | undefined {
  const steps = offer.route_graph?.steps ?? [];
  if (steps.length === 0 || !steps.every(isWrapping)) return undefined;
  const out = `${exactAmount(BigInt(offer.amount_out_total), bought.decimals)} ${bought.symbol}`;
  return [
    { name: "Exactly", text: out, more: "1:1, without a price that can move" },
    { name: "Route", text: `${stepName(steps[0]!)}, 1:1 exactly` },
  ];
}

function minimumFact(offer: Offer, bought: NamedToken): readonly Fact[] {
  if (offer.min_amount_out === undefined) return [];
  const least = BigInt(offer.min_amount_out);
  return [
    {
      name: "At least",
      text: `${readableAmount(least, bought.decimals)} ${bought.symbol}`,
      exact: `${exactAmount(least, bought.decimals)} ${bought.symbol}`,
      more: "or the swap is undone",
    },
  ];
}

function impactFact(offer: Offer): readonly Fact[] {
  const bps = offer.price_impact_bps;
  if (typeof bps !== "number") return [];
  const tone = bps >= DANGER_BPS ? "danger" : bps >= CAUTION_BPS ? "caution" : "plain";
  return [{ name: "Price impact", text: bps < 1 ? "< 0.01 %" : bpsText(bps), tone }];
}

/** The quality of the route by its proven bound. Gaps are rounded up, so that the page never claims too much. */
function gapFact({ optimality }: Offer): readonly Fact[] {
  if (optimality === undefined) return [];
  const { gap_bps: gross, gap_net_bps: net, gap_legs: legs, gas_price: gasPrice, reason } = optimality;
  const best = { name: "Route", text: "the best one found" };
  const counted = typeof gasPrice === "string" ? "gas counted" : "gas not counted";
  const bps = typeof net === "number" ? net : gross;
  if (typeof bps === "number" && bps <= OPEN_BPS)
    return [
      { name: "Route", text: within(`${tenthsUp(bps)} bp`), more: `proven for these pools, ${counted}` },
    ];
  if (typeof legs === "number" && legs <= OPEN_LEGS)
    return [
      {
        name: "Route",
        text: within(`the gas of ${tenthsUp(legs)} pools`),
        more: "proven for these pools, gas counted",
      },
    ];
  if (typeof bps === "number")
    return [{ ...best, more: `the proof leaves ${bpsText(Math.ceil(bps))} open, ${counted}` }];
  return [{ ...best, more: `not proven: ${reason ?? "no bound"}` }];
}

function within(distance: string): string {
  return `within ${distance} of the best possible`;
}

function tenthsUp(value: number): number {
  return Math.max(1, Math.ceil(value * 10 - 1e-6)) / 10;
}

/** Largest gap in basis points that is shown as a result. A larger one says little about the route. */
const OPEN_BPS = 100;
/** Largest gap in legs of gas that is shown as a result: more legs than routes usually have. */
const OPEN_LEGS = 16;

function feeFact(offer: Offer, { sold, bought }: OfferNames): readonly Fact[] {
  const fees = [
    { amount: BigInt(offer.sell_fee_amount ?? 0), token: sold },
    { amount: BigInt(offer.fee_recipient_amount ?? 0), token: bought },
  ].filter(({ amount }) => amount > 0n);
  if (fees.length === 0) return [];
  const told = (write: typeof exactAmount) =>
    fees.map(({ amount, token }) => `${write(amount, token.decimals)} ${token.symbol}`).join(" and ");
  return [{ name: "Fees", text: told(readableAmount), exact: told(exactAmount), more: "taken off already" }];
}

function gasFact(offer: Offer, { native, gasUnit }: OfferNames): Fact {
  const gas = BigInt(offer.estimate_gas_total);
  const gasPrice = BigInt(offer.gas_price);
  const cost = gas * gasPrice;
  const worth = typeof offer.gas_usd === "string" ? `${dollars(offer.gas_usd)}: ` : "";
  return {
    name: "Network fee",
    text: `${readableAmount(cost, native.decimals, 4)} ${native.symbol}`,
    exact: `${exactAmount(cost, native.decimals)} ${native.symbol}`,
    more: `${worth}${readableAmount(gas, 0)} gas at ${ratioText(gasPrice, 1_000_000_000n, 4)} ${gasUnit}`,
  };
}

/** The amount bought minus the gas cost, in the token bought. */
function netFact({ net_out: netOut }: Offer, bought: NamedToken): readonly Fact[] {
  if (typeof netOut !== "string") return [];
  const net = BigInt(netOut);
  const name = "Net of gas";
  if (net <= 0n) return [{ name, text: "nothing: the gas costs more than you get", tone: "danger" }];
  return [
    {
      name,
      text: `${readableAmount(net, bought.decimals)} ${bought.symbol}`,
      exact: `${exactAmount(net, bought.decimals)} ${bought.symbol}`,
    },
  ];
}

function blockFact(offer: Offer): readonly Fact[] {
  if (offer.block_number === undefined) return [];
  return [{ name: "Block", text: readableAmount(BigInt(offer.block_number), 0, 20) }];
}

/** The warnings of the service; those that are no text are left out. */
export function warningsOf(offer: Offer): readonly string[] {
  const texts = (offer.warnings ?? []).map((warning: unknown) => {
    const { message, text } = Object(warning) as { message?: unknown; text?: unknown };
    return typeof warning === "string" ? warning : (message ?? text);
  });
  return texts.filter((text) => typeof text === "string" && text !== "") as string[];
}
