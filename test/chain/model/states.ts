import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from "../../../src/core/math/concentrated/tick-math.ts";
import { unit } from "./hash.ts";
import type { Universe } from "./universe.ts";

/** The state of every pool before the first block that is really built, by formula. */

export type PairState = { readonly reserves: readonly [bigint, bigint] };

/** In the words of `src/protocols/uniswap-v3/state.ts`, so that its maths can sell to it. */
export type TickState = {
  readonly feePpm: number;
  readonly tickSpacing: number;
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  readonly ticks: readonly number[];
  readonly nets: readonly bigint[];
  readonly grosses: readonly bigint[];
  readonly lowest: number;
  readonly highest: number;
};

export type PoolState = PairState | TickState;

export function isPair(state: PoolState): state is PairState {
  return "reserves" in state;
}

const MAX_RESERVE = 2 ** 112 * 0.9;

/** US dollars that both sides of a pool hold together. */
export function depthUsd(universe: Universe, pool: number): number {
  const { seed } = universe;
  const at = unit(seed, pool, 11);
  switch (universe.rank(pool)) {
    case 0: {
      const [a, b] = universe.pair(pool);
      return 10 ** (6 + (a < 3 && b < 3 ? 1.7 : 0) + at * 1.3);
    }
    case 1:
      return 10 ** (3.5 + at * 3);
    default:
      return unit(seed, pool, 12) < 0.7 ? 10 ** (at * 2) : 10 ** (2 + at * 3.5);
  }
}

/** Smallest units of a token in a US dollar. */
function unitsPerUsd({ tokens }: Universe, token: number): number {
  return 10 ** tokens.decimals(token) / tokens.price(token);
}

/** A relative deviation of the pool's price from what its tokens are worth: up to 0.15 %. */
function deviation({ seed }: Universe, pool: number): number {
  return 1 + (unit(seed, pool, 13) - 0.5) * 0.003;
}

export function firstState(universe: Universe, pool: number): PoolState {
  return universe.rangeOf(pool).kind === "v2" ? firstPair(universe, pool) : firstTicks(universe, pool);
}

/** One pair in twenty of the long tail is empty. */
function firstPair(universe: Universe, pool: number): PairState {
  if (universe.rank(pool) === 2 && unit(universe.seed, pool, 14) < 0.05) return { reserves: [0n, 0n] };
  const [a, b] = universe.pair(pool);
  const half = depthUsd(universe, pool) / 2;
  const reserve = (token: number, share: number) =>
    BigInt(Math.floor(Math.min(MAX_RESERVE, Math.max(2, half * share * unitsPerUsd(universe, token)))));
  return { reserves: [reserve(a, 1), reserve(b, deviation(universe, pool))] };
}

const FULL = 1;

/** Positions around the price: one over the whole range, and more of them and narrower ones in deeper pools. */
function firstTicks(universe: Universe, pool: number): TickState {
  const [feePpm, tickSpacing] = universe.tier(pool);
  const none = { feePpm, tickSpacing, lowest: MIN_TICK, highest: MAX_TICK };
  const { seed } = universe;
  if (universe.rank(pool) === 2 && unit(seed, pool, 14) < 0.05)
    return { ...none, sqrtPriceX96: 0n, tick: 0, liquidity: 0n, ticks: [], nets: [], grosses: [] };
  const [a, b] = universe.pair(pool);
  const perUsd = [unitsPerUsd(universe, a), unitsPerUsd(universe, b)] as const;
  const price = (perUsd[1] / perUsd[0]) * deviation(universe, pool);
  const tick = Math.max(-800_000, Math.min(800_000, Math.floor(Math.log(price) / Math.log(1.0001))));
  const low = sqrtRatioAtTick(tick);
  const part = BigInt(Math.floor(unit(seed, pool, 15) * 65_536));
  const sqrtPriceX96 = low + (((sqrtRatioAtTick(tick + 1) - low) * part) >> 16n);
  const depth = depthUsd(universe, pool);
  const whole = Math.max(1000, (depth / 2) * Math.sqrt(perUsd[0] * perUsd[1]));
  const table = tableOf(universe, pool, { tick, spacing: tickSpacing, whole });
  const liquidity = table.ticks.reduce((sum, at, k) => (at <= tick ? sum + table.nets[k]! : sum), 0n);
  return { ...none, sqrtPriceX96, tick, liquidity, ...table };
}

type Around = { readonly tick: number; readonly spacing: number; readonly whole: number };

function tableOf(universe: Universe, pool: number, { tick, spacing, whole }: Around) {
  const { seed } = universe;
  const most = [40, 9, 2][universe.rank(pool)] as number;
  const positions = FULL + Math.floor(unit(seed, pool, 16) * most);
  const changes = new Map<number, { net: bigint; gross: bigint }>();
  const add = (at: number, net: bigint) => {
    const old = changes.get(at) ?? { net: 0n, gross: 0n };
    changes.set(at, { net: old.net + net, gross: old.gross + (net < 0n ? -net : net) });
  };
  for (let k = 0; k < positions; k++) {
    const { lower, upper } = positionOf(universe, pool, { k, tick, spacing });
    const liquidity = BigInt(Math.floor(whole * (k === 0 ? 1 : 0.2 + unit(seed, pool, k, 17))));
    add(lower, liquidity);
    add(upper, -liquidity);
  }
  // A tick at which as much begins as ends is initialised all the same: its gross liquidity is above 0.
  const ticks = [...changes.keys()].sort((x, y) => x - y);
  return {
    ticks,
    nets: ticks.map((at) => changes.get(at)!.net),
    grosses: ticks.map((at) => changes.get(at)!.gross),
  };
}

/** The ends of the k-th position of a pool: 0 spans every tick. */
export function positionOf(
  { seed }: Universe,
  pool: number,
  { k, tick, spacing }: { readonly k: number; readonly tick: number; readonly spacing: number },
): { readonly lower: number; readonly upper: number } {
  const end = Math.floor(MAX_TICK / spacing) * spacing;
  if (k === 0) return { lower: -end, upper: end };
  const width = Math.floor(10 ** (1.5 + unit(seed, pool, k, 18) * 2.4));
  const below = Math.floor((tick - width * unit(seed, pool, k, 19)) / spacing) * spacing;
  const lower = Math.max(-end, Math.min(end - spacing, below));
  return { lower, upper: Math.min(end, lower + Math.max(1, Math.ceil(width / spacing)) * spacing) };
}
