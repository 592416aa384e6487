import type { Curve } from "../../core/protocol.ts";
import { feeOn, MAX_RESERVE, type State } from "./quote.ts";

/** The pair in doubles. */
export type Mirror = {
  readonly reserve0: number;
  readonly reserve1: number;
  /** 1 - fee on sales of token 0, 0 … 1. */
  readonly keep0: number;
  readonly keep1: number;
};

const MAX = Number(MAX_RESERVE);

/** The mirror of a state; it does not depend on the time. */
export function mirror(state: State): Mirror {
  return {
    reserve0: Number(state.reserves[0]),
    reserve1: Number(state.reserves[1]),
    keep0: keepOf(feeOn(state, 0)),
    keep1: keepOf(feeOn(state, 1)),
  };
}

function keepOf(feePpm: number): number {
  return (1_000_000 - feePpm) / 1_000_000;
}

/** out = in·keep·Rout / (Rin + in·keep) in doubles; 0 if the pair would revert. */
export function quoteFloat(pair: Mirror, i: number, _j: number, x: number): number {
  const reserveIn = i === 0 ? pair.reserve0 : pair.reserve1;
  const reserveOut = i === 0 ? pair.reserve1 : pair.reserve0;
  if (!(x > 0) || reserveIn === 0 || x > MAX - reserveIn) return 0;
  const lessFee = x * (i === 0 ? pair.keep0 : pair.keep1);
  return (lessFee * reserveOut) / (reserveIn + lessFee);
}

/** One exact segment: m = keep·Rout/Rin, c = keep/Rin. The curve of an empty pair ends at 0. */
export function curve(pair: Mirror, i: number, _j: number): Curve {
  const reserveIn = i === 0 ? pair.reserve0 : pair.reserve1;
  const reserveOut = i === 0 ? pair.reserve1 : pair.reserve0;
  const keep = i === 0 ? pair.keep0 : pair.keep1;
  const open = reserveIn > 0 && reserveOut > 0;
  return {
    x: [0],
    y: [0],
    m: [open ? (keep * reserveOut) / reserveIn : 0],
    c: [open ? keep / reserveIn : 0],
    end: open ? Math.max(0, MAX - reserveIn) : 0,
  };
}
