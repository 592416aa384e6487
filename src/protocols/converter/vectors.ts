import {
  integer,
  list,
  NotUnderstood,
  quoteTrial,
  understood,
  type Vector,
  type VectorSuite,
} from "../swapvec.ts";
import { subjectOf } from "./arbitrary.ts";
import { converter } from "./index.ts";

/** Orders the tokens such that one unit of token 0 is worth `rate` units of token 1. */
function simpleRate(vector: Vector): { readonly vector: Vector; readonly rate: bigint } {
  const state = understood(vector.state, ["reserves", "rate", "rateUnit", "isRateInversed"]);
  if (integer(state.rateUnit) !== 1n) throw new NotUnderstood(`rateUnit ${state.rateUnit}`);
  const tokens = state.isRateInversed === true ? [...vector.tokens].reverse() : vector.tokens;
  return { vector: { ...vector, tokens }, rate: integer(state.rate) };
}

function parity(vector: Vector): { readonly vector: Vector; readonly rate: bigint } {
  list(understood(vector.state, ["reserves"]).reserves);
  return { vector, rate: 1n };
}

export const suite: VectorSuite = {
  names: ["dai-usds", "generic-simple-rate"],
  open(given) {
    const { vector, rate } = given.protocol === "dai-usds" ? parity(given) : simpleRate(given);
    return quoteTrial(converter, vector, subjectOf({ rate }));
  },
};
