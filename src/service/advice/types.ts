import type { PairClass } from "./slippage.ts";
import type { Prices } from "./values.ts";

/** How much it matters: "info" explains, "warning" may cost something, "critical" is likely to. */
export type Severity = "info" | "warning" | "critical";

/** Every notice's code: public, never reused, never renamed. */
export type NoticeCode =
  | "HIGH_PRICE_IMPACT"
  | "HIGH_SLIPPAGE"
  | "LOW_SLIPPAGE"
  | "UNLISTED_TOKEN"
  | "UNPROVEN_OPTIMUM"
  | "STALE_SOON"
  | "RESET_FIRST"
  | "NOT_VALIDATED"
  | "PAYS_OTHER"
  | "REVERTS"
  | "FEE_ON_TRANSFER"
  | "RECIPIENT_IS_CONTRACT"
  | "TIME_DEPENDENT_POOL"
  | "LOW_BALANCE"
  | "LOW_ALLOWANCE";

/** Something that whoever takes an offer should know. It stands beside the offer, never in its place. */
export type Notice = {
  readonly code: NoticeCode;
  readonly severity: Severity;
  /** One or two sentences for people. */
  readonly message: string;
  /** Facts by name; amounts as decimal strings. */
  readonly details: Readonly<Record<string, string | number>>;
};

/** What is told beside an offer; nothing in it changes what is offered. */
export type Advice = {
  readonly prices: Prices;
  readonly pairClass: PairClass;
  readonly suggestedSlippagePpm: number;
  readonly notices: readonly Notice[];
};
