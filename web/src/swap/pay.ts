import type { QuoteAnswer } from "../../../packages/sdk/src/generated/api.ts";
import type { PermitKind } from "../../../packages/sdk/src/quote/typed-data.ts";
import { NATIVE } from "../api.ts";

/** How the router is allowed to take the tokens sold. */
export type Way =
  /** Nothing to do: the native coin is sent along, or the allowance is sufficient. */
  | "none"
  /** An approval transaction for exactly this amount. */
  | "approval"
  /** A signed permit. */
  | PermitKind;

type Terms = Pick<QuoteAnswer, "token_in" | "approve_amount" | "permit">;

const SIGNATURES: readonly PermitKind[] = ["eip2612", "permit2", "dai"];

/**
 * The ways to allow the router to take the tokens of a quote, best first: none, a signature for exactly this amount, an
 * exact approval. DAI's own permit allows any amount, so it is last.
 *
 * @param allowance current allowance of the router, in smallest units
 */
export function waysOf(quote: Terms, allowance: bigint): readonly Way[] {
  const needed = quote.approve_amount;
  if (quote.token_in.toLowerCase() === NATIVE || needed === 0n || allowance >= needed) return ["none"];
  const offered = SIGNATURES.filter((kind) => quote.permit?.[kind]?.ready === true);
  const exact = offered.filter((kind) => kind !== "dai");
  return [...exact, "approval", ...offered.filter((kind) => kind === "dai")];
}

/** Name and explanation of each way for the user. */
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
