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
 * What a base pool and the metapools over it gain together.
 *
 * In: token prices ν. Let an LP token be worth c within the group. A deposit pays the trader LP tokens worth c each and a withdrawal costs
 * them, and what one pool of the group hands to another cancels out. So for any c
 *
 *   gain ≤ B(c) + Σ_m M_m(c)
 *
 * where B is the most that the base pool gains from trades of its coins and its LP tokens, and M_m the most that a metapool gains from
 * trades of its own two coins, each by itself. Both are planes through a level of an invariant (`core/math/level-sets`), convex in c.
 * Their sum is least where what the metapools take of LP tokens is what the base pool gives, and any other c bounds as well.
 *
 * Fees that stay in the base pool make its LP tokens worth more. Who burns some later is paid a part of those fees back, and who trades with a
 * metapool that follows the worth of its LP tokens gains what these have gained. Together that is no more of a fee than LP tokens burnt and in
 * such metapools are of all: by so much the base pool's fees are taken to be lower.
 */

/** LP tokens of the base pool in a metapool's tokens; the base coins follow. */
const LP = 1;
/** Worths of an LP token that are tried where no one suits all metapools. */
const MOST_PRICES = 12;

/** A metapool's own two coins. */
type Metapool = {
  readonly level: Level;
  /** What an LP token is worth of the other coin where the pool is. */
  readonly ratio: number;
  readonly fee: number;
  /** Worth of the coin that is no LP token. */
  readonly worth: number;
};

/** A group at token prices. */
type Group = {
  readonly level: Level;
  readonly supply: number;
  readonly metapools: readonly Metapool[];
  /** Worth of the base pool's coins. */
  readonly prices: readonly number[];
  /** Share of what is sold that an exchange pays. */
  readonly fee: number;
  /** Share that a deposit or withdrawal of one coin pays on the part of the pool that is of other coins. */
  readonly shareFee: number;
  /** Worth of an LP token elsewhere; undefined where it is traded nowhere else. */
  readonly elsewhere: number | undefined;
};

/**
 * The most that trades with a base pool and metapools over it gain together, never below it.
 *
 * @param isInner whether a token is traded by these pools only
 * @returns in the unit of the prices; undefined where the group cannot be priced, or gains without end at these prices
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
    // A deposit is charged for each coin that it unbalances: half of an exchange's fee in a pool of equal parts.
    fee: (shareFee * 2 * (prices.length - 1)) / prices.length,
    shareFee,
    elsewhere,
  };
}

/**
 * The largest part of all LP tokens that may be burnt, or lie in metapools that follow what these are worth: what metapools hold, those that
 * follow as if they held nothing else; all where LP tokens come from elsewhere.
 *
 * @returns NaN where metapools hold more than there are, which no chain lets them: any fee would pay back more than itself
 */
function shareGainingBack(
  { lpSupply }: Deposits,
  over: readonly PricedMember<Mirror>[],
  isTradedElsewhere: boolean,
): number {
  let [held, most] = [0, 0];
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

/** What LP tokens may be worth, and where between that the metapools gain least together. */
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

/** Asks a function again only where it was asked for something else before. */
function remembered(of: (asked: number) => number): (asked: number) => number {
  let [last, found] = [Number.NaN, Number.NaN];
  return (asked) => {
    if (asked !== last) [last, found] = [asked, of(asked)];
    return found;
  };
}

/** Where an LP token is traded elsewhere as well no trade to there and back through a metapool may pay. */
function pricesBeside(elsewhere: number | undefined, metapools: readonly Metapool[]) {
  if (elsewhere === undefined) return { least: 0, most: Number.POSITIVE_INFINITY };
  const kept = 1 - Math.min(...metapools.map(({ fee }) => fee));
  return { least: elsewhere * kept, most: elsewhere / kept };
}

/** Worths of an LP token within the group at which a metapool gains least: where it stands between fees, and what it is worth elsewhere. */
function idlePrices({ ratio, worth, fee }: Metapool, elsewhere: number | undefined) {
  const [from, to] = [ratio * worth * (1 - fee), (ratio * worth) / (1 - fee)];
  if (elsewhere === undefined) return { from, to };
  if (elsewhere > to) return { from: 0, to: elsewhere };
  return elsewhere < from ? { from: elsewhere, to: Number.POSITIVE_INFINITY } : { from, to };
}

/**
 * What a metapool gains where it takes LP tokens that are worth `price` here and `elsewhere` there: at most what the dearer one brings, at no
 * less than what the cheaper one costs. Its fee is taken from what is paid, so that trades one way gain as without fees if what they are paid
 * with is worth so much less.
 */
function metapoolGain({ level, ratio, fee, worth }: Metapool, price: number, elsewhere: number): number {
  const [least, most] = [Math.max(price, elsewhere) * (1 - fee), Math.min(price, elsewhere)];
  const paysLp = ratio < least / worth;
  if (!paysLp && ratio <= most / (worth * (1 - fee))) return 0;
  const prices = paysLp ? Float64Array.of(worth, least) : Float64Array.of(worth * (1 - fee), most);
  const found = gainWithoutFees(level, prices, level.held);
  return found === undefined ? Number.POSITIVE_INFINITY : withFeesLeft(found.gain, fee);
}
