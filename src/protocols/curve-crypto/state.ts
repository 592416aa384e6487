import type { DesignName } from "./designs.ts";

/** A crypto pool as its contract stores it, without the averages that only move its price later. */
export type State = {
  readonly design: DesignName;
  /** Smallest units of each coin. */
  readonly balances: readonly bigint[];
  /** 10^(18 - decimals) of each coin. */
  readonly precisions: readonly bigint[];
  /** Price of each coin but the first in the first, 18 digits, where the curve is flattest. */
  readonly priceScale: readonly bigint[];
  readonly ramp: Ramp;
  /** What `ann` is multiplied by: 10000, or 100 in the pools of May 2021. */
  readonly multiplier: bigint;
  /** The stored D; computed anew while A and gamma move. */
  readonly d: bigint;
  /** Fees of 10^10 in balance and far off it, and how fast one turns into the other, 18 digits. */
  readonly midFee: bigint;
  readonly outFee: bigint;
  readonly feeGamma: bigint;
  readonly lpSupply: bigint;
  /** 18 digits; a trade that does not raise it reverts. 0 where it is not known, and nothing is checked. */
  readonly virtualPrice: bigint;
  /** 18 digits; beyond `allowedExtraProfit` over half of it a trade may move the price scale. */
  readonly xcpProfit: bigint;
  readonly allowedExtraProfit: bigint;
  /**
   * False after a trade that may have moved the price scale by averages which are not known here: the state cannot be
   * priced again before it is read.
   */
  readonly isSettled: boolean;
};

/** A and gamma on their way from one pair to another. */
export type Ramp = {
  readonly initialAnn: bigint;
  readonly initialGamma: bigint;
  readonly futureAnn: bigint;
  readonly futureGamma: bigint;
  /** Unix seconds. A `futureTime` of 0 or 1 in the first pools says that no ramp is unfinished. */
  readonly initialTime: number;
  readonly futureTime: number;
};

/** A crossing in the terms of the contract. */
export type Swap = {
  readonly i: number;
  readonly j: number;
  /** Smallest units of coin `i`, > 0. */
  readonly dx: bigint;
  /** Unix seconds of the block that executes. */
  readonly timestamp: number;
};
