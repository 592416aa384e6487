import {
  asked,
  complaint,
  integer,
  list,
  NotUnderstood,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { emptyMark, LAST_POINT, type Mark, type State } from "./state.ts";
import { swap } from "./swap.ts";

const NEEDED = [
  "CurrentPoint",
  "PointDelta",
  "Fee",
  "Liquidity",
  "LiquidityX",
  "Liquidities",
  "LimitOrders",
  "LeftMostPt",
  "RightMostPt",
];
/** The recorded swaps were asked for up to so many points from the present one. */
const RECORDED_REACH = 2_000;

type Change = Partial<Pick<Mark, "delta" | "sellsX" | "sellsY">>;

function marksOf(state: Readonly<Record<string, unknown>>): readonly Mark[] {
  const marks = new Map<number, Mark>();
  const put = (point: number, isEndpoint: boolean, change: Change) => {
    const known = marks.get(point) ?? emptyMark(point);
    marks.set(point, { ...known, ...change, isEndpoint: known.isEndpoint || isEndpoint });
  };
  for (const one of list(state.Liquidities)) {
    const { Point, LiqudityDelta } = understood(one, ["Point", "LiqudityDelta"]);
    put(Number(integer(Point)), true, { delta: integer(LiqudityDelta) });
  }
  for (const one of list(state.LimitOrders)) {
    const { Point, SellingX, SellingY } = understood(one, ["Point", "SellingX", "SellingY"]);
    put(Number(integer(Point)), false, { sellsX: integer(SellingX), sellsY: integer(SellingY) });
  }
  return [...marks.values()].sort((one, other) => one.point - other.point);
}

/** @throws NotUnderstood if the fees that it states disagree */
function stateOf({ state: raw }: Vector): State {
  const state = understood(raw, NEEDED, ["reserves", "swapFee"]);
  const number = (name: string) => Number(integer(state[name]));
  if (state.swapFee !== undefined && integer(state.swapFee) !== integer(state.Fee))
    throw new NotUnderstood("two fees");
  return {
    feePpm: number("Fee"),
    spacing: number("PointDelta"),
    point: number("CurrentPoint"),
    liquidity: integer(state.Liquidity),
    liquidityX: integer(state.LiquidityX),
    ...{ lowest: -LAST_POINT, highest: LAST_POINT, marks: marksOf(state) },
  };
}

export const suite: VectorSuite = {
  names: ["iziswap"],
  open(vector) {
    let state = stateOf(vector);
    return (recorded) => {
      const sellsX = tokenIndex(vector, recorded.tokenIn) === 0;
      const isOutput = recorded.kind !== "exactIn";
      const limit = state.point + (sellsX ? -RECORDED_REACH : RECORDED_REACH);
      const done = swap(state, { sellsX, isOutput, amount: asked(recorded), limit });
      if (vector.sequential && done !== undefined) state = done.next;
      const wanted = recorded.fields.remainingAmountOut;
      if (done !== undefined && wanted !== undefined && asked(recorded) - done.paid !== integer(wanted))
        return `expected ${wanted} left to buy, got ${asked(recorded) - done.paid}`;
      return complaint(recorded, done && { amountIn: done.taken, amountOut: done.paid });
    };
  },
};
