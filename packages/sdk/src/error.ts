/** A bad field or a fact, as the service or the SDK names it. */
export type ErrorDetail = {
  readonly field: string;
  readonly reason: string;
  readonly [fact: string]: string | number;
};

/** Why the SDK itself refused; the service's own reasons are in its table of errors. */
export type ClientReason =
  /** A text is no amount, or has more decimals than its token. */
  | "BAD_AMOUNT"
  /** The service answered something that its interface does not name. */
  | "BAD_ANSWER"
  /** The transaction is not mined and the wallet's node no longer knows it. */
  | "DROPPED"
  /** The wallet holds less of the token sold than the swap takes. */
  | "INSUFFICIENT_BALANCE"
  /** No receipt within the time allowed; `details` name the transaction, which may still be mined. */
  | "NOT_MINED"
  /** The price moved beyond what was agreed while an approval or a signature was on its way. */
  | "PRICE_MOVED"
  /** A quote is not what was asked for: nothing of it was signed or sent. `details` name each difference. */
  | "QUOTE_MISMATCH"
  /** Another transaction of the wallet with the same nonce was mined in the place of this one. */
  | "REPLACED"
  /**
   * The transaction was mined and reverted. Where its minimum was the reason, `details` have the field `slippage` with
   * `would_have_paid` and `enough_percent`.
   */
  | "REVERTED"
  /** Nothing answered at the service's address. */
  | "UNREACHABLE"
  /** The wallet could not do what it was asked for. */
  | "WALLET_FAILED"
  /** The wallet's owner said no. */
  | "WALLET_REFUSED"
  /** The wallet is on another chain than the one named. */
  | "WRONG_CHAIN";

type Facts = {
  /** Public number of the service's reason; 0 for a reason of the SDK. */
  readonly code?: number;
  /** HTTP status; 0 where no answer is behind it. */
  readonly status?: number;
  readonly details?: readonly ErrorDetail[];
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
};

/** Everything that the SDK throws on purpose. Branch on `reason`; the message is for people. */
export class BraidError extends Error {
  override readonly name = "BraidError";
  readonly reason: string;
  readonly code: number;
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  /** Finds the request in the service's log. */
  readonly requestId: string | undefined;
  /** When it makes sense to ask again. */
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

/** A failure of the SDK itself. */
export function refuse(reason: ClientReason, message: string, facts: Facts = {}): BraidError {
  return new BraidError(reason, message, facts);
}
