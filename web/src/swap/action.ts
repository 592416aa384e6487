import type { Platform, PriceRequest } from "../api.ts";
import type { NamedToken } from "../route/labels.ts";
import type { Session } from "../wallet/session.ts";

/** What the one button under the form does, and why it cannot. */
export type Action =
  | { readonly kind: "connect" | "switch" | "swap"; readonly label: string }
  | { readonly kind: "blocked"; readonly label: string };

export type ActionFacts = {
  readonly session: Session | undefined;
  readonly platform: Platform | undefined;
  /** undefined = nothing can be asked yet. */
  readonly request: PriceRequest | undefined;
  /** Whether both tokens are chosen. */
  readonly hasTokens: boolean;
  /** Whether an offer for the request is on the screen. */
  readonly hasOffer: boolean;
  readonly sold: Pick<NamedToken, "symbol"> | undefined;
  /** What the swap takes of the token sold, and what the wallet has of it; undefined = not known. */
  readonly needed: bigint | undefined;
  readonly balance: bigint | undefined;
};

/** The next thing to do on the way to a swap. */
export function actionOf(facts: ActionFacts): Action {
  const { session, platform, request, hasTokens, hasOffer, sold, needed, balance } = facts;
  if (session === undefined) return { kind: "connect", label: "Connect a wallet" };
  if (platform !== undefined && session.chainId !== platform.chainId)
    return { kind: "switch", label: `Switch your wallet to ${platform.name}` };
  if (!hasTokens) return { kind: "blocked", label: "Choose two tokens" };
  if (request === undefined) return { kind: "blocked", label: "Enter an amount" };
  if (needed !== undefined && balance !== undefined && balance < needed)
    return { kind: "blocked", label: `Not enough ${sold?.symbol ?? "of this token"}` };
  if (!hasOffer) return { kind: "blocked", label: "Waiting for an offer" };
  return { kind: "swap", label: "Swap" };
}
