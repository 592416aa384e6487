import { refuse } from "../error.ts";
import type { QuoteAnswer } from "../generated/api.ts";

/** Gas units that a swap may need beyond twice the estimate: above all, those that a permit in its calldata takes. */
const ROOM = 200_000n;

/**
 * The gas limit of a swap. A route may lead to a contract that burns all gas up to the limit, and its sender pays even
 * where the swap reverts. So a quote after an approval or a signature cannot raise what was confirmed by much.
 *
 * @param agreed the quote that was confirmed
 * @param quote the quote that is sent, which may be the same
 * @returns undefined = the wallet estimates it
 * @throws BraidError PRICE_MOVED
 */
export function gasLimit(agreed: QuoteAnswer, quote: QuoteAnswer): bigint | undefined {
  // A measured limit has a margin for state changes before it is mined; a wallet's own estimate may not.
  const measured = quote.simulated ? quote.estimate_gas_total : undefined;
  if (quote === agreed || (measured === undefined && !agreed.simulated)) return measured;
  const most = 2n * agreed.estimate_gas_total + ROOM;
  if (measured === undefined) return most;
  if (measured <= most) return measured;
  const text = `the quote's estimate was ${agreed.estimate_gas_total}, and is ${measured}`;
  throw refuse("PRICE_MOVED", `The swap needs much more gas than the quote that was confirmed: ${text}.`);
}
