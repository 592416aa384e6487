import type { Address } from "../../../src/core/types.ts";
import { random } from "../market/random.ts";
import type { Order } from "../market/schema.ts";
import { bestPath } from "../strategies/best-path.ts";
import { type Board, spotValues } from "./board.ts";

/** Sizes as shares of what the shallower end's deepest pool holds. */
const SHARES = [0.0001, 0.001, 0.01, 0.1, 0.3];
/** Ends must hold this much of the native coin, in wei, in their deepest pool: dust pools price nothing. */
const LEAST_DEPTH = 1e17;
const HOPS = 4;

/**
 * Seeded orders between distinct pairs of tokens that some path joins and pays a unit for, at sizes from 0.01 % to 30 % of the depth that
 * the ends have. A third sells a leaf, a third the native coin, a third is between any two.
 */
export function makeOrders(board: Board, { count, seed }: { count: number; seed: number }): Order[] {
  const native = board.nodeOf.get(board.market.native);
  if (native === undefined) return [];
  const rng = random(seed);
  const worth = spotValues(board, native);
  const depth = board.tokens.map((_, node) => depthOf(board, node, worth));
  const deep = [...depth.keys()].filter((node) => depth[node]! >= LEAST_DEPTH && worth[node]! > 0);
  const leaves = deep.filter((node) => board.outgoing[node]!.length === 1);
  const seen = new Set<string>();
  const orders: Order[] = [];
  for (let tries = 0; orders.length < count && tries < count * 50 && deep.length > 1; tries++) {
    const kind = rng.below(3);
    const from = kind === 0 && leaves.length > 0 ? rng.pick(leaves) : kind === 1 ? native : rng.pick(deep);
    const to = rng.pick(deep);
    const share = SHARES[tries % SHARES.length]!;
    const amount = Math.floor((share * Math.min(depth[from]!, depth[to]!)) / worth[from]!);
    if (from === to || seen.has(`${from}-${to}`) || !(amount >= 1) || !pays(board, { from, to, amount }))
      continue;
    seen.add(`${from}-${to}`);
    const [tokenIn, tokenOut] = [board.tokens[from] as Address, board.tokens[to] as Address];
    orders.push({ tokenIn, tokenOut, amountIn: String(BigInt(amount)) });
  }
  return orders;
}

/** Wei that the deepest pool of a token holds of it. */
function depthOf({ incoming }: Board, node: number, worth: Float64Array): number {
  let most = 0;
  for (const { direction, tail } of incoming[node]!) {
    if (worth[tail] === 0) continue;
    // A constant product pays half of what it holds until its price has fallen to a quarter.
    const half = direction.out(direction.amountAt(direction.spot / 4));
    most = Math.max(most, 2 * half * worth[node]!);
  }
  return most;
}

/** Whether a path of up to four pools pays a whole unit, where each pool pays whole units. */
function pays(board: Board, ends: { from: number; to: number; amount: number }): boolean {
  const free = { hops: HOPS, banned: new Set<never>(), gasOut: 0, values: new Float64Array(0) };
  const path = bestPath(board, { ...ends, ...free });
  return (
    path !== undefined &&
    path.reduce((held, { direction }) => Math.floor(direction.out(held)), ends.amount) >= 1
  );
}
