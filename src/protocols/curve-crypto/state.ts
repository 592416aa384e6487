import type { DesignName } from "./designs.ts";

/** State of a crypto pool, without the price averages that only move its price scale later. */
export type State = {
  readonly design: DesignName;
  /** Smallest units of each coin. */
  readonly balances: readonly bigint[];
  /** 10^(18 - decimals) of each coin. */
  readonly precisions: readonly bigint[];
  /** Price scale: price in the first coin of each other coin, 18 digits, at which the curve is flattest. */
  readonly priceScale: readonly bigint[];
  readonly ramp: Ramp;
  /** Multiplier contained in `ann`: 10000, or 100 in the pools of May 2021. */
  readonly multiplier: bigint;
  /** The stored D; it is recomputed while A and gamma ramp. */
  readonly d: bigint;
  /**
   * Fees of 10^10 in balance (`midFee`) and far from it (`outFee`), and the rate of the transition (`feeGamma`, 18
   * digits).
   */
  readonly midFee: bigint;
  readonly outFee: bigint;
  readonly feeGamma: bigint;
  readonly lpSupply: bigint;
  /** Virtual price, 18 digits; a trade that does not raise it reverts. 0 if unknown, and nothing is checked. */
  readonly virtualPrice: bigint;
  /**
   * Accumulated profit, 18 digits. If the virtual price exceeds half of it by more than `allowedExtraProfit`, a trade
   * may move the price scale.
   */
  readonly xcpProfit: bigint;
  readonly allowedExtraProfit: bigint;
  /**
   * False after a trade that may have moved the price scale by averages that are not known here: the state cannot be
   * priced again before it is read.
   */
  readonly isSettled: boolean;
};

/** A linear change of A and gamma between two times. */
export type Ramp = {
  readonly initialAnn: bigint;
  readonly initialGamma: bigint;
  readonly futureAnn: bigint;
  readonly futureGamma: bigint;
  /** Unix seconds. In the first pools a `futureTime` of 0 or 1 means that no ramp is unfinished. */
  readonly initialTime: number;
  readonly futureTime: number;
};

/** Arguments of an exchange in the contract's terms. */
export type Swap = {
  readonly i: number;
  readonly j: number;
  /** Smallest units of coin `i`, > 0. */
  readonly dx: bigint;
  /** Unix seconds of the block that executes. */
  readonly timestamp: number;
};
