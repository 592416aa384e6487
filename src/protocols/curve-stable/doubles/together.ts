import { goldenSection } from "../../../core/math/golden-section.ts";
import { gainWithoutFees } from "../../../core/math/level-sets/bound.ts";
import type { Level } from "../../../core/math/level-sets/level.ts";
import { withFeesLeft } from "../../../core/math/level-sets/level-gain.ts";
import { sharesGain } from "../../../core/math/level-sets/shares-gain.ts";
import type { TradedShares } from "../../../core/math/level-sets/sharing.ts";
import { stableLevel } from "../../../core/math/level-sets/stable-level.ts";
import type { PricedMember } from "../../../core/protocol.ts";
import type { Address } from "../../../core/types.ts";
import { type Coins, FEE_DENOMINATOR } from "./coins.ts";
import type { Deposits } from "./deposits.ts";
import { levelOf } from "./gain.ts";
import type { Mirror } from "./mirror.ts";

/**
 * Bounds the joint gain of a base pool and the metapools over it.
 *
 * In: token prices ν. Let an LP token be worth c within the group. A deposit pays LP tokens worth c each, a
 * withdrawal costs them, and LP tokens that pass between pools of the group cancel out. So for any c
 *
 *   gain ≤ B(c) + Σ_m M_m(c)
 *
 * where B is the largest gain of the base pool from trades of its coins and its LP tokens, and M_m the largest gain
 * of a metapool from trades of its own two coins. Both are bounded by planes through a level of an invariant
 * (`core/math/level-sets`) and are convex in c. The sum is least where the metapools take as many LP tokens as the
 * base pool mints; any other c gives a valid bound too.
 *
 * Fees that stay in the base pool raise the worth of its LP tokens. Who burns LP tokens later gets a part of these
 * fees back, and so does who trades with a metapool that follows the virtual price. Together this is at most the
 * fraction of all LP tokens that are burnt or in such metapools, so the base pool's fees are reduced by that
 * fraction.
 */

/** Index of the LP token in a metapool's tokens; the base coins follow it. */
const LP = 1;
/** Number of prices of an LP token evaluated if none suits all metapools. */
const MOST_PRICES = 12;

/** A metapool's own two coins. */
type Metapool = {
  readonly level: Level;
  /** Price of the LP token in the other coin at the pool's present balances. */
  readonly ratio: number;
  readonly fee: number;
  /** Price of the coin that is not the LP token. */
  readonly worth: number;
};

/** A group at token prices. */
type Group = {
  readonly level: Level;
  readonly supply: number;
  readonly metapools: readonly Metapool[];
  /** Prices of the base pool's coins. */
  readonly prices: readonly number[];
  /** Fee of an exchange as a fraction of the input. */
  readonly fee: number;
  /** Fee of a single-coin deposit or withdrawal, as a fraction of the part that represents other coins. */
  readonly shareFee: number;
  /** Price of an LP token elsewhere; undefined if it is traded nowhere else. */
  readonly elsewhere: number | undefined;
};

/**
 * Upper bound on the joint gain of trades with a base pool and the metapools over it.
 *
 * @param isInner whether a token is traded by these pools only
 * @returns in the unit of the prices; undefined if the group cannot be priced, or the gain is unbounded at these
 *   prices
 */
export function gainTogether(
  members: readonly PricedMember<Mirror>[],
  isInner: (token: Address) => boolean,
): number | undefined {
  const group = groupOf(members, isInner);
  return group && sharesGain({ ...group, shares: tradedShares(group) });
}

function groupOf(
  members: readonly PricedMember<Mirror>[],
  isInner: (token: Address) => boolean,
): Group | undefined {
  const over = members.filter(({ mirror }) => mirror.base !== undefined);
  const [first] = over;
  if (first === undefined || members.some(({ mirror }) => mirror.coins === undefined)) return undefined;
  const base = first.mirror.base!;
  const elsewhere = isInner(first.pool.tokens[LP]!) ? undefined : first.prices[LP]!;
  const prices = first.prices.slice(LP + 1);
  const gainedBack = base.feeKept * shareGainingBack(base, over, elsewhere !== undefined);
  const isPriced = [...over.map(({ prices: [worth] }) => worth!), ...prices, elsewhere ?? 1].every(
    (worth) => worth > 0,
  );
  if (!isPriced || !(gainedBack <= 1)) return undefined;
  const shareFee = 2 * base.fee * (1 - gainedBack);
  return {
    level: stableLevel({ x: base.xp, ann: base.ann, g: base.product }, base.rates),
    supply: base.lpSupply,
    metapools: over.map(({ mirror, prices: [worth] }) => metapoolOf(mirror.coins!, worth!)),
    prices,
    // A deposit is charged for each coin that it moves out of proportion: half of an exchange's fee in a pool of
    // equal parts.
    fee: (shareFee * 2 * (prices.length - 1)) / prices.length,
    shareFee,
    elsewhere,
  };
}

/**
 * The largest fraction of all LP tokens that may be burnt, or be in metapools that follow the virtual price. It
 * counts the LP tokens of metapools, and those that follow as if they held nothing else; it is 1 if LP tokens are
 * traded elsewhere.
 *
 * @returns NaN if metapools hold more LP tokens than exist, which no chain allows: any fee would pay back more than
 *   itself
 */
function shareGainingBack(
  { lpSupply }: Deposits,
  over: readonly PricedMember<Mirror>[],
  isTradedElsewhere: boolean,
): number {
  let held = 0;
  let most = 0;
  for (const { mirror } of over) {
    const { xp, rates } = mirror.coins!;
    held += xp[LP]! / rates[LP]!;
    most += (xp[LP]! + (mirror.isLive ? xp[0]! : 0)) / rates[LP]!;
  }
  if (held > lpSupply) return Number.NaN;
  return isTradedElsewhere ? 1 : Math.min(1, most / lpSupply);
}

function metapoolOf(coins: Coins, worth: number): Metapool {
  const level = levelOf(coins);
  const slopes = new Float64Array(level.held.length);
  level.slopes(level.held, slopes);
  return { level, ratio: slopes[LP]! / slopes[0]!, fee: coins.fee / FEE_DENOMINATOR, worth };
}

/** The possible worth of all LP tokens, and the interval in which the metapools gain least together. */
function tradedShares({ metapools, elsewhere, supply }: Group): TradedShares {
  const gainOfMetapools = (price: number) =>
    metapools.reduce((sum, metapool) => sum + metapoolGain(metapool, price, elsewhere ?? price), 0);
  const { least, most } = pricesBeside(elsewhere, metapools);
  const idle = metapools.map((metapool) => idlePrices(metapool, elsewhere));
  const from = Math.min(most, Math.max(least, ...idle.map((one) => one.from)));
  const to = Math.max(least, Math.min(most, ...idle.map((one) => one.to)));
  const best =
    from <= to
      ? { from, to }
      : pointOf(
          goldenSection(gainOfMetapools, (gain) => gain, { from: to, to: from, places: MOST_PRICES }).place,
        );
  return {
    least: least * supply,
    most: most * supply,
    from: best.from * supply,
    to: best.to * supply,
    othersGain: remembered((worth) => gainOfMetapools(worth / supply)),
  };
}

const pointOf = (place: number) => ({ from: place, to: place });

/** Caches the last value of a function. */
function remembered(of: (asked: number) => number): (asked: number) => number {
  let last = Number.NaN;
  let found = Number.NaN;
  return (asked) => {
    if (asked !== last) [last, found] = [asked, of(asked)];
    return found;
  };
}

/** Bounds on the price of an LP token: if it is traded elsewhere, no round trip through a metapool may gain. */
function pricesBeside(elsewhere: number | undefined, metapools: readonly Metapool[]) {
  if (elsewhere === undefined) return { least: 0, most: Number.POSITIVE_INFINITY };
  const kept = 1 - Math.min(...metapools.map(({ fee }) => fee));
  return { least: elsewhere * kept, most: elsewhere / kept };
}

/**
 * Prices of an LP token within the group at which a metapool gains least: within its fees, or at the price elsewhere.
 */
function idlePrices({ ratio, worth, fee }: Metapool, elsewhere: number | undefined) {
  const from = ratio * worth * (1 - fee);
  const to = (ratio * worth) / (1 - fee);
  if (elsewhere === undefined) return { from, to };
  if (elsewhere > to) return { from: 0, to: elsewhere };
  return elsewhere < from ? { from: elsewhere, to: Number.POSITIVE_INFINITY } : { from, to };
}

/**
 * Upper bound on the gain of a metapool if LP tokens are worth `price` within the group and `elsewhere` outside. It
 * sells at most at the higher price, and buys at least at the lower one. Its fee is taken from the output, so trades
 * in one direction gain as much as without fees if the output is worth less by the fee.
 */
function metapoolGain({ level, ratio, fee, worth }: Metapool, price: number, elsewhere: number): number {
  const least = Math.max(price, elsewhere) * (1 - fee);
  const most = Math.min(price, elsewhere);
  const paysLp = ratio < least / worth;
  if (!paysLp && ratio <= most / (worth * (1 - fee))) return 0;
  const prices = paysLp ? Float64Array.of(worth, least) : Float64Array.of(worth * (1 - fee), most);
  const found = gainWithoutFees(level, prices, level.held);
  return found === undefined ? Number.POSITIVE_INFINITY : withFeesLeft(found.gain, fee);
}
