import type { Address } from "../../core/types.ts";
import { type DollarPrice, type DollarSource, dollarPrice, usdPerWei } from "./dollars.ts";

/** What the amounts of an offer were worth in the block that it was made in. */
export type Prices = {
  /** Dollars per wei of the native coin; undefined where too little depth prices it. */
  readonly usdPerWei: number | undefined;
  readonly tokenIn: DollarPrice | undefined;
  readonly tokenOut: DollarPrice | undefined;
  /** Wei of the native coin per smallest unit of the token bought; undefined where no pools join them. */
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
  /** Smallest units of the token bought, less what the gas costs in it, rounded down; below 0 where the gas costs more. */
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
