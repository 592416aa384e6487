import type { Curve } from "../../protocol.ts";
import {
  type ConcentratedMirror,
  concentratedCurve,
  concentratedFloat,
  concentratedMirror,
} from "../concentrated/concentrated-mirror.ts";
import type { Concentrated } from "../concentrated/concentrated-swap.ts";

/** A concentrated-liquidity pool in doubles whose fee depends on the direction: one mirror per token sold. */
export type DirectionalMirror = readonly [ConcentratedMirror, ConcentratedMirror];

/** @param fees parts per million of the input for sales of token 0 and of token 1; 10^6 closes the direction */
export function directionalMirror(pool: Concentrated, fees: readonly [number, number]): DirectionalMirror {
  const both = concentratedMirror(pool);
  const side = (feePpm: number): ConcentratedMirror => {
    const keep = (1_000_000 - feePpm) / 1_000_000;
    return keep > 0 ? { ...both, keep } : concentratedMirror({ ...pool, sqrtPriceX96: 0n });
  };
  return [side(fees[0]), side(fees[1])];
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function directionalFloat(pool: DirectionalMirror, i: number, j: number, x: number): number {
  return concentratedFloat(pool[i === 0 ? 0 : 1], i, j, x);
}

/** The curve of a direction: one exact segment per range. */
export function directionalCurve(pool: DirectionalMirror, i: number, j: number): Curve {
  return concentratedCurve(pool[i === 0 ? 0 : 1], i, j);
}
