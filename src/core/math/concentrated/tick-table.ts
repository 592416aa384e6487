/** Initialised ticks of a concentrated-liquidity pool, as plain data. */
export type TickTable = {
  /** Ascending, each a multiple of the spacing. */
  readonly ticks: readonly number[];
  /** liquidityNet of each tick: added when the price crosses it upwards, subtracted downwards. */
  readonly nets: readonly bigint[];
  /** The table has every initialised tick from `lowest` to `highest`; ticks outside are unknown. */
  readonly lowest: number;
  readonly highest: number;
};

/** A tick table that follows changes of positions: a tick is removed with the last liquidity that refers to it. */
export type LiveTickTable = TickTable & {
  /** liquidityGross of each tick, > 0: liquidity of all positions that begin or end at it. */
  readonly grosses: readonly bigint[];
};

/** Number of ticks at or below `tick`, by binary search. */
export function countUpTo(ticks: readonly number[], tick: number): number {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ticks[middle]! <= tick) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The last tick of the bitmap word in which the contract searches the next initialised tick, downwards from `tick`
 * (included) or upwards (excluded). A word holds 256 ticks; a swap step ends at its last tick, where the contract
 * rounds.
 *
 * @source Uniswap/v4-core src/libraries/TickBitmap.sol nextInitializedTickWithinOneWord
 */
export function wordEdge(tick: number, spacing: number, down: boolean): number {
  const compressed = Math.floor(tick / spacing);
  return (down ? (compressed >> 8) << 8 : (((compressed + 1) >> 8) << 8) + 255) * spacing;
}

/** A change of a position's liquidity between `lower` and `upper`; negative for a removal. */
export type PositionChange = { readonly lower: number; readonly upper: number; readonly liquidity: bigint };

/**
 * The table after a position changed. Ticks outside of `lowest` … `highest` are not recorded. O(ticks).
 *
 * @returns undefined if more liquidity is removed than the table has: it does not match the pool
 * @source Uniswap/v4-core src/libraries/Pool.sol updateTick
 */
export function withPosition<T extends LiveTickTable>(table: T, change: PositionChange): T | undefined {
  const lower = withTick(table, change.lower, { net: change.liquidity, gross: change.liquidity });
  return lower && withTick(lower, change.upper, { net: -change.liquidity, gross: change.liquidity });
}

type TickLiquidity = { readonly net: bigint; readonly gross: bigint };

function withTick<T extends LiveTickTable>(table: T, tick: number, change: TickLiquidity): T | undefined {
  if (tick < table.lowest || tick > table.highest) return table;
  const at = countUpTo(table.ticks, tick - 1);
  const known = table.ticks[at] === tick;
  const gross = (known ? table.grosses[at]! : 0n) + change.gross;
  const net = (known ? table.nets[at]! : 0n) + change.net;
  if (gross < 0n || (gross === 0n && net !== 0n)) return undefined;
  const put = <V>(values: readonly V[], value: V): V[] =>
    gross === 0n ? values.toSpliced(at, Number(known)) : values.toSpliced(at, Number(known), value);
  return {
    ...table,
    ticks: put(table.ticks, tick),
    nets: put(table.nets, net),
    grosses: put(table.grosses, gross),
  };
}
