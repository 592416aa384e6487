import type { Registry } from "../../core/protocol.ts";
import { isMakerPool } from "../../core/rfq.ts";
import { settle } from "../../core/routing/settlement/settle.ts";
import { feeOf } from "../../core/shares/fees.ts";
import type { Address, At, Route, View } from "../../core/types.ts";
import type { PairClass } from "../advice/slippage.ts";
import type { Offer } from "../pricing/offer.ts";

/** A route that was offered, to be settled again on later states. Amounts in smallest units. */
export type Sample = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly pairClass: PairClass;
  readonly route: Route;
  readonly buyPermille: number;
  /** What the offer said that the recipient gets. */
  readonly quoted: bigint;
  /** The block that it was made in. */
  readonly block: number;
};

/** @returns undefined for a route with makers' orders: their levels say nothing of what an order pays later */
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

/** What the very same route pays its recipient on these states; undefined where a pool of it cannot fill its part any more. */
export function paidOn(sample: Sample, registry: Registry, view: View, at: At): bigint | undefined {
  const { tokenIn, tokenOut, amountIn, steps } = sample.route;
  const settled = settle(steps, amountIn, { registry, view, at, tokenIn, tokenOut });
  if (settled.kind === "failed") return undefined;
  return settled.amountOut - feeOf(settled.amountOut, sample.buyPermille);
}

/** The part that is lost from one amount to another, in basis points; below 0 where there is more, all where there is none. */
export function lossBps(before: bigint, after: bigint | undefined): number {
  return Number(((before - (after ?? 0n)) * 10n ** 8n) / before) / 1e4;
}
