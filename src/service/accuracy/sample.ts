import type { Registry } from "../../core/protocol.ts";
import { isMakerPool } from "../../core/rfq.ts";
import { settle } from "../../core/routing/settlement/settle.ts";
import { feeOf } from "../../core/shares/fees.ts";
import type { Address, At, Route, View } from "../../core/types.ts";
import type { PairClass } from "../advice/slippage.ts";
import type { Offer } from "../pricing/offer.ts";

/** An offered route that is settled again on later states. Amounts in smallest units. */
export type Sample = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly pairClass: PairClass;
  readonly route: Route;
  readonly buyPermille: number;
  /** The amount that the recipient gets by the offer. */
  readonly quoted: bigint;
  /** The block whose state it was quoted on. */
  readonly block: number;
};

/**
 * The sample of an offer. @returns undefined for a route with maker pools, whose levels do not determine later orders
 */
export function sampleOf(offer: Offer, buyPermille: number): Sample | undefined {
  const { route, tokenIn, tokenOut, amountOut, advice, head } = offer;
  if (route.steps.some(({ pool }) => isMakerPool(pool))) return undefined;
  return {
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    pairClass: advice.pairClass,
    route,
    buyPermille,
    quoted: amountOut,
    block: head.number,
  };
}

/** What the sampled route pays the recipient on these states; undefined where one of its pools cannot fill its part. */
export function paidOn(sample: Sample, registry: Registry, view: View, at: At): bigint | undefined {
  const { tokenIn, tokenOut, amountIn, steps } = sample.route;
  const settled = settle(steps, amountIn, { registry, view, at, tokenIn, tokenOut });
  if (settled.kind === "failed") return undefined;
  return settled.amountOut - feeOf(settled.amountOut, sample.buyPermille);
}

/** The loss from one amount to another, in basis points: negative for a gain, 10,000 where `after` is undefined. */
export function lossBps(before: bigint, after: bigint | undefined): number {
  return Number(((before - (after ?? 0n)) * 10n ** 8n) / before) / 1e4;
}
