import type { Platform, PriceRequest } from "../api.ts";
import type { NamedToken } from "../route/labels.ts";
import type { Session } from "../wallet/session.ts";

/** The action of the main button; the label of a blocked one says what is missing. */
export type Action =
  | { readonly kind: "connect" | "switch" | "swap"; readonly label: string }
  | { readonly kind: "blocked"; readonly label: string };

export type ActionFacts = {
  readonly session: Session | undefined;
  readonly platform: Platform | undefined;
  /** undefined while the form is incomplete or invalid. */
  readonly request: PriceRequest | undefined;
  /** Whether a field of the form is marked as invalid. */
  readonly hasFault: boolean;
  /** Whether both tokens are chosen. */
  readonly hasTokens: boolean;
  /** Whether there is an offer for the request. */
  readonly hasOffer: boolean;
  /** Whether the service has said that there is no offer, and the same request will not get one soon. */
  readonly isRefused: boolean;
  readonly sold: Pick<NamedToken, "symbol"> | undefined;
  /**
   * Amount of the token sold that the swap needs, and the wallet's balance, in smallest units; undefined = not known.
   */
  readonly needed: bigint | undefined;
  readonly balance: bigint | undefined;
  readonly gas: GasFacts;
};

/** The gas of the swap, in the native coin. */
export type GasFacts = {
  readonly symbol: string;
  /** Network fee of the offer in wei; undefined without an offer. */
  readonly fee: bigint | undefined;
  /** Balance of the native coin in wei; undefined = not known. */
  readonly balance: bigint | undefined;
  /** Whether the native coin is the token sold, so that its balance must cover amount and fee. */
  readonly isSold: boolean;
};

/** The next action towards a swap. */
export function actionOf(facts: ActionFacts): Action {
  const { session, platform, request, hasFault, hasTokens, hasOffer, isRefused } = facts;
  if (session === undefined) return { kind: "connect", label: "Connect a wallet" };
  if (platform !== undefined && session.chainId !== platform.chainId)
    return { kind: "switch", label: `Switch your wallet to ${platform.name}` };
  if (!hasTokens) return { kind: "blocked", label: "Choose two tokens" };
  if (request === undefined)
    return { kind: "blocked", label: hasFault ? "Correct what is marked" : "Enter an amount" };
  const shortage = shortageOf(facts);
  if (shortage !== undefined) return { kind: "blocked", label: shortage };
  if (!hasOffer) return { kind: "blocked", label: isRefused ? "No offer" : "Waiting for an offer" };
  return { kind: "swap", label: "Swap" };
}

/** What the wallet has too little of, for the label of the button; undefined where it has enough, or it is not known. */
function shortageOf({ sold, needed, balance, gas }: ActionFacts): string | undefined {
  if (needed !== undefined && balance !== undefined && balance < needed)
    return `Not enough ${sold?.symbol ?? "of this token"}`;
  if (gas.fee === undefined || gas.balance === undefined) return undefined;
  const spent = gas.fee + (gas.isSold ? (needed ?? 0n) : 0n);
  return gas.balance < spent ? `Not enough ${gas.symbol} for gas` : undefined;
}
