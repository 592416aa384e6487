/**
 * AirSwap's prices as levels of a maker's pool.
 *
 * A pricing has a base token, a quote token and two lists, `bid` and `ask`, of entries [q, p]. q is a running total of
 * the base token; the part of q above the q of the entry before is exchanged at p units of the quote token per unit of
 * the base token. Both are decimal texts in whole tokens. A seller of the base token is paid by `bid`; a buyer pays by
 * `ask`. A list may be a formula instead, which AirSwap's own library does not evaluate either; it gives no levels
 * here.
 *
 * Levels are lower bounds of the amount paid: amounts paid are rounded down and amounts taken are rounded up. A price
 * that is better than the one before it is lowered to that one, since the levels of a pool must not rise with the
 * amount.
 *
 * @source tools/utils/src/pricing.ts of airswap-protocols, a117f69c: getCostByPricing, getCostByLevels
 */
import Type, { type Static } from "typebox";
import { type Level, MOST_LEVELS } from "../../../core/rfq.ts";
import type { Address } from "../../../core/types.ts";
import type { Prices } from "../door.ts";
import { faultFinder } from "../fault-of.ts";
import { type Direction, pricesFrom } from "../prices.ts";
import type { AirSwapFacts, AirSwapMaker } from "./facts.ts";

const Decimal = Type.String({ pattern: "^[0-9]{1,39}(\\.[0-9]{1,39})?$" });
const TokenAddress = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const LevelList = Type.Array(Type.Tuple([Decimal, Decimal]), { maxItems: MOST_LEVELS });
const Formula = Type.String({ maxLength: 4_096 });

/** Result of `getPricingERC20` and of `getAllPricingERC20`. */
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

const faultIn = faultFinder(PricingAnswer);

/**
 * The levels of the maker's configured pairs, in both directions, from an answer with pricings.
 *
 * @returns where any used part of the answer is invalid, the reason in words; then none is used
 */
export function airSwapPrices(maker: AirSwapMaker, answer: unknown, facts: AirSwapFacts): Prices | string {
  const fault = faultIn(answer);
  if (fault !== undefined) return fault;
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

/** A message for the operator where directions are priced by formulas, or where no direction has levels. */
function gapOf(asked: number, priced: number, formulas: number): { gap?: string } {
  if (formulas > 0)
    return {
      gap: `levels: ${formulas} of ${asked} directions are priced by formulas, which are not supported`,
    };
  return priced > 0 ? {} : { gap: `levels: none of the ${asked} directions asked for is priced` };
}

const pairKey = (base: string, quote: string): string => `${base} ${quote}`.toLowerCase();

/**
 * Levels from the bid of the pricing whose base token is sold, which AirSwap's own web app reads, or else from the ask
 * of the reverse pricing.
 *
 * @returns "formula" where only formulas price the direction; undefined where nothing does
 */
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

/** Levels for selling the base token. */
function bidLevels(list: Listed, [base, quote]: readonly [number, number]): Level[] {
  return increments(list, base).map(({ amount, price }) => ({
    amountIn: amount,
    amountOut: quoteUnits(amount, price, [base, quote], "down"),
  }));
}

/** Levels for buying the base token. */
function askLevels(list: Listed, [quote, base]: readonly [number, number]): Level[] {
  return increments(list, base).map(({ amount, price }) => ({
    amountIn: quoteUnits(amount, price, [base, quote], "up"),
    amountOut: amount,
  }));
}

/**
 * The amount of each entry beyond the running total before it, smallest units; entries that add nothing are left out.
 */
function increments(list: Listed, decimals: number): { amount: bigint; price: string }[] {
  const totals = list.map(([total]) => unitsOf(total, decimals, "down"));
  return list
    .map(([, price], k) => ({ amount: totals[k]! - (totals[k - 1] ?? 0n), price }))
    .filter(({ amount }) => amount > 0n);
}

/**
 * Lowers each level to a price not better than the one before it, rounded down; ends before the first that pays
 * nothing.
 */
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

/** The amount sold, rounded up, that is paid `amount`; undefined where the levels pay less in all. */
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

/** Converts a decimal text in whole tokens to smallest units. */
function unitsOf(text: string, decimals: number, rounding: Rounding): bigint {
  const { digits, places } = parsed(text);
  return divided(digits * 10n ** BigInt(decimals), 10n ** BigInt(places), rounding);
}

/** The value of an amount of the base token in the quote token, both in smallest units. */
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
