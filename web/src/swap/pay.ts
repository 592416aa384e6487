import type { QuoteAnswer } from "../../../packages/sdk/src/generated/api.ts";
import type { PermitKind } from "../../../packages/sdk/src/quote/typed-data.ts";
import { NATIVE } from "../api.ts";

/** How the router gets the tokens that are sold. */
export type Way =
  /** The native coin goes along, or the router may take enough already. */
  | "none"
  /** A transaction that lets the router take exactly this amount, once. */
  | "approval"
  /** A signature instead; no transaction of its own. */
  | PermitKind;

type Terms = Pick<QuoteAnswer, "token_in" | "approve_amount" | "permit">;

const SIGNATURES: readonly PermitKind[] = ["eip2612", "permit2", "dai"];

/**
 * The ways to pay for a quote, best first: nothing, a signature for exactly this amount, an exact approval. DAI's own
 * permit grants everything, so it comes last.
 *
 * @param allowance what the router may take of the token now, smallest units
 */
export function waysOf(quote: Terms, allowance: bigint): readonly Way[] {
  const needed = quote.approve_amount;
  if (quote.token_in.toLowerCase() === NATIVE || needed === 0n || allowance >= needed) return ["none"];
  const offered = SIGNATURES.filter((kind) => quote.permit?.[kind]?.ready === true);
  const exact = offered.filter((kind) => kind !== "dai");
  return [...exact, "approval", ...offered.filter((kind) => kind === "dai")];
}

/** What each way means, for the person who chooses. */
export const WAY_WORDS: Readonly<Record<Way, { readonly name: string; readonly more: string }>> = {
  none: { name: "Nothing to approve", more: "" },
  approval: {
    name: "Approve exactly this amount",
    more: "one more transaction; nothing is left over after it",
  },
  eip2612: { name: "Sign for exactly this amount", more: "a free signature; no approval transaction" },
  permit2: { name: "Sign through Permit2", more: "a free signature for exactly this amount" },
  dai: { name: "Sign DAI's permit", more: "a free signature that allows any amount until it is revoked" },
};
