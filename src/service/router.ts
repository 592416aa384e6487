import { BraidError } from "../core/errors.ts";
import type { ServedChain } from "./ports/ports.ts";

/**
 * Refuses what leads to a transaction for the router where the router is not there: coins sent to an empty address belong to
 * whoever puts code there first, and an approval of it is theirs too.
 *
 * @throws BraidError ROUTER_UNAVAILABLE
 */
export function requireRouter({ chain, router, routerTrouble }: ServedChain): void {
  const why = routerTrouble();
  if (why === undefined) return;
  const message = `Chain ${chain.id} has no router to swap with: ${why}. Its operator deploys it with npm run deploy; prices are answered.`;
  throw new BraidError("ROUTER_UNAVAILABLE", message, {
    details: [{ field: "chainID", reason: why, value: chain.id, router }],
    retryAfterSeconds: Math.max(1, Math.ceil(chain.blockTimeMs / 1000)),
  });
}
