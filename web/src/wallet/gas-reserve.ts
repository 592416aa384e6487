import { NATIVE } from "../api.ts";
import { type FeedState, newestOf } from "../offer/offer-feed.ts";

/** Gas of a swap whose offer is not known yet. */
const TYPICAL_GAS = 300_000n;

/** What a swap's transaction may need: its gas, and the highest fee per gas in wei; undefined = not known. */
export type GasNeed = { readonly gas: bigint; readonly feeWei: bigint | undefined };

/**
 * What the swap of an offer may need. A wallet holds back the gas limit times the highest fee per gas, which is more than
 * the swap then costs.
 *
 * @param highFeeWei maxFeePerGas for the next block; undefined = not known: twice the gas price of the offer
 */
export function gasNeed(feed: FeedState, highFeeWei: bigint | undefined): GasNeed {
  const offer = newestOf(feed)?.offer;
  if (offer === undefined) return { gas: TYPICAL_GAS, feeWei: highFeeWei };
  return { gas: BigInt(offer.estimate_gas_total), feeWei: highFeeWei ?? 2n * BigInt(offer.gas_price) };
}

/**
 * The largest amount that can be sold, in smallest units: the balance; for the native coin, less a reserve of 1.25 times
 * the gas that the swap needs. Where the fee per gas is not known, the reserve is a hundredth of the balance.
 */
export function sellable(token: string, balance: bigint, { gas, feeWei }: GasNeed): bigint {
  if (token !== NATIVE) return balance;
  const kept = feeWei === undefined ? balance / 100n : (gas * feeWei * 5n + 3n) / 4n;
  return balance > kept ? balance - kept : 0n;
}

/** A press of "Max": the amount that it filled in, and the gas that was reserved for it. */
export type Pressed = { readonly token: string; readonly amount: bigint; readonly gas: bigint };

/**
 * Whether the first offer after a press of "Max" shows that more gas is needed than was reserved. A press is answered
 * once, so that the amount never follows the offers up and down.
 *
 * @returns undefined while there is no offer
 */
export function needsMoreGas(pressed: Pressed, feed: FeedState): boolean | undefined {
  if (feed.kind !== "offer") return undefined;
  const { request, offer } = feed;
  const isIts =
    request.side === "SELL" && request.tokenIn === pressed.token && request.amount === pressed.amount;
  return isIts && BigInt(offer.estimate_gas_total) > pressed.gas;
}
