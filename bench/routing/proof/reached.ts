import type { Pool } from "../../../src/core/types.ts";
import type { Board, Edge } from "../orders/board.ts";

/** What a pool earns over the swaps of one direction, or, of more than two coins, over any; with the gas of its leg. */
export type Earner = {
  readonly pool: Pool;
  /** The direction; undefined for pools of several coins. */
  readonly edge: Edge | undefined;
  /** In all, and after the gas of the ticks that it crosses for it. */
  readonly gain: number;
  readonly paidTicks: number;
  readonly gas: number;
};

type Asked = {
  readonly from: number;
  readonly to: number;
  readonly most: number;
  /** Units of the token bought that a unit of gas costs. */
  readonly gasOut: number;
  /** A gain as small as this need not be lowered further. */
  readonly enough: number;
};

/** How many values between those next to the best are tried after them. */
const BETWEEN = 24;
/** How many of the largest earnings are tried as what a further leg is worth, and as what two and three legs are. */
const TRIED = 40;

/**
 * The most that the legs of a route earn after gas, in units of the token bought. Each leg is charged with what a further leg is
 * worth, and all of them are given back for the number allowed. What earners bring counts less the cheapest leg by which
 * a token that they only sell is bought, or one that they only buy is sold; what is not charged so comes off for the cheapest path.
 */
export function reachedGain(board: Board, earners: readonly Earner[], asked: Asked): number {
  const after = earners.map(({ paidTicks, gas }) => paidTicks - gas * asked.gasOut);
  const worths = [0, ...after.filter((gain) => gain > 0).sort((a, b) => b - a)];
  const tried = worths.slice(0, TRIED).flatMap((worth) => [worth, worth / 2, worth / 3]);
  let [least, best] = [Number.POSITIVE_INFINITY, 0];
  for (const worth of tried) {
    if (least <= asked.enough) return least;
    const gain = gainAt(board, earners, asked, worth);
    if (gain < least) [least, best] = [gain, worth];
  }
  const from = Math.max(0, ...tried.filter((worth) => worth < best));
  const to = Math.min(2 * best, ...tried.filter((worth) => worth > best));
  for (let k = 0; k < BETWEEN && least > asked.enough; k++)
    least = Math.min(least, gainAt(board, earners, asked, from + ((to - from) * k) / BETWEEN));
  return least;
}

function gainAt(board: Board, earners: readonly Earner[], asked: Asked, worth: number): number {
  const { from, to, most, gasOut } = asked;
  const byPool = new Map(earners.map((one) => [one.pool, one]));
  // What each leg brings, or costs where it is negative.
  const brings = board.edges.map((edge) => {
    const one = byPool.get(edge.pool);
    const earns = one !== undefined && (one.edge === undefined || one.edge === edge);
    return (earns ? one.paidTicks : 0) - edge.gas * gasOut - worth;
  });
  const [sold, bought] = [new Set<number>([to]), new Set<number>([from])];
  for (const [k, { tail, head }] of board.edges.entries()) {
    if (!(brings[k]! > 0)) continue;
    sold.add(tail);
    bought.add(head);
  }
  const isUnbought = (node: number) => sold.has(node) && !bought.has(node) && node !== to;
  const isUnsold = (node: number) => bought.has(node) && !sold.has(node) && node !== from;
  const charges = chargesOf(board, brings, { isUnbought, isUnsold, poolAt: onlyPools(board, brings) });
  const ofToken = new Map<number, number>();
  let sum = worth > 0 ? worth * most : 0;
  for (const one of earners) {
    const gain = one.paidTicks - one.gas * gasOut - worth;
    if (!(gain > 0)) continue;
    const { edge } = one;
    const ends =
      edge === undefined ? [] : [...[edge.tail].filter(isUnbought), ...[edge.head].filter(isUnsold)];
    if (ends.length === 0) sum += gain;
    for (const end of ends) ofToken.set(end, (ofToken.get(end) ?? 0) + gain / ends.length);
  }
  for (const [token, gain] of ofToken) {
    charges[token] = Math.min(gain, charges[token]!);
    sum += gain - charges[token]!;
  }
  const left = board.edges.map(({ tail, head }, k) => {
    const charged = (isUnsold(tail) ? charges[tail]! : 0) + (isUnbought(head) ? charges[head]! : 0);
    return Math.max(0, Math.max(0, -brings[k]!) - charged);
  });
  return sum - cheapestPath(board, asked, left);
}

type Open = {
  readonly isUnbought: (node: number) => boolean;
  readonly isUnsold: (node: number) => boolean;
  /** By token, the only pool that earns there; undefined where there are several. */
  readonly poolAt: ReadonlyMap<number, Pool | undefined>;
};

function onlyPools({ edges }: Board, brings: readonly number[]): Map<number, Pool | undefined> {
  const pools = new Map<number, Pool | undefined>();
  for (const [k, { tail, head, pool }] of edges.entries())
    for (const token of brings[k]! > 0 ? [tail, head] : [])
      pools.set(token, pools.has(token) && pools.get(token) !== pool ? undefined : pool);
  return pools;
}

/**
 * By token, the cheapest leg by which it is bought, or sold if that is what is missing; halved where it serves two tokens. The one pool
 * that earns there does not count: what is bought from it and sold to it earns nothing.
 */
function chargesOf(
  { edges, tokens }: Board,
  brings: readonly number[],
  { isUnbought, isUnsold, poolAt }: Open,
) {
  const charges = new Float64Array(tokens.length).fill(Number.POSITIVE_INFINITY);
  for (const [k, { tail, head, pool }] of edges.entries()) {
    const cost = Math.max(0, -brings[k]!);
    const share = isUnsold(tail) && isUnbought(head) ? cost / 2 : cost;
    if (isUnsold(tail) && poolAt.get(tail) !== pool) charges[tail] = Math.min(charges[tail]!, share);
    if (isUnbought(head) && poolAt.get(head) !== pool) charges[head] = Math.min(charges[head]!, share);
  }
  return charges;
}

/** The least sum of costs along a path between the ends, by rounds over all edges until nothing changes; 0 where there is none. */
function cheapestPath({ edges, tokens }: Board, { from, to }: Asked, costs: readonly number[]): number {
  const least = new Float64Array(tokens.length).fill(Number.POSITIVE_INFINITY);
  least[from] = 0;
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [k, { tail, head }] of edges.entries()) {
      const reached = least[tail]! + costs[k]!;
      if (!(reached < least[head]!)) continue;
      least[head] = reached;
      isChanged = true;
    }
  }
  return Number.isFinite(least[to]!) ? least[to]! : 0;
}
