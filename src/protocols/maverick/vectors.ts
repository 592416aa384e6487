import {
  asked,
  complaint,
  type Fields,
  integer,
  NotUnderstood,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { type Bin, buy, type State, sell } from "./state.ts";

const NEEDED = ["fee", "protocFeeRatio", "tick", "bins", "binPosMap", "tickSpacing"];
/** Fields that repeat the data of the bins and their positions. */
const DERIVED = ["binMap", "liquidity", "sqrtPriceX96", "reserves", "swapFee"];

/** The bins of the ticks. Only bins that have a position are used. */
function binsOf(state: Fields): Bin[] {
  const ticks = Object.entries(state.binPosMap as Record<string, Record<string, unknown>>);
  const found = ticks.flatMap(([tick, kinds]) =>
    Object.values(kinds).map((id) => {
      const bin = (state.bins as Fields)[String(id)];
      const { rA, rB } = understood(bin, ["rA", "rB"], ["lT", "k"]);
      return { tick: Number(tick), a: integer(rA), b: integer(rB) };
    }),
  );
  return found.sort((one, other) => one.tick - other.tick);
}

/** @throws NotUnderstood if a token has more than 18 decimals */
export function stateOf(vector: Vector): State {
  const state = understood(vector.state, NEEDED, DERIVED);
  const scales = (vector.pool.tokens as readonly Fields[]).map(({ decimals }) => 18n - integer(decimals));
  const [a, b] = scales;
  if (a === undefined || b === undefined || a < 0n || b < 0n)
    throw new NotUnderstood("more than 18 decimals");
  return {
    fee: integer(state.fee),
    protocolFeeRatio: integer(state.protocFeeRatio),
    tickSpacing: Number(integer(state.tickSpacing)),
    activeTick: Number(integer(state.tick)),
    bins: binsOf(state),
    scales: [10n ** a, 10n ** b],
    // Recorded swaps follow one another on bins that do not move.
    ...{ follows: false, isSettled: true },
  };
}

export const suite: VectorSuite = {
  names: ["maverick-v1"],
  open(vector) {
    let state = stateOf(vector);
    return (swap) => {
      const trade = swap.kind === "exactIn" ? sell : buy;
      const done = trade(state, tokenIndex(vector, swap.tokenIn), asked(swap));
      if (vector.sequential && done !== undefined) state = done.next;
      const { activeTickAfter } = swap.fields;
      if (activeTickAfter !== undefined && Number(activeTickAfter) !== done?.next.activeTick)
        return `expected tick ${activeTickAfter}, got ${done?.next.activeTick}`;
      return complaint(swap, done);
    };
  },
};
