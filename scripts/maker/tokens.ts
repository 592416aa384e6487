import { DAI, USDC, USDT, WETH } from "../../src/devnet/plan/addresses.ts";
import type { Pair } from "./book.ts";

/** What the reference maker prices on the devnet. */
export const DEVNET_PAIRS: readonly Pair[] = [
  [WETH, USDC],
  [WETH, DAI],
  [WETH, USDT],
];
