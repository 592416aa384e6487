/** Initialised ticks of a pool of concentrated liquidity, as plain data. */
export type TickTable = {
  /** Ascending, each a multiple of the spacing. */
  readonly ticks: readonly number[];
  /** Liquidity added when the price crosses the tick upwards, taken away downwards; one for each tick. */
  readonly nets: readonly bigint[];
  /** Every initialised tick of `lowest` … `highest` is in the table; nothing is known beyond. */
  readonly lowest: number;
  readonly highest: number;
};

/** A table whose ticks are kept up to date: a tick vanishes with the last liquidity that refers to it. */
export type LiveTickTable = TickTable & {
  /** Liquidity of all positions that begin or end at the tick, > 0; one for each tick. */
  readonly grosses: readonly bigint[];
};

/** How many ticks of the table are at or below `tick`. */
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
 * The last tick of the bitmap word in which the contract looks for the next initialised one, going down from `tick`
 * (included) or up from it (not included). Words hold 256 ticks; at their ends a swap pauses and rounds.
 *
 * @source Uniswap/v4-core src/libraries/TickBitmap.sol nextInitializedTickWithinOneWord
 */
export function wordEdge(tick: number, spacing: number, down: boolean): number {
  const compressed = Math.floor(tick / spacing);
  return (down ? (compressed >> 8) << 8 : (((compressed + 1) >> 8) << 8) + 255) * spacing;
}

/** A position of `liquidity` from `lower` to `upper`; negative when it is taken away. */
export type PositionChange = { readonly lower: number; readonly upper: number; readonly liquidity: bigint };

/**
 * The table after a position was changed. Ticks beyond the known window are left out, as they were before.
 *
 * @returns undefined where more is taken away than the table knows of: it is not the pool's
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
