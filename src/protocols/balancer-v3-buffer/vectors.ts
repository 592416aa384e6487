import { ONE } from "../../core/math/fixed-point.ts";
import {
  asked,
  complaint,
  integer,
  type Trial,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
  type VectorSwap,
} from "../swapvec.ts";
import { swapBuffer } from "./swap.ts";

/**
 * Recorded rates are rounded to as many digits as the asset has decimals, hence this relative tolerance (1/500,000).
 */
const RATE_SLACK = 500_000n;

/** The expected amount if the answer is within the rate's precision of it, else the answer. */
function withinRate(answer: bigint, expected: bigint): bigint {
  const off = answer > expected ? answer - expected : expected - answer;
  return off <= 2n || off * RATE_SLACK <= expected ? expected : answer;
}

function answerOf(asking: VectorSwap, amount: bigint, answer: bigint) {
  return asking.kind === "exactIn"
    ? { amountIn: amount, amountOut: withinRate(answer, asking.amountOut ?? 0n) }
    : { amountIn: withinRate(answer, asking.amountIn ?? 0n), amountOut: amount };
}

/** The wrapper is the first of the two tokens; the rate is the worth of 10^18 of its units. */
function openBuffer(vector: Vector): Trial {
  const { rate } = understood(vector.state, ["rate"]);
  const conversion = { assets: integer(rate), shares: ONE };
  return (asking) => {
    const amount = asked(asking);
    const side = asking.kind === "exactIn" ? "in" : "out";
    const direction = tokenIndex(vector, asking.tokenOut) === 0 ? "wrap" : "unwrap";
    const answer = swapBuffer(conversion, { direction, amount, side });
    if (answer === undefined) return complaint(asking, undefined);
    return complaint(asking, answerOf(asking, amount, answer));
  };
}

/** Answers of the vault's queries, which ignore stocks. */
export const suite: VectorSuite = { names: ["balancer-v3-buffer"], open: openBuffer };
