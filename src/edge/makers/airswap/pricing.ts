/**
 * AirSwap's prices as levels of a maker's pool.
 *
 * A pricing names a base and a quote token and two lists, `bid` and `ask`, of [q, p]: up to q of the base token in all, each
 * part above the entry before it is exchanged at p of the quote token for one of the base token. Both are decimal texts of
 * whole tokens. Who sells the base token is paid by `bid`; who buys it pays by `ask`. A list may be a formula instead,
 * which nobody's library reads: it prices nothing here.
 *
 * Levels are lower bounds of what is paid: amounts paid are rounded down, amounts taken up, and a price that is better
 * than the one before it counts as that one, since a pool's price does not rise with the amount.
 *
 * @source tools/utils/src/pricing.ts of airswap-protocols, a117f69c: getCostByPricing, getCostByLevels
 */
import Type, { type Static } from "typebox";
import * as Value from "typebox/value";
import { type Level, MOST_LEVELS } from "../../../core/rfq.ts";
import type { Address } from "../../../core/types.ts";
import type { Prices } from "../door.ts";
import { faultOf } from "../fault-of.ts";
import { type Direction, pricesFrom } from "../prices.ts";
import type { AirSwapFacts, AirSwapMaker } from "./facts.ts";

const Decimal = Type.String({ pattern: "^[0-9]{1,39}(\\.[0-9]{1,39})?$" });
const TokenAddress = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const LevelList = Type.Array(Type.Tuple([Decimal, Decimal]), { maxItems: MOST_LEVELS });
const Formula = Type.String({ maxLength: 4_096 });

/** What `getPricingERC20` and `getAllPricingERC20` answer. */
export const PricingAnswer = Type.Array(
  Type.Object({
    baseToken: TokenAddress,
    quoteToken: TokenAddress,
    minimum: Type.Optional(Decimal),
    bid: Type.Union([LevelList, Formula]),
    ask: Type.Union([LevelList, Formula]),
  }),
  { maxItems: 1_024 },
);

type Pricing = Static<typeof PricingAnswer>[number];

/** @returns the reason in words where the answer cannot be used: none of it is */
export function airSwapPrices(maker: AirSwapMaker, answer: unknown, facts: AirSwapFacts): Prices | string {
  const [error] = Value.Errors(PricingAnswer, answer);
  if (error !== undefined) return faultOf(answer, error);
  const pricings = new Map((answer as Pricing[]).map((one) => [pairKey(one.baseToken, one.quoteToken), one]));
  const wanted = maker.airSwap.pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]);
  const pairs = [...new Map(wanted.map((pair) => [pairKey(...pair), pair])).values()];
  const found = pairs.map(([sold, bought]) => directionOf(sold, bought, pricings, facts));
  const directions = found.filter((one) => one !== "formula" && one !== undefined);
  const prices = pricesFrom(maker, directions, Object.fromEntries(facts.payable));
  if (typeof prices === "string") return prices;
  const formulas = found.filter((one) => one === "formula").length;
  return { ...prices, ...gapOf(pairs.length, directions.length, formulas) };
}

/** What an operator is told of directions that are not priced: formulas, or that there are no levels at all. */
function gapOf(asked: number, priced: number, formulas: number): { gap?: string } {
  if (formulas > 0)
    return {
      gap: `levels: ${formulas} of ${asked} directions are priced by formulas, which are not supported`,
    };
  return priced > 0 ? {} : { gap: `levels: none of the ${asked} directions asked for is priced` };
}

const pairKey = (base: string, quote: string): string => `${base} ${quote}`.toLowerCase();

/** The bid of the pricing whose base is sold, which is what AirSwap's own page reads; else the ask of the reverse one. */
function directionOf(
  sold: Address,
  bought: Address,
  pricings: ReadonlyMap<string, Pricing>,
  { decimals }: AirSwapFacts,
): Direction | "formula" | undefined {
  const places = [decimals.get(sold)!, decimals.get(bought)!] as const;
  const [selling, buying] = [pricings.get(pairKey(sold, bought)), pricings.get(pairKey(bought, sold))];
  if (selling !== undefined && typeof selling.bid !== "string") {
    const levels = falling(bidLevels(selling.bid, places));
    const least = unitsOf(selling.minimum ?? "0", places[0], "up");
    return levels.length === 0 ? undefined : { sold, bought, levels, least };
  }
  if (typeof buying?.ask === "string") return "formula";
  if (buying === undefined) return selling === undefined ? undefined : "formula";
  const levels = falling(askLevels(buying.ask, places));
  const least = costOf(levels, unitsOf(buying.minimum ?? "0", places[1], "up"));
  return levels.length === 0 || least === undefined ? undefined : { sold, bought, levels, least };
}

type Listed = Static<typeof LevelList>;

/** The base token is sold. @param places decimals of the token sold and of the one bought */
function bidLevels(list: Listed, [base, quote]: readonly [number, number]): Level[] {
  return increments(list, base).map(({ amount, price }) => ({
    amountIn: amount,
    amountOut: quoteUnits(amount, price, [base, quote], "down"),
  }));
}

/** The base token is bought. */
function askLevels(list: Listed, [quote, base]: readonly [number, number]): Level[] {
  return increments(list, base).map(({ amount, price }) => ({
    amountIn: quoteUnits(amount, price, [base, quote], "up"),
    amountOut: amount,
  }));
}

/** Running totals as the amounts of each entry, smallest units of the base token; one that adds nothing is left out. */
function increments(list: Listed, decimals: number): { amount: bigint; price: string }[] {
  const totals = list.map(([total]) => unitsOf(total, decimals, "down"));
  return list
    .map(([, price], k) => ({ amount: totals[k]! - (totals[k - 1] ?? 0n), price }))
    .filter(({ amount }) => amount > 0n);
}

/** Levels up to the first that pays nothing, none at a better price than the one before it. */
function falling(levels: readonly Level[]): Level[] {
  const kept: Level[] = [];
  for (const { amountIn, amountOut } of levels) {
    const last = kept.at(-1);
    const most = last && (last.amountOut * amountIn) / last.amountIn;
    const paid = most !== undefined && most < amountOut ? most : amountOut;
    if (amountIn <= 0n || paid <= 0n) break;
    kept.push({ amountIn, amountOut: paid });
  }
  return kept;
}

/** The least that must be sold to be paid `amount`; undefined where the levels pay less. */
function costOf(levels: readonly Level[], amount: bigint): bigint | undefined {
  let [sold, rest] = [0n, amount];
  for (const { amountIn, amountOut } of levels) {
    if (rest <= amountOut) return sold + divided(rest * amountIn, amountOut, "up");
    sold += amountIn;
    rest -= amountOut;
  }
  return undefined;
}

type Rounding = "down" | "up";

/** A decimal text of whole tokens in smallest units. */
function unitsOf(text: string, decimals: number, rounding: Rounding): bigint {
  const { digits, places } = parsed(text);
  return divided(digits * 10n ** BigInt(decimals), 10n ** BigInt(places), rounding);
}

/** What an amount of the base token costs in the quote token, both in smallest units. */
function quoteUnits(
  amount: bigint,
  price: string,
  [base, quote]: readonly [number, number],
  rounding: Rounding,
): bigint {
  const { digits, places } = parsed(price);
  return divided(amount * digits * 10n ** BigInt(quote), 10n ** BigInt(places + base), rounding);
}

function parsed(text: string): { digits: bigint; places: number } {
  const [whole = "", part = ""] = text.split(".");
  return { digits: BigInt(whole + part), places: part.length };
}

function divided(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  return (numerator + (rounding === "up" ? denominator - 1n : 0n)) / denominator;
}
