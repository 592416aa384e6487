import fc from "fast-check";
import { expect } from "vitest";
import { type Earning, earningOf } from "../../../core/routing/certificate/earning/earning.ts";
import { emptyCertificateMemory } from "../../../core/routing/certificate/memory.ts";
import { emptyGraph } from "../../../core/routing/market-graph/graph.ts";
import { patchGraph } from "../../../core/routing/market-graph/update.ts";
import type { Address, Fill, Pool } from "../../../core/types.ts";
import { curveStable } from "../index.ts";
import type { State } from "../state.ts";
import { LP_TOKEN, NOW, type PoolGroup } from "./group.fixture.ts";

/** Gains of exact consecutive swaps over any pairs of several pools, and the certificate's bound on them. */

const MOST_SWAPS = 6;
const WRAPPED = `0x${"99".repeat(20)}` as const;
const at = { blockNumber: 1, timestamp: NOW };
/** Size of the sale that determines prices, as a fraction of the balance. */
const TINY = 1e-6;

type States = ReadonlyMap<string, State>;
type Crossing = { readonly pool: Pool; readonly i: number; readonly j: number };
export type Prices = ReadonlyMap<Address, number>;

const mirrorOf = (pool: Pool, states: States) =>
  curveStable.mirror(states.get(pool.stateIds[0])!, pool, at, states);

const isOwnLp = ({ tokens, stateIds }: Pool, k: number) => stateIds.length > 1 && tokens[k] === LP_TOKEN;

/** Balance that backs a token: the base pool's coins for a metapool, the wrapped coin for a lending pool. */
function heldOf({ stateIds: [id, base] }: Pool, states: States, k: number): number {
  const own = states.get(id)!.balances;
  return Number(own[k] ?? states.get(base ?? id)!.balances[k - own.length]);
}

/** Price of a token in another, the geometric mean of both directions. */
export function middle(pool: Pool, states: States, i: number, j: number): number {
  const mirror = mirrorOf(pool, states);
  const [x, y] = [heldOf(pool, states, i) * TINY, heldOf(pool, states, j) * TINY];
  const [there, back] = [
    curveStable.quoteFloat(mirror, i, j, x) / x,
    curveStable.quoteFloat(mirror, j, i, y) / y,
  ];
  return Math.sqrt(there / back);
}

function crossingsOf({ pools }: PoolGroup): Crossing[] {
  return pools.flatMap((pool) =>
    [...pool.tokens.keys()].flatMap((i) =>
      [...pool.tokens.keys()].flatMap((j) => (i === j ? [] : [{ pool, i, j }])),
    ),
  );
}

/** The amount with the largest gain: the best of many sizes, refined between its neighbours. */
function best({ pool, i, j }: Crossing, states: States, prices: Prices): { amount: number; gain: number } {
  const mirror = mirrorOf(pool, states);
  const [paid, cost] = [prices.get(pool.tokens[j]!)!, prices.get(pool.tokens[i]!)!];
  const gainOf = (x: number) => paid * curveStable.quoteFloat(mirror, i, j, x) - cost * x;
  const held = heldOf(pool, states, i);
  let [gain, place] = [0, Number.NaN];
  for (let k = -6; k < 40; k++) {
    const found = gainOf(held * 2 ** -k);
    if (found > gain) [gain, place] = [found, -k];
  }
  if (gain === 0) return { amount: 0, gain };
  let [low, high] = [place - 1, place + 1];
  for (let k = 0; k < 40; k++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (gainOf(held * 2 ** a) > gainOf(held * 2 ** b)) high = b;
    else low = a;
  }
  return { amount: held * 2 ** low, gain: gainOf(held * 2 ** low) };
}

/**
 * A step: the crossing (undefined = the best of all), and the fraction of its best amount, or of the balance if
 * `isBlind`.
 */
type Step = { readonly crossing: number | undefined; readonly share: number; readonly isBlind: boolean };

/** State of the pools between swaps, and LP tokens available for sale. */
type Between = { readonly states: Map<string, State>; lp: bigint };

/** The crossing with the largest gain among those allowed for a step, and its amount. */
function chosen(asked: readonly Crossing[], { states, lp }: Between, prices: Prices, step: Step) {
  const { share, isBlind } = step;
  const [next] = asked
    .filter(({ pool, i }) => lp > 0n || !isOwnLp(pool, i))
    .map((one) => ({ ...one, ...best(one, states, prices) }))
    .sort((a, b) => b.gain - a.gain);
  if (next === undefined) return undefined;
  const { pool, i } = next;
  const size = BigInt(Math.floor((isBlind ? heldOf(pool, states, i) : next.amount) * share));
  return { ...next, amount: isOwnLp(pool, i) && size > lp ? lp : size };
}

/** Executes an exact swap; undefined if the pool refuses it. */
function crossed(between: Between, { pool, i, j }: Crossing, amount: bigint): Fill | undefined {
  const fill = amount > 0n ? curveStable.quote(between.states, pool, i, j, amount, "in", at) : undefined;
  if (fill === undefined) return undefined;
  for (const [id, state] of fill.writes) between.states.set(id, state as State);
  if (isOwnLp(pool, i)) between.lp -= fill.amountIn;
  if (isOwnLp(pool, j)) between.lp += fill.amountOut;
  return fill;
}

/** Gain of consecutive swaps, and the amount traded. @param others LP tokens available from elsewhere */
export function swapped(group: PoolGroup, prices: Prices, steps: readonly Step[], others: bigint) {
  const between: Between = { states: new Map(group.states), lp: others };
  const all = crossingsOf(group);
  let [gained, traded, most] = [0, 0, 0];
  for (const step of steps) {
    const asked = step.crossing === undefined ? all : [all[step.crossing % all.length]!];
    const next = chosen(asked, between, prices, step);
    const fill = next && crossed(between, next, next.amount);
    if (fill === undefined) continue;
    const { pool, i, j } = next!;
    const paid = prices.get(pool.tokens[i]!)! * Number(fill.amountIn);
    traded += paid;
    gained += prices.get(pool.tokens[j]!)! * Number(fill.amountOut) - paid;
    // LP tokens that nobody else buys are worth nothing at the end.
    const unsold = others > 0n ? 0 : Number(between.lp) * (prices.get(LP_TOKEN) ?? 0);
    most = Math.max(most, gained - unsold);
  }
  return { gained: most, traded };
}

/** The certificate's bound. @param isLpSold whether an order sells the base pool's LP tokens */
export function certified(
  { pools, states }: PoolGroup,
  prices: Prices,
  isLpSold = false,
): Earning | undefined {
  const graph = emptyGraph(new Map([["curve-stable", curveStable]]), WRAPPED);
  patchGraph(graph, { pools, removed: [] }, { get: (id) => states.get(id) }, at);
  const memory = emptyCertificateMemory();
  const byNode = new Map([...prices].map(([token, price]) => [graph.nodeOf.get(token), price]));
  const ends = isLpSold ? [graph.nodeOf.get(LP_TOKEN)!] : [];
  const price = (node: number) => byNode.get(node) ?? 0;
  const found = earningOf({ graph, memory, at, allowed: () => true, price, perGas: 0, enough: 0, ends }, 0);
  expect(memory.threw).toBe(0);
  return found;
}

/** Steps that always take the best crossing. */
export const GREEDY: readonly Step[] = Array.from({ length: MOST_SWAPS + 2 }, () => ({
  crossing: undefined,
  share: 1,
  isBlind: false,
}));

export const steps: fc.Arbitrary<readonly Step[]> = fc.oneof(
  fc.constant(GREEDY),
  fc.array(
    fc.record({
      crossing: fc.option(fc.nat(), { nil: undefined }),
      share: fc.double({ min: 1e-3, max: 1, noNaN: true }),
      isBlind: fc.constantFrom(false, false, true),
    }),
    { minLength: 1, maxLength: MOST_SWAPS },
  ),
);
