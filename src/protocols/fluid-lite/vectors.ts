import type { Address } from "../../core/types.ts";
import {
  asked,
  complaint,
  integer,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { subjectOf } from "./arbitrary.ts";
import { fluidLite } from "./index.ts";
import type { State } from "./state.ts";
import { swapOut } from "./swap.ts";

/** Of the words of the pool, as one source abbreviates them: variables, and the shifts of the centre price, of ranges and of thresholds. */
const OPTIONAL = ["pS", "rS", "tS", "nP"];

function stateOf({ state }: Vector): State {
  const { pS: words } = understood(state, ["pS"], Object.keys(state));
  const { dV, ...others } = understood(words, ["dV"], OPTIONAL);
  const [centerShift, rangeShift, thresholdShift, named] = OPTIONAL.map((name) =>
    others[name] === undefined ? 0n : integer(others[name]),
  ) as [bigint, bigint, bigint, bigint];
  return {
    contract: "0x00000000000000000000000000000000000000f1",
    variables: integer(dV),
    ...{ centerShift, rangeShift, thresholdShift, named },
    readAt: 1,
    isClosed: false,
  };
}

export const suite: VectorSuite = {
  names: ["fluid-dex-lite"],
  open(vector) {
    const state = stateOf(vector);
    const subject = subjectOf(state, vector.tokens as Address[]);
    const timestamp = Number(integer(vector.pool.timestamp));
    const at = { blockNumber: 1, timestamp };
    return (swap) => {
      const [i, j] = [tokenIndex(vector, swap.tokenIn), tokenIndex(vector, swap.tokenOut)];
      const amount = asked(swap);
      if (swap.kind === "exactIn")
        return complaint(swap, fluidLite.quote(subject.states, subject.pool, i, j, amount, "in", at));
      const amountIn = swapOut(state, i, amount, timestamp);
      return complaint(swap, amountIn === undefined ? undefined : { amountIn, amountOut: amount });
    };
  },
};
