import { isNative } from "../../core/tokens.ts";
import type { Address } from "../../core/types.ts";
import { gravestFirst } from "../advice/notices.ts";
import type { Notice } from "../advice/types.ts";
import { tokenAmount } from "../amount-text.ts";
import type { ListedToken } from "../ports/ports.ts";
import type { Offer } from "../pricing/offer.ts";
import type { WalletFacts } from "../wallet.ts";
import { SIGN_AGAIN, type Trial } from "./simulation.ts";

/** What a wallet lacks for a swap; amounts in smallest units. Empty where it lacks nothing. */
export type Issues = {
  readonly balance?: { readonly needed: bigint; readonly actual: bigint; readonly token: Address };
  readonly allowance?: { readonly spender: Address; readonly needed: bigint; readonly actual: bigint };
};

/**
 * What prevents the wallet from paying, as far as the token's answers show.
 *
 * @param isSigned whether the swap carries a signature, so that no allowance is needed
 */
export function issuesOf({ balance, allowance }: WalletFacts, trial: Trial, isSigned: boolean): Issues {
  const { amountIn: needed, token, call } = trial;
  const isShort = balance !== undefined && balance < needed;
  const isBarred = !isSigned && !isNative(token) && allowance !== undefined && allowance < needed;
  return {
    ...(isShort ? { balance: { needed, actual: balance, token } } : {}),
    ...(isBarred ? { allowance: { spender: call.to, needed, actual: allowance } } : {}),
  };
}

/**
 * The wallet's issues as notices, for people and for programs that read notices.
 *
 * @param sold the token that the swap sells
 */
export function issueNotices({ balance, allowance }: Issues, sold: ListedToken): Notice[] {
  const notices: Notice[] = [];
  if (balance !== undefined) {
    const { needed, actual, token } = balance;
    notices.push({
      code: "LOW_BALANCE",
      severity: "warning",
      message: `The wallet holds ${tokenAmount(actual, sold)} of the ${tokenAmount(needed, sold)} that the swap sells.`,
      details: { needed: needed.toString(), actual: actual.toString(), token },
    });
  }
  if (allowance !== undefined) {
    const { needed, actual, spender } = allowance;
    notices.push({
      code: "LOW_ALLOWANCE",
      severity: "info",
      message: `The wallet lets the router take ${tokenAmount(actual, sold)} of the ${tokenAmount(needed, sold)} that the swap sells: approve it first.`,
      details: { needed: needed.toString(), actual: actual.toString(), spender },
    });
  }
  return notices;
}

/** For `skipValidation=false` without a wallet: the calldata cannot be simulated, so it is not validated. */
export const notValidated: Notice = {
  code: "NOT_VALIDATED",
  severity: "warning",
  message:
    "skipValidation=false validates nothing without takerAddress: name the wallet that will send the transaction.",
  details: { field: "takerAddress" },
};

export function paysOther(paid: bigint): Notice {
  return {
    code: "PAYS_OTHER",
    severity: "warning",
    message: `When it is run now, the transaction pays ${paid}.`,
    details: { amount_out: paid.toString() },
  };
}

/** @param isSigned whether the swap carries a signature */
export function reverts(reason: string, isSigned: boolean): Notice {
  return {
    code: "REVERTS",
    severity: "critical",
    message: `The transaction reverts when it is run now: ${reason}.${isSigned ? ` ${SIGN_AGAIN}` : ""}`,
    details: { reason },
  };
}

/** The offer with additional notices, whose messages are also added to its warnings. */
export function warned(offer: Offer, ...notices: readonly Notice[]): Offer {
  const words = notices.map(({ message }) => message);
  return noticed({ ...offer, warnings: [...offer.warnings, ...words] }, notices);
}

/** The offer with additional notices. */
export function noticed(offer: Offer, notices: readonly Notice[]): Offer {
  const all = gravestFirst([...offer.advice.notices, ...notices]);
  return { ...offer, advice: { ...offer.advice, notices: all } };
}
