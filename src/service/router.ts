import { BraidError } from "../core/errors.ts";
import type { ServedChain } from "./ports/ports.ts";

/**
 * Refuses a request that leads to a transaction for the router while the router is not deployed. Coins sent to an
 * address without code, and approvals of it, are at the disposal of whoever deploys code there first.
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
