import type { StableFloat } from "../curve/stable-float.ts";
import type { Level } from "./level.ts";

/** The level of a stableswap pool: A·n^n·Σx - D^(n+1) / (n^n·Πx), D as it is. @param scale units of `x` per smallest unit */
export function stableLevel({ x, ann, g }: StableFloat, scale: ArrayLike<number>): Level {
  const held = x.map((balance, k) => balance / scale[k]!);
  const grown = (balances: Float64Array) => {
    let sum = 0;
    for (const [k, balance] of balances.entries()) sum += Math.log(balance / held[k]!);
    return sum;
  };
  return {
    held,
    excess: (balances) => {
      let more = 0;
      for (const [k, balance] of balances.entries()) more += (balance - held[k]!) * scale[k]!;
      return ann * more - g * Math.expm1(-grown(balances));
    },
    slopes: (balances, to) => {
      const now = g * Math.exp(-grown(balances));
      for (const [k, balance] of balances.entries()) to[k] = scale[k]! * ann + now / balance;
    },
  };
}
