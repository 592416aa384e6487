/** A detail of a failure: a bad field, or a fact by name. */
export type ErrorDetail = {
  readonly field: string;
  readonly reason: string;
  readonly [fact: string]: string | number;
};

/** Reasons of failures of the SDK itself. Those of the service are in its table of errors. */
export type ClientReason =
  /** A text is not an amount, or has more fraction digits than its token. */
  | "BAD_AMOUNT"
  /** The service's answer violates its API. */
  | "BAD_ANSWER"
  /** The transaction is not mined and the wallet's node no longer knows it. */
  | "DROPPED"
  /** The wallet's owner approved less than the swap takes. */
  | "INSUFFICIENT_ALLOWANCE"
  /** The wallet holds less of the token sold than the swap takes. */
  | "INSUFFICIENT_BALANCE"
  /** No receipt within the time limit. `details` names the transaction, which may still be mined. */
  | "NOT_MINED"
  /** The price moved beyond the slippage during an approval or a signature. */
  | "PRICE_MOVED"
  /** A quote, or an approval, differs from the request. None of it was signed or sent. `details` names each difference. */
  | "QUOTE_MISMATCH"
  /** Another transaction of the wallet with the same nonce was mined instead. */
  | "REPLACED"
  /**
   * The transaction was mined and reverted. Where its minimum was the cause, `details` has the field `slippage` with
   * `would_have_paid` and `enough_percent`.
   */
  | "REVERTED"
  /** The service did not answer with JSON. */
  | "UNREACHABLE"
  /** The wallet failed, or cannot do what is needed. */
  | "WALLET_FAILED"
  /** The user rejected the request in the wallet, or `confirm` returned false. */
  | "WALLET_REFUSED"
  /** The wallet is on another chain than the requested one. */
  | "WRONG_CHAIN";

type Facts = {
  /** Public number of the service's failure; 0 for a failure of the SDK. */
  readonly code?: number;
  /** HTTP status; 0 where there was no HTTP response. */
  readonly status?: number;
  readonly details?: readonly ErrorDetail[];
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
};

/** All expected failures of the SDK and the service. Branch on `reason`; the message is for users. */
export class BraidError extends Error {
  override readonly name = "BraidError";
  readonly reason: string;
  readonly code: number;
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: string, message: string, facts: Facts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.reason = reason;
    this.code = facts.code ?? 0;
    this.status = facts.status ?? 0;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** Creates a failure of the SDK itself. */
export function refuse(reason: ClientReason, message: string, facts: Facts = {}): BraidError {
  return new BraidError(reason, message, facts);
}
