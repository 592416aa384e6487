import type { Address } from "../../../src/core/types.ts";
import { curvePools } from "./curve-pools.ts";
import { dustPools } from "./dust.ts";
import { type MadeToken, stableState, v2State, v3State, weightedState } from "./pools.ts";
import { type Random, random } from "./random.ts";
import type { MarketFile, MarketPool, Order } from "./schema.ts";

const HUBS: readonly (readonly [symbol: string, decimals: number, usd: number])[] = [
  ["WETH", 18, 3000],
  ["USDC", 6, 1],
  ["USDT", 6, 1],
  ["DAI", 18, 1],
  ["WBTC", 8, 60_000],
  ["wstETH", 18, 3500],
  ["FRAX", 18, 1],
  ["rETH", 18, 3300],
];
const STABLES = [1, 2, 3, 6];
/** Share of the tokens that have one pool only. */
const LEAVES = 0.65;
/** Share of the pools between two tokens that are no hubs. */
const TAIL_TAIL = 0.06;
/** Deepest pool in USD a side, and how depth falls with a pool's rank. */
const DEEPEST = 200_000_000;
const SLOPE = -1.3;

type Pair = { readonly members: readonly number[]; readonly weight: number; readonly kind: string };

function makeTokens(rng: Random, count: number): MadeToken[] {
  return Array.from({ length: count }, (_, n) => {
    const hub = HUBS[n];
    const address = `0x${(0x1000 + n).toString(16).padStart(8, "0").padEnd(40, "5a")}` as Address;
    if (hub) return { address, symbol: hub[0], decimals: hub[1], usd: hub[2] };
    const decimals = rng.pick([18, 18, 18, 18, 18, 18, 9, 8, 6]);
    return { address, symbol: `T${n}`, decimals, usd: 10 ** rng.between(-4, 3) };
  });
}

/** Which tokens each pool joins, and how deep it should be beside the others. */
function makePairs(rng: Random, tokens: number, pools: number): Pair[] {
  const leaves = leavesOf(tokens, pools);
  const tails = tokens - leaves - HUBS.length;
  const tail = () => HUBS.length + Math.floor(tails * rng.next() ** 2);
  const hub = () => Math.floor(HUBS.length * rng.next() ** 1.7);
  const importance = (n: number) => 1 / (1 + (n < HUBS.length ? n / 4 : n - HUBS.length + 3));
  const pairs: Pair[] = [];
  const add = (members: readonly number[], kind: string) => {
    const weight = members.reduce((product, n) => product * importance(n), 1) * 10 ** rng.between(-1.5, 0);
    pairs.push({ members, weight, kind });
  };
  for (let n = tokens - leaves; n < tokens; n++) add([hub(), n], "any");
  for (let n = HUBS.length; n < HUBS.length + tails; n++) add([hub(), n], "any");
  const hubHub = Math.max(28, Math.floor(pools * 0.004));
  for (let k = 0; k < hubHub; k++) add(distinct(hub, 2), "any");
  for (let k = 0; k < Math.max(4, pools / 1000); k++) {
    add(
      distinct(() => rng.pick(STABLES), 2 + rng.below(3)),
      "stable",
    );
  }
  for (let k = 0; k < pools / 80; k++) {
    const size = 2 + rng.below(3);
    add([hub(), ...distinct(tail, size - 1)], "weighted");
  }
  for (let k = 0; k < pools * TAIL_TAIL; k++) add(distinct(tail, 2), "any");
  while (pairs.length < pools) add([hub(), tail()], "any");
  return pairs.slice(0, pools);
}

function distinct(draw: () => number, size: number): number[] {
  const drawn = new Set<number>();
  for (let tries = 0; drawn.size < size && tries < 100; tries++) drawn.add(draw());
  return [...drawn];
}

function makePool(
  rng: Random,
  pair: Pair,
  { n, tokens, usd }: { n: number; tokens: MadeToken[]; usd: number },
) {
  const members = pair.members.map((k) => tokens[k]!).sort((a, b) => (a.address < b.address ? -1 : 1));
  const address = `0x${n.toString(16).padStart(8, "0").padEnd(40, "c3")}` as Address;
  const common = { address, tokens: members.map((token) => token.address) };
  if (pair.kind === "stable")
    return { protocol: "curve-stable-plain", ...common, state: stableState(rng, members, usd) };
  if (pair.kind === "weighted") {
    return { protocol: "balancer-v2-weighted", ...common, state: weightedState(rng, members, usd) };
  }
  return rng.next() < 0.7
    ? { protocol: "uniswap-v2", ...common, state: v2State(rng, members, usd) }
    : { protocol: "uniswap-v3", ...common, state: v3State(rng, members, usd) };
}

type Depths = {
  readonly tokens: readonly MadeToken[];
  readonly depth: readonly number[];
  readonly tails: number;
};

/** Orders between distinct pairs of every class, of 0.01 % to 30 % of the shallower token's deepest pool. */
function makeOrders(rng: Random, { tokens, depth, tails }: Depths, count: number): Order[] {
  const classes: (() => [number, number])[] = [
    () => [rng.below(8), rng.below(8)],
    () => [rng.pick(STABLES), rng.pick(STABLES)],
    () => [rng.below(8), 8 + rng.below(tails)],
    () => [8 + rng.below(tails), rng.below(8)],
    () => [8 + rng.below(tails), 8 + rng.below(tails)],
    () => [8 + tails + rng.below(tokens.length - 8 - tails), rng.below(8)],
    () => [rng.below(8), 8 + tails + rng.below(tokens.length - 8 - tails)],
    () => [rng.below(tokens.length), rng.below(tokens.length)],
  ];
  const seen = new Set<string>();
  const orders: Order[] = [];
  for (let tries = 0; orders.length < count && tries < count * 200; tries++) {
    const [from, to] = rng.pick(classes)();
    const share = 10 ** rng.between(-4, Math.log10(0.3));
    const usd = share * Math.min(depth[from]!, depth[to]!);
    if (from === to || usd < 50 || seen.has(`${from}-${to}`)) continue;
    seen.add(`${from}-${to}`);
    const { address, decimals, usd: price } = tokens[from]!;
    const amountIn = String(
      BigInt(Math.floor((usd / price) * 10 ** Math.min(decimals, 15))) *
        10n ** BigInt(decimals - Math.min(decimals, 15)),
    );
    if (amountIn === "0") continue;
    orders.push({ tokenIn: address, tokenOut: tokens[to]!.address, amountIn });
  }
  return orders;
}

export type Seeded = { readonly file: MarketFile; readonly orders: readonly Order[] };

/** The fewest tokens that leave some beside hubs and leaves. */
export const FEWEST_TOKENS = 30;

export type SeededSize = {
  readonly tokens: number;
  readonly pools: number;
  readonly orders: number;
  /** Mispriced pools of up to 100 USD that come on top; they change neither the other pools nor the orders. */
  readonly dust?: number;
  /** Curve pools that share their state or have dynamic fees; they come on top as well, with the LP tokens that they trade. */
  readonly curve?: number;
};

/**
 * A market that the seed decides: eight hubs, a tail, and leaves of one pool; depth falls with a power of the rank.
 * Every pool's price is off the true one by less than its fee, so that no cycle of pools pays; dust breaks that.
 */
export function seededMarket(
  seed: number,
  { tokens: tokenCount, pools, orders, dust = 0, curve = 0 }: SeededSize,
): Seeded {
  const rng = random(seed);
  const tokens = makeTokens(rng, tokenCount);
  const pairs = makePairs(rng, tokens.length, pools);
  const ranked = [...pairs.keys()].sort((a, b) => pairs[b]!.weight - pairs[a]!.weight);
  const usd = new Float64Array(pairs.length);
  ranked.forEach((pair, rank) => {
    usd[pair] = DEEPEST * (rank + 1) ** SLOPE * 10 ** rng.between(-0.3, 0.3) + 5;
  });
  const depth = tokens.map(() => 0);
  const made: MarketPool[] = pairs.map((pair, n) => {
    for (const k of pair.members) depth[k] = Math.max(depth[k]!, usd[n]!);
    return makePool(rng, pair, { n, tokens, usd: usd[n]! });
  });
  const tails = tokens.length - leavesOf(tokens.length, pairs.length) - HUBS.length;
  const { pools: curves, lpTokens } = curvePools(seed, curve, { tokens, stables: STABLES });
  const all = [...tokens, ...lpTokens];
  return {
    file: {
      schema: "market/1",
      chainId: 1,
      block: 1,
      timestamp: 1_700_000_000,
      native: tokens[0]!.address,
      usd: Object.fromEntries(all.map((token) => [token.address, token.usd])),
      tokens: all.map(({ address, symbol, decimals }) => ({ address, symbol, decimals })),
      pools: [...made, ...dustPools(seed, dust, { tokens, hubs: HUBS.length, stables: STABLES }), ...curves],
    },
    orders: makeOrders(rng, { tokens, depth, tails }, orders),
  };
}

/** Tokens with one pool only. */
function leavesOf(tokens: number, pools: number): number {
  return Math.min(Math.floor(tokens * LEAVES), pools >> 1);
}
