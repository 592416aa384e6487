import type { PairClass } from "./slippage.ts";
import type { Prices } from "./values.ts";

/** Severity of a notice: "info" explains, "warning" may cost the user something, "critical" is likely to. */
export type Severity = "info" | "warning" | "critical";

/** Codes of notices. They are public: a code is never reused and never renamed. */
export type NoticeCode =
  | "HIGH_PRICE_IMPACT"
  | "HIGH_SLIPPAGE"
  | "LOW_SLIPPAGE"
  | "UNLISTED_TOKEN"
  | "UNVETTED_TOKEN"
  | "UNPROVEN_OPTIMUM"
  | "UNKNOWN_SOURCE"
  | "STALE_SOON"
  | "NO_NEW_BLOCK"
  | "RESET_FIRST"
  | "NOT_VALIDATED"
  | "PAYS_OTHER"
  | "REVERTS"
  | "FEE_ON_TRANSFER"
  | "RECIPIENT_IS_CONTRACT"
  | "TIME_DEPENDENT_POOL"
  | "LOW_BALANCE"
  | "LOW_GAS"
  | "LOW_ALLOWANCE";

/** Something that the taker of an offer should know. A notice accompanies an offer and never replaces it. */
export type Notice = {
  readonly code: NoticeCode;
  readonly severity: Severity;
  /** One or two sentences for people. */
  readonly message: string;
  /** Facts by name; amounts as decimal strings. */
  readonly details: Readonly<Record<string, string | number>>;
};

/** Information that accompanies an offer; it does not change the offer. */
export type Advice = {
  readonly prices: Prices;
  readonly pairClass: PairClass;
  readonly suggestedSlippagePpm: number;
  readonly notices: readonly Notice[];
};
