import { wordEdge } from "../../core/math/concentrated/tick-table.ts";
import { divideUp } from "../../core/math/fixed-point.ts";
import { type Fill, fillOrder, fillRangeDown, fillRangeUp, type Way } from "./range.ts";
import { countUpTo, lastPoint, MAX_AMOUNT, type Mark, markAt, type State, withMark } from "./state.ts";

const PPM = 1_000_000n;

/** A swap as the pool is asked for it. */
export type Asked = Way & {
  readonly amount: bigint;
  /** The last point of a sale of X; the point after the last of a sale of Y. */
  readonly limit: number;
};

/**
 * What a swap did: endpoints of liquidity that it crossed, limit orders that it filled, words of the bitmap that it passed in
 * liquidity, and words that it passed without any.
 */
export type Work = {
  readonly crossed: number;
  readonly orders: number;
  readonly words: number;
  readonly gaps: number;
};

/** What the pool answers, and the state that it leaves. */
export type Answered = {
  /** Input that the pool asks for, fee included. */
  readonly taken: bigint;
  readonly paid: bigint;
  /** Whether nothing is left of the amount that buys a unit; false if the limit was reached before. */
  readonly isDone: boolean;
  readonly work: Work;
  readonly next: State;
};

/** A swap under way. */
type Run = {
  readonly asked: Asked;
  readonly state: State;
  left: bigint;
  taken: bigint;
  paid: bigint;
  isDone: boolean;
  /** Whether the contract reverts, or comes to points that are not known. */
  isLost: boolean;
  point: number;
  liquidity: bigint;
  liquidityX: bigint;
  marks: readonly Mark[];
  crossed: number;
  orders: number;
  words: number;
  gaps: number;
};

const startOf = (state: State, asked: Asked): Run => ({
  ...{ asked, state, left: asked.amount, taken: 0n, paid: 0n, isDone: false, isLost: false },
  ...{ point: state.point, liquidity: state.liquidity, liquidityX: state.liquidityX, marks: state.marks },
  ...{ crossed: 0, orders: 0, words: 0, gaps: 0 },
});

/** What is left of the amount without the fee of a fill; 0n ends the swap. */
function netOf({ asked, state, left }: Run): bigint {
  return asked.isOutput ? left : (left * (PPM - BigInt(state.feePpm))) / PPM;
}

/** Charges a fill and its fee on top; where a fill takes all that was left, the fee is the rest. */
function charge(run: Run, net: bigint, { cost, paid }: Fill): void {
  const fee = BigInt(run.state.feePpm);
  const takesAll = !run.asked.isOutput && cost >= net;
  const total = takesAll ? run.left : cost + divideUp(cost * fee, PPM - fee);
  run.taken += total;
  run.paid += paid;
  const used = run.asked.isOutput ? paid : total;
  run.left = used < run.left ? run.left - used : 0n;
}

/** Fills the limit orders of the present point. */
function passOrders(run: Run): void {
  const { asked, marks, point } = run;
  const mark = markAt(marks, point);
  if (mark === undefined || (mark.sellsX === 0n && mark.sellsY === 0n)) return;
  const net = netOf(run);
  if (net === 0n) {
    run.isDone = true;
    return;
  }
  const selling = asked.sellsX ? mark.sellsY : mark.sellsX;
  const fill = fillOrder(point, asked, net, selling);
  if (fill === undefined) {
    run.isLost = true;
    return;
  }
  run.isDone = asked.isOutput ? fill.paid >= net : fill.paid < selling || fill.cost >= net;
  charge(run, net, fill);
  if (fill.paid === 0n) return;
  run.orders++;
  const left = selling - fill.paid;
  run.marks = withMark(marks, { ...mark, ...(asked.sellsX ? { sellsY: left } : { sellsX: left }) });
}

/** Fills liquidity from the present point to `end`. */
function passRange(run: Run, end: number): void {
  const net = netOf(run);
  if (net === 0n) {
    run.isDone = true;
    return;
  }
  const fill = (run.asked.sellsX ? fillRangeDown : fillRangeUp)(run, end, run.asked.isOutput, net);
  charge(run, net, fill);
  run.isDone = fill.isDone;
  run.point = fill.point;
  run.liquidityX = fill.liquidityX;
}

/** Goes on to `end`, a mark, the end of a word of the bitmap, or the limit. */
function goTo(run: Run, end: number): void {
  const hasLiquidity = run.liquidity > 0n;
  if (hasLiquidity) passRange(run, end);
  else run.point = end;
  if (run.point !== end || markAt(run.marks, end) !== undefined) return;
  if (hasLiquidity) run.words++;
  else run.gaps++;
}

/** Leaves an endpoint downwards, after its own liquidity. */
function leaveDown(run: Run, { delta }: Mark): void {
  if (run.liquidity > 0n) passRange(run, run.point);
  else if (netOf(run) === 0n) run.isDone = true;
  if (run.isDone) return;
  run.crossed++;
  run.liquidity -= delta;
  run.point--;
  run.liquidityX = 0n;
}

/** The next mark below or at `from`, or the end of its word of the bitmap. */
function nextDown({ marks, state }: Run, from: number): number {
  const edge = wordEdge(from, state.spacing, true);
  return Math.max(marks[countUpTo(marks, from) - 1]?.point ?? edge, edge);
}

/** The next mark above `from`, or the end of its word. */
function nextUp({ marks, state }: Run, from: number): number {
  const edge = wordEdge(from, state.spacing, false);
  return Math.min(marks[countUpTo(marks, from)]?.point ?? edge, edge);
}

/** One round of a sale of X. @source izumiFinance/iZiSwap-core `3e8f627` contracts/swapX2Y.sol */
function stepDown(run: Run, limit: number): void {
  passOrders(run);
  if (run.isDone || run.isLost) return;
  const from = run.point - 1;
  const mark = markAt(run.marks, run.point);
  if (mark?.isEndpoint) leaveDown(run, mark);
  if (run.isDone || run.point < limit) return;
  const end = Math.max(nextDown(run, from), limit);
  if (end < run.state.lowest) run.isLost = true;
  else goTo(run, end);
}

/** One round of a sale of Y. @source as `stepDown`, contracts/swapY2X.sol */
function stepUp(run: Run, limit: number): void {
  passOrders(run);
  if (run.isDone || run.isLost) return;
  const end = Math.min(nextUp(run, run.point), limit);
  if (end > run.state.highest) {
    run.isLost = true;
    return;
  }
  const hasLiquidity = run.liquidity > 0n;
  goTo(run, end);
  if (run.point !== end) return;
  const mark = markAt(run.marks, end);
  if (mark?.isEndpoint) {
    run.crossed++;
    run.liquidity += mark.delta;
  }
  if (hasLiquidity || mark?.isEndpoint) run.liquidityX = run.liquidity;
}

function sellX(run: Run, limit: number): void {
  while (run.point >= limit && !run.isDone && !run.isLost) {
    stepDown(run, limit);
    if (run.point === limit) return;
  }
}

function sellY(run: Run, limit: number): void {
  while (run.point < limit && !run.isDone && !run.isLost) stepUp(run, limit);
}

/**
 * The pool's swap.
 *
 * @returns undefined if the contract reverts, or the known points do not suffice
 */
export function swap(state: State, asked: Asked): Answered | undefined {
  if (asked.amount <= 0n || asked.amount > MAX_AMOUNT) return undefined;
  const run = startOf(state, asked);
  const last = lastPoint(state.spacing);
  if (asked.sellsX) sellX(run, Math.max(asked.limit, -last));
  else sellY(run, Math.min(asked.limit, last));
  return run.isLost ? undefined : answerOf(run);
}

function answerOf(run: Run): Answered | undefined {
  const { taken, paid, isDone, state, point, liquidity, liquidityX, marks } = run;
  if (paid === 0n || taken === 0n || paid > MAX_AMOUNT || liquidity < 0n) return undefined;
  const { crossed, orders, words, gaps } = run;
  return {
    ...{ taken, paid, isDone, work: { crossed, orders, words, gaps } },
    next: { ...state, point, liquidity, liquidityX, marks },
  };
}
