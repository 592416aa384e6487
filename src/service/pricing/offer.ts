import type { WireRoute } from "../../core/encoding/index.ts";
import { estimateGas } from "../../core/gas/gas.ts";
import { routerWork } from "../../core/gas/router-work.ts";
import type { RouteFound, SearchReport } from "../../core/routing/types.ts";
import { feeOf, minimumOut } from "../../core/shares/fees.ts";
import { isNative } from "../../core/tokens.ts";
import type { Address, Chain, Head, Route, Side } from "../../core/types.ts";
import type { Advice } from "../advice/types.ts";
import type { ListedToken } from "../ports/ports.ts";
import { tokensOf } from "./flow.ts";
import { type OfferOptimality, optimalityOf } from "./optimality.ts";
import { type RouteShare, summarize } from "./route-summary.ts";

/** Fees of the caller in thousandths, 0 … 500; the recipient is defined where one of them is above 0. */
export type Fees = {
  readonly recipient: Address | undefined;
  readonly buyPermille: number;
  readonly sellPermille: number;
};

/** The best exchange found for a request in the state of one block. Amounts in smallest units. */
export type Offer = {
  readonly chain: Chain;
  readonly head: Head;
  readonly tokenIn: ListedToken;
  readonly tokenOut: ListedToken;
  /** Which amount the caller gave. */
  readonly side: Side;
  /** What the caller sells, the sell fee included. */
  readonly amountIn: bigint;
  /** What the recipient gets, net of every fee. */
  readonly amountOut: bigint;
  /** The least that the recipient accepts; below it the transaction reverts. */
  readonly minimumOut: bigint;
  readonly buyFee: bigint;
  readonly sellFee: bigint;
  /** Gas limit of the transaction, in gas units. */
  readonly gas: bigint;
  readonly gasPriceWei: bigint;
  readonly route: Route;
  readonly shares: readonly RouteShare[];
  /** Loss against the spot price of a very small amount, in basis points; undefined where there is no spot price. */
  readonly priceImpactBps: number | undefined;
  readonly optimality: OfferOptimality;
  readonly search: SearchReport;
  /** From the request until its search began, milliseconds. */
  readonly waitedMs: number;
  /** Whether the states are those of the block that is being built on `head`. */
  readonly isPreconfirmed: boolean;
  readonly warnings: readonly string[];
  readonly advice: Advice;
};

/** An offer without advice, and without the facts of its search session. */
export type BareOffer = Omit<Offer, "advice" | "waitedMs" | "isPreconfirmed">;

/** The inputs of an offer other than its route. */
export type OfferTerms = {
  readonly chain: Chain;
  readonly head: Head;
  readonly tokenIn: ListedToken;
  readonly tokenOut: ListedToken;
  readonly side: Side;
  readonly amountIn: bigint;
  readonly slippagePpm: number;
  readonly fees: Fees;
  readonly gasPriceWei: bigint;
};

/** From this price impact on, an offer carries a warning. */
const HIGH_IMPACT_BPS = 500;

/**
 * The offer for a route that was settled for the amount after the sell fee.
 *
 * @param wire the same route in the router's format
 */
export function makeOffer(terms: OfferTerms, found: RouteFound, wire: WireRoute): BareOffer {
  const { chain, head, tokenIn, tokenOut, amountIn, gasPriceWei } = terms;
  const { route } = found;
  const buyFee = feeOf(route.amountOut, terms.fees.buyPermille);
  const amountOut = route.amountOut - buyFee;
  const priceImpactBps = impactBps(found);
  return {
    chain,
    head,
    tokenIn,
    tokenOut,
    side: terms.side,
    amountIn,
    amountOut,
    minimumOut: minimumOut(amountOut, terms.slippagePpm),
    buyFee,
    sellFee: amountIn - route.amountIn,
    gas: modelGas({ route, wire, fees: terms.fees, otherRecipient: false }, likelyCalldataGas(route)),
    gasPriceWei,
    route,
    shares: summarize(chain, route),
    priceImpactBps,
    optimality: optimalityOf(found, amountOut, terms.fees),
    search: found.search,
    warnings: warningsOf(priceImpactBps, found.search),
  };
}

/** A route, its form for the router, and the facts of its payment on which gas depends. */
export type Swapping = {
  readonly route: Route;
  readonly wire: WireRoute;
  readonly fees: Fees;
  readonly otherRecipient: boolean;
};

/** Estimated gas of a swap that was not simulated, in gas units. */
export function modelGas({ route, wire, fees, otherRecipient }: Swapping, calldataGas: number): bigint {
  const gas = estimateGas({
    ...routerWork(wire),
    stepsGas: route.steps.reduce((sum, { gas }) => sum + gas, 0),
    calldataGas,
    sellFee: fees.sellPermille > 0,
    buyFee: fees.buyPermille > 0,
    nativeIn: isNative(route.tokenIn),
    nativeOut: isNative(route.tokenOut),
    otherRecipient,
  });
  return BigInt(gas);
}

/** Bytes of the selector and seven words around the route, and of a step's fixed part with the longest extra. */
const OUTER_BYTES = 4 + 7 * 32;
const STEP_BYTES = 64;

/** Mean gas of a calldata byte where two of three bytes are not zero, the largest share seen in swaps. */
const BYTE_GAS = 12;

/** An upper estimate of the calldata gas, without encoding the route; each token takes 20 bytes. */
function likelyCalldataGas(route: Route): number {
  const tokens = new Set(route.steps.flatMap(tokensOf)).size;
  return BYTE_GAS * (OUTER_BYTES + 32 + 20 * tokens + STEP_BYTES * route.steps.length);
}

/** From this amount bought on, a unit lost to rounding is at most a basis point and does not count as price impact. */
const FINE = 10_000n;

function impactBps({ route, spotPrice }: RouteFound): number | undefined {
  if (!(spotPrice > 0) || !Number.isFinite(spotPrice)) return undefined;
  const rounding = route.amountOut >= FINE ? 1 : 0;
  const paid = (Number(route.amountOut) + rounding) / Number(route.amountIn);
  return Math.max(0, Math.round((1 - paid / spotPrice) * 10_000));
}

function warningsOf(priceImpactBps: number | undefined, { complete }: SearchReport): string[] {
  const warnings: string[] = [];
  if (priceImpactBps !== undefined && priceImpactBps >= HIGH_IMPACT_BPS)
    warnings.push(
      `High price impact: this amount gets ${priceImpactBps / 100} % less than a small one would.`,
    );
  if (!complete)
    warnings.push(
      "The search ran out of time: this is the best route found so far, and there may be a better one.",
    );
  return warnings;
}
