import type { Address } from "../../../src/core/types.ts";
import { invariant } from "../orders/stable.ts";
import { type MadeToken, stableState } from "./pools.ts";
import { type Random, random } from "./random.ts";
import type { MarketPool } from "./schema.ts";

/** Sets these pools' chances apart from the market's, so that the market is the same with and without them. */
const APART = 0x63757276;
/** Pools of a set: a base pool, metapools over it, and a pool with a dynamic fee. */
const IN_A_SET = 4;
/** USD a side of a base pool, between these; every power of ten is as frequent. Metapools are this part of it. */
const LEAST_USD = 1e6;
const MOST_USD = 1e8;
const OF_BASE = 0.1;
/** What an LP token is worth of a coin of its pool, between these: a metapool follows it as it is. */
const LEAST_WORTH = 1;
const MOST_WORTH = 1.1;
/** Share by which a coin of a base pool may be off: less than the least fee of a deposit, so that no cycle pays. */
const MOST_OFF = 2e-5;
const DOLLAR = 1e18;

type Holders = { readonly tokens: readonly MadeToken[]; readonly stables: readonly number[] };

/** Pools that come on top of a market, and the LP tokens that they trade. */
export type CurvePools = { readonly pools: readonly MarketPool[]; readonly lpTokens: readonly MadeToken[] };

/**
 * Curve pools that share their state, and such with dynamic fees, priced within their fees: of every four the first is a base pool, two are
 * metapools over it and one has a dynamic fee. Coins of any price lie in them by rates of their own, as coins with an oracle do.
 */
export function curvePools(seed: number, count: number, { tokens, stables }: Holders): CurvePools {
  const rng = random(seed ^ APART);
  const [pools, lpTokens]: [MarketPool[], MadeToken[]] = [[], []];
  const anyBut = (members: readonly MadeToken[]) => {
    const others = tokens.filter((token) => !members.includes(token));
    return others[rng.below(others.length)]!;
  };
  for (let set = 0; pools.length < count; set++) {
    const coins = stables.map((k) => tokens[k]!).filter((_, k) => k < 2 || rng.next() < 1 / 2);
    const usd = 10 ** rng.between(Math.log10(LEAST_USD), Math.log10(MOST_USD));
    const worth = rng.between(LEAST_WORTH, MOST_WORTH);
    const base = {
      address: named(set * IN_A_SET),
      coins,
      state: stableState(rng, coins, usd, rng.between(-MOST_OFF, MOST_OFF)),
    };
    const lp = { address: named(set, "1b"), symbol: `LP${set}`, decimals: 18, usd: worth };
    const lpSupply = supplyOf(base.state, worth);
    lpTokens.push(lp);
    pools.push({
      protocol: "curve-stable-plain",
      address: base.address,
      tokens: coins.map(({ address }) => address),
      state: { ...base.state, lpSupply },
    });
    for (const k of [1, 2]) {
      const coin = anyBut(coins);
      pools.push({
        protocol: "curve-stable-meta",
        address: named(set * IN_A_SET + k),
        tokens: [coin, lp, ...coins].map(({ address }) => address),
        state: { ...ratedState(rng, [coin, lp], usd * OF_BASE), base: base.address },
      });
    }
    const pair = [coins[0]!, anyBut(coins.slice(0, 1))];
    pools.push({
      protocol: "curve-stable-plain",
      address: named(set * IN_A_SET + 3),
      tokens: pair.map(({ address }) => address),
      state: {
        ...ratedState(rng, pair, usd * OF_BASE),
        offpegFeeMultiplier: String(rng.pick([2, 5, 10]) * 1e10),
      },
    });
  }
  return { pools: pools.slice(0, count), lpTokens };
}

const named = (n: number, end = "c9") => `0x${n.toString(16).padStart(8, "0").padEnd(40, end)}` as Address;

/** A stable pool whose coins are worth their prices by their rates; of an LP token the metapool knows the price itself. */
function ratedState(rng: Random, coins: readonly MadeToken[], usd: number) {
  const dollars = coins.map((coin) => ({ ...coin, decimals: 18, usd: 1 }));
  const { balances, ...state } = stableState(rng, dollars, usd);
  return {
    ...state,
    balances: coins.map((coin, k) =>
      String(BigInt(Math.round((Number(balances[k]) / DOLLAR / coin.usd) * 10 ** coin.decimals))),
    ),
    rates: coins.map(({ decimals, usd: price, symbol }) =>
      String(
        10n ** BigInt(18 - decimals) *
          (symbol.startsWith("LP") ? 10n ** 18n : BigInt(Math.round(price * DOLLAR))),
      ),
    ),
  };
}

/** LP tokens that are worth so much of D each. */
function supplyOf(
  { balances, rates, amp, aPrecision }: ReturnType<typeof stableState>,
  worth: number,
): string {
  const held = balances.map((balance, k) => (Number(balance) * Number(rates[k])) / DOLLAR);
  const ann = (Number(amp) / Number(aPrecision)) * held.length;
  return String(BigInt(Math.round(invariant(held, ann) / worth)));
}
