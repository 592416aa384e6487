import type { Address } from "../../core/types.ts";
import { type DollarPrice, type DollarSource, dollarPrice, usdPerWei } from "./dollars.ts";

/** Prices by which the amounts of an offer are valued, from the block that it was made in. */
export type Prices = {
  /** Dollars per wei of the native coin; undefined where the pools that price it have too little depth. */
  readonly usdPerWei: number | undefined;
  readonly tokenIn: DollarPrice | undefined;
  readonly tokenOut: DollarPrice | undefined;
  /** Wei of the native coin per smallest unit of the token bought; undefined where no path of pools connects them. */
  readonly weiPerOut: number | undefined;
};

export function pricesOf(source: DollarSource, tokenIn: Address, tokenOut: Address): Prices {
  const perWei = usdPerWei(source);
  return {
    usdPerWei: perWei,
    tokenIn: dollarPrice(source, tokenIn, perWei),
    tokenOut: dollarPrice(source, tokenOut, perWei),
    weiPerOut: source.market.nativePer(tokenOut),
  };
}

/** The amounts that are valued. */
type Amounts = {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly minimumOut: bigint;
  /** Gas units. */
  readonly gas: bigint;
  readonly gasPriceWei: bigint;
};

/** Dollars, undefined where they are not known. */
export type Values = {
  readonly amountInUsd: number | undefined;
  readonly amountOutUsd: number | undefined;
  readonly minimumOutUsd: number | undefined;
  readonly gasUsd: number | undefined;
  /**
   * The amount bought minus the gas cost in that token, smallest units, rounded down; negative where gas costs more.
   */
  readonly netOut: bigint | undefined;
};

export function valuesOf(prices: Prices, amounts: Amounts): Values {
  const gasWei = amounts.gas * amounts.gasPriceWei;
  return {
    amountInUsd: usd(amounts.amountIn, prices.tokenIn?.usdPerUnit),
    amountOutUsd: usd(amounts.amountOut, prices.tokenOut?.usdPerUnit),
    minimumOutUsd: usd(amounts.minimumOut, prices.tokenOut?.usdPerUnit),
    gasUsd: usd(gasWei, prices.usdPerWei),
    netOut: netOf(amounts.amountOut, gasWei, prices.weiPerOut),
  };
}

function usd(amount: bigint, perUnit: number | undefined): number | undefined {
  return perUnit === undefined ? undefined : Number(amount) * perUnit;
}

function netOf(amountOut: bigint, gasWei: bigint, weiPerOut: number | undefined): bigint | undefined {
  const cost = weiPerOut === undefined ? Number.NaN : Math.ceil(Number(gasWei) / weiPerOut);
  return Number.isFinite(cost) ? amountOut - BigInt(cost) : undefined;
}
