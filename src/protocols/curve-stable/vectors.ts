import {
  asked,
  complaint,
  type Fields,
  integer,
  list,
  tokenIndex,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { getDx, getDy } from "./exchange.ts";
import type { RoundingName, State } from "./state.ts";

const NEEDED = ["balances", "aPrecision", "fee", "adminFee", "rates"];
const OPTIONAL = [
  ...["amp", "A", "ramp", "initialA", "futureA", "initialATime", "futureATime"],
  ...["lpSupply", "lpToken", "offpegFeeMultiplier"],
];

/** Of the contracts that these vectors were read from. */
function roundingOf(vector: Vector, aPrecision: bigint): RoundingName {
  if (vector.protocol !== "curve-stable-plain") return "together";
  return aPrecision === 1n ? "early" : "base";
}

/** Amplification is taken as it is given; a ramp beside it counts where it lasts beyond the vector's time. */
function rampOf(fields: Fields, timestamp: number): State["ramp"] {
  const now = integer(fields.amp ?? fields.A);
  const ramp = fields.ramp === undefined ? fields : understood(fields.ramp, RAMP);
  const [initialTime, futureTime] = [Number(ramp.initialATime ?? 0), Number(ramp.futureATime ?? 0)];
  if (timestamp >= futureTime) return { initialA: now, futureA: now, initialTime: 0, futureTime: 0 };
  return { initialA: integer(ramp.initialA), futureA: integer(ramp.futureA), initialTime, futureTime };
}

const RAMP = ["initialA", "futureA", "initialATime", "futureATime"];

function stateOf(vector: Vector, timestamp: number): State {
  const fields = understood(vector.state, NEEDED, OPTIONAL);
  const aPrecision = integer(fields.aPrecision);
  return {
    rounding: roundingOf(vector, aPrecision),
    balances: list(fields.balances).map(integer),
    rates: list(fields.rates).map(integer),
    ramp: rampOf(fields, timestamp),
    aPrecision,
    fee: integer(fields.fee),
    adminFee: integer(fields.adminFee),
    offpegFeeMultiplier: integer(fields.offpegFeeMultiplier ?? 0),
    lpSupply: integer(fields.lpSupply ?? 0),
    onlyIn: 0,
  };
}

/** Answers of the views: `get_dy`, and `get_dx` for what is bought. */
export const curveStableVectors: VectorSuite = {
  names: ["curve-stable-plain", "curve-stable-ng", "pancake-infinity-stable-hook (StableSwap NG maths)"],
  open(vector) {
    const timestamp = Number(vector.pool.timestamp ?? Number.MAX_SAFE_INTEGER);
    const state = stateOf(vector, timestamp);
    return (swap) => {
      const amount = asked(swap);
      const [i, j] = [tokenIndex(vector, swap.tokenIn), tokenIndex(vector, swap.tokenOut)];
      const answer = (swap.kind === "exactIn" ? getDy : getDx)(state, { i, j, dx: amount, timestamp });
      if (answer === undefined || answer === 0n) return complaint(swap, undefined);
      const [amountIn, amountOut] = swap.kind === "exactIn" ? [amount, answer] : [answer, amount];
      return complaint(swap, { amountIn, amountOut });
    };
  },
};
