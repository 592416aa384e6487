import type { Address } from "../../../src/core/types.ts";
import { type MadeToken, stableState, v2State, v3State, weightedState } from "./pools.ts";
import { type Random, random } from "./random.ts";
import type { MarketPool } from "./schema.ts";

/** A side of a dust pool in USD, between these; every power of ten is as frequent. */
const LEAST_USD = 0.01;
const MOST_USD = 100;
/** Share by which its price is off, between these, up or down; rounding to whole units comes on top. */
const LEAST_OFF = 0.01;
const MOST_OFF = 0.5;
/** Sets the dust's chances apart from the market's, so that the market is the same with and without dust. */
const APART = 0x64757374;

/** Which designs dust has, by their share. */
const DESIGNS = [
  { protocol: "uniswap-v2", share: 0.6, least: 2, most: 2, state: v2State },
  { protocol: "uniswap-v3", share: 0.25, least: 2, most: 2, state: v3State },
  { protocol: "balancer-v2-weighted", share: 0.1, least: 2, most: 4, state: weightedState },
  { protocol: "curve-stable-plain", share: 0.05, least: 2, most: 3, state: stableState },
] as const;
/** Shares of the dust between two hubs, and between a hub and any token; the rest is between any two. */
const HUB_HUB = 0.25;
const HUB_ANY = 0.5;

export type Holders = {
  readonly tokens: readonly MadeToken[];
  /** The first so many tokens are hubs. */
  readonly hubs: number;
  /** Hubs that are worth the same. */
  readonly stables: readonly number[];
};

/**
 * Shallow pools with wrong prices, as every real market holds them. The first n of a seed are the same for every count above n.
 */
export function dustPools(seed: number, count: number, holders: Holders): MarketPool[] {
  const rng = random(seed ^ APART);
  return Array.from({ length: count }, (_, n) => dustPool(rng, n, holders));
}

function dustPool(rng: Random, n: number, holders: Holders): MarketPool {
  const { protocol, least, most, state } = designOf(rng.next());
  const size = least + rng.below(most - least + 1);
  const drawn =
    protocol === "curve-stable-plain"
      ? distinct(() => rng.pick(holders.stables), size)
      : membersOf(rng, size, holders);
  const members = drawn.map((k) => holders.tokens[k]!).sort((a, b) => (a.address < b.address ? -1 : 1));
  const usd = 10 ** rng.between(Math.log10(LEAST_USD), Math.log10(MOST_USD));
  const off = rng.between(LEAST_OFF, MOST_OFF) * rng.pick([-1, 1]);
  return {
    protocol,
    address: `0x${n.toString(16).padStart(8, "0").padEnd(40, "d5")}` as Address,
    tokens: members.map(({ address }) => address),
    state: state(rng, members, usd, off),
  };
}

function designOf(chance: number) {
  let left = chance;
  for (const design of DESIGNS) {
    left -= design.share;
    if (left < 0) return design;
  }
  return DESIGNS[0];
}

function membersOf(rng: Random, size: number, { tokens, hubs }: Holders): number[] {
  const hub = () => rng.below(hubs);
  const any = () => rng.below(tokens.length);
  const kind = rng.next();
  const [first, other] = kind < HUB_HUB ? [hub, hub] : kind < HUB_HUB + HUB_ANY ? [hub, any] : [any, any];
  const one = first();
  return [one, ...distinct(other, size - 1, one)];
}

/** So many different tokens, none of them `without`. */
function distinct(draw: () => number, size: number, without = -1): number[] {
  const drawn = new Set<number>();
  while (drawn.size < size) {
    const one = draw();
    if (one !== without) drawn.add(one);
  }
  return [...drawn];
}
