/** A bin that follows the price: kind 1 upwards, 2 downwards, 3 both ways. Of bins of kind 0 only the tick is needed. */
export type Mover = {
  readonly id: number;
  readonly kind: number;
  /** Its share of the tick's `supply`. */
  readonly balance: bigint;
  /** Its own shares. */
  readonly supply: bigint;
};

/** What lies in a tick. Reserves have 18 digits, whatever the tokens' decimals. */
export type Tick = {
  readonly tick: number;
  readonly a: bigint;
  readonly b: bigint;
  /** Shares of all bins of the tick. */
  readonly supply: bigint;
  /** Ascending by kind, at most one of each. */
  readonly movers: readonly Mover[];
};

/** A pool with the ticks of a window. */
export type State = {
  /** Of a sale of A and of a sale of B, 18 digits. */
  readonly fees: readonly [bigint, bigint];
  /** Thousandths of the fee. */
  readonly protocolFeeRatio: bigint;
  readonly tickSpacing: number;
  /** Seconds over which the price is weighted. */
  readonly lookback: bigint;
  /** Factors that convert amounts of token A and token B to 18 digits. */
  readonly scales: readonly [bigint, bigint];
  readonly activeTick: number;
  /** The known ticks; those outside are unknown. */
  readonly first: number;
  readonly last: number;
  /** Ticks of the window that are not empty, ascending. */
  readonly ticks: readonly Tick[];
  /** Time-weighted position of the price, and its last position: ticks times 10^8. */
  readonly weighted: bigint;
  readonly position: bigint;
  /** Unix seconds of both. */
  readonly time: number;
  /**
   * False after a swap whose moves of bins are not known, because they lie outside the window or depend on the time of
   * execution: the state cannot be priced again before it is read.
   */
  readonly isSettled: boolean;
};

/** Reserves and shares are 128 bits wide. */
export const MAX_AMOUNT = 2n ** 128n - 1n;

/** Whether a bin of the window follows the price. */
export const follows = ({ ticks }: State): boolean => ticks.some(({ movers }) => movers.length > 0);

/** Whether a tick has no reserves and no bins. */
export const isEmpty = ({ a, b, supply, movers }: Tick): boolean =>
  a === 0n && b === 0n && supply === 0n && movers.length === 0;

/** The ticks with one of them replaced; an empty one is left out. */
export function withTick(ticks: readonly Tick[], changed: Tick): readonly Tick[] {
  const at = ticks.findIndex(({ tick }) => tick >= changed.tick);
  const from = at < 0 ? ticks.length : at;
  const replaced = ticks[from]?.tick === changed.tick ? 1 : 0;
  return [...ticks.slice(0, from), ...(isEmpty(changed) ? [] : [changed]), ...ticks.slice(from + replaced)];
}

/** What lies in a tick of the window. */
export function tickAt(ticks: readonly Tick[], tick: number): Tick {
  return ticks.find((one) => one.tick === tick) ?? { tick, a: 0n, b: 0n, supply: 0n, movers: [] };
}

/** `from` if it has reserves, else the next tick that has some: upwards if A is sold. */
export function nextTick({ ticks }: State, from: number, sellsA: boolean): Tick | undefined {
  const has = ({ a, b }: Tick) => a > 0n || b > 0n;
  if (sellsA) return ticks.find((one) => one.tick >= from && has(one));
  return ticks.findLast((one) => one.tick <= from && has(one));
}
