import { keccak256 } from "viem/utils";
import { stepKinds } from "../../core/encoding/kinds.ts";
import { NATIVE } from "../../core/types.ts";
import type { Deps } from "../deps.ts";
import { noteRefusal } from "../makers/refusal.ts";
import type { ServedChain } from "../ports/ports.ts";
import type { Placed, Quoted } from "../ports/ports-accuracy.ts";
import type { BlockBody } from "../ports/ports-bodies.ts";
import type { Mined, SwapOutcome } from "./swap-outcome.ts";

type MinedSwap = {
  readonly sent: Mined;
  readonly swap: SwapOutcome;
  /** Its block and its index in that block; undefined where only its receipt was read. */
  readonly found?: { readonly body: BlockBody; readonly index: number } | undefined;
};

/**
 * Records the result of an executed quote, and a maker that did not honour its order. A swap whose calldata was never
 * quoted is ignored.
 *
 * @throws BraidError STALE_STATE when no node answers
 */
export async function noteMined(
  { accuracy }: Deps,
  served: ServedChain,
  { sent, swap, found }: MinedSwap,
): Promise<void> {
  const calldataHash = keccak256(sent.data);
  const quoted = accuracy?.quotedAs(served.chain.id, calldataHash);
  if (accuracy === undefined || quoted === undefined) return;
  accuracy.executed(served.chain.id, {
    hash: sent.hash,
    calldataHash,
    succeeded: sent.receipt.succeeded,
    received: swap.received?.amount,
    isVetted: [swap.tokenIn, swap.tokenOut].every((token) => token === NATIVE || served.isVetted(token)),
    placed: found && placedOf({ sent, swap }, quoted, found),
  });
  if (sent.receipt.succeeded || served.makers === undefined) return;
  const timestamp = found?.body.timestamp ?? (await served.archive.timeOf(sent.receipt.blockHash));
  if (timestamp !== undefined) await noteRefusal(served, sent, quoted, timestamp);
}

function placedOf(
  { sent, swap }: Pick<MinedSwap, "sent" | "swap">,
  { head, at }: Quoted,
  { body, index }: NonNullable<MinedSwap["found"]>,
): Placed {
  const isNextBlock = body.parentHash === head.hash;
  const isUntouched = isNextBlock && index === 0 && body.timestamp === at.timestamp;
  return { isNextBlock, isSameState: isUntouched && isPlain(swap, sent) };
}

const ORDERS: ReadonlySet<number> = new Set([stepKinds.rfq, stepKinds.airSwap]);

/**
 * Whether the transfer logs show exactly what the route paid. They do not where the sender may also be the maker of an
 * order, where the sender gets the fee, or where the native coin is paid, which a contract may pass on in part: each
 * would show an error that the quote did not have.
 */
function isPlain({ terms, recipient, received }: SwapOutcome, { from }: Mined): boolean {
  const hasOrder = terms.route.steps.some(({ kind }) => ORDERS.has(kind));
  return recipient === from && terms.feeRecipient !== from && received?.by === "transfers" && !hasOrder;
}
