import { BraidError } from "../../core/errors.ts";
import type { Address } from "../../core/types.ts";
import type { ServedChain } from "../ports/ports.ts";

/** How long a request waits for the pools of its own tokens to be read, in milliseconds. */
const WAIT_MS = 1_500;

/**
 * Waits until the pools of two tokens are in the market, on a chain whose pools are still being discovered. It returns
 * at once where they are, and where the chain has no state at all, for which other code has its own failure.
 *
 * @throws BraidError STALE_STATE with the time after which to retry, and a description of what is being read
 */
export async function coverTokens(
  served: ServedChain,
  tokens: readonly [Address, Address],
  caller: string,
): Promise<void> {
  const { discovery, market, chain } = served;
  if (discovery === undefined || market.status().phase === "starting") return;
  const reading = await discovery.cover(tokens, WAIT_MS, caller);
  if (reading === undefined) return;
  throw new BraidError(
    "STALE_STATE",
    `Chain ${chain.id} is still being discovered: ${reading}. Ask again in a second.`,
    { details: [{ field: "chainID", reason: reading, value: chain.id }], retryAfterSeconds: 1 },
  );
}
