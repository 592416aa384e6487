/** Printed by `npm run docs`; a test compares it with its sources. Do not edit. */

import type { Hex } from "../hex.ts";

/** The router: the same address on every chain, from the artifact that is deployed. */
export const ROUTER: Hex = "0xf1e78bc85d3bacaf4cc27227446594d8492c1a11";

/** Selector of swap(uint256,uint256,address,uint256,bytes). */
export const SWAP_SELECTOR = "0xb6b4c488";

/** Bytes behind the fixed part of a step, by kind. */
export const stepBytes: Readonly<Record<number, number>> = {
  1: 3,
  2: 0,
  3: 0,
  4: 26,
  5: 32,
  6: 3,
  7: 0,
  8: 20,
  9: 0,
  10: 0,
  11: 1,
  12: 0,
  13: 0,
  14: 0,
  15: 134,
  16: 3,
  17: 102,
  18: 102,
  19: 154,
  20: 29,
  21: 32,
  22: 0,
  23: 32,
  24: 1,
  25: 4,
  26: 3,
};

/** Steps that carry a signature of the payer. */
export const permitKinds = { permit: 17, permit2: 18 } as const;
