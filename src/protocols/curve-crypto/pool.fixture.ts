import type { At } from "../../core/types.ts";
import type { State } from "./state.ts";

/** Pools used by the tests of this folder. */

export const NOW = 1_726_463_373;
export const at: At = { blockNumber: 100, timestamp: NOW };

/** ETH+/WETH on Arbitrum, from the vectors. */
export const two: State = {
  design: "twocrypto-ng-2024",
  balances: [968569777414549410834n, 1045106588251996643768n],
  precisions: [1n, 1n],
  priceScale: [983313638977093334n],
  ramp: {
    initialAnn: 20000000n,
    initialGamma: 20000000000000000n,
    futureAnn: 20000000n,
    futureGamma: 20000000000000000n,
    initialTime: 0,
    futureTime: 0,
  },
  multiplier: 10000n,
  d: 1996236386986675947911n,
  midFee: 500000n,
  outFee: 8000000n,
  feeGamma: 30000000000000000n,
  lpSupply: 1006167834136870835627n,
  virtualPrice: 1000381175737496082n,
  xcpProfit: 1000760564011364559n,
  allowedExtraProfit: 1000000000000n,
  isSettled: true,
};
