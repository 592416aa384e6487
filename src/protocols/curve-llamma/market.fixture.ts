import type { State } from "./state.ts";

/** A WETH market from the vectors, at block 22110210. */
export const market: State = {
  a: 70n,
  generation: 2025,
  basePrice: 4474499397567604422443n,
  price: 2012443104835322675548n,
  fee: 6000000000000000n,
  adminFee: 0n,
  activeBand: 55,
  minBand: 53,
  maxBand: 58,
  first: 53,
  x: [4566480818185229333927n, 4844743077922680502563n, 2403454685431529704281n, 0n, 0n, 0n],
  y: [0n, 0n, 1179711710912040640n, 2360022423270600357n, 2384052080511586283n, 2193391227480491989n],
  isWhole: true,
  precisions: [1n, 1n],
  readAt: 0,
};
