/** The cause of a failure, by who can remedy it. */
export type Kind = "request" | "missing" | "market" | "limit" | "upstream" | "bug";

/** Every failure that a caller can see. `number` is public: it is never reused, and names are never changed. */
export const failures = {
  VALIDATION: { number: 1001, kind: "request", title: "A parameter is bad or missing." },
  UNSUPPORTED_CHAIN: { number: 1002, kind: "request", title: "This chain is not served." },
  UNKNOWN_TOKEN: { number: 1003, kind: "request", title: "This address is no known token." },
  SAME_TOKEN: { number: 1004, kind: "request", title: "The token sold and the token bought are the same." },
  NOT_FOUND: { number: 1005, kind: "missing", title: "There is nothing at this path." },
  METHOD_NOT_ALLOWED: { number: 1006, kind: "missing", title: "This path does not answer this method." },
  TOO_LARGE: { number: 1007, kind: "request", title: "A part of the request is too large." },
  TIMEOUT: { number: 1008, kind: "request", title: "The request did not arrive in time." },
  NO_ROUTE: { number: 2000, kind: "market", title: "No liquidity joins these tokens for this amount." },
  IMPACT_TOO_HIGH: {
    number: 2001,
    kind: "market",
    title: "The price impact is above what the request allows.",
  },
  SIMULATION_FAILED: { number: 2100, kind: "market", title: "The transaction reverts when it is run." },
  UNAUTHORIZED: { number: 3001, kind: "limit", title: "The API key is unknown or missing." },
  RATE_LIMITED: { number: 3002, kind: "limit", title: "Too many requests." },
  FORBIDDEN: { number: 3003, kind: "limit", title: "The API key may not be used for this." },
  STALE_STATE: {
    number: 4001,
    kind: "upstream",
    title: "The state of this chain is not fresh enough to price.",
  },
  OVERLOADED: { number: 4002, kind: "upstream", title: "The service is busy." },
  ROUTER_UNAVAILABLE: { number: 4003, kind: "upstream", title: "This chain has no router to swap with." },
  INTERNAL: { number: 5000, kind: "bug", title: "Something that cannot happen has happened." },
} as const satisfies Record<string, { number: number; kind: Kind; title: string }>;

export type FailureReason = keyof typeof failures;

/** One field of a request and what is wrong with it. Must not hold secrets. */
export type Detail = Readonly<{ field: string; reason: string } & Record<string, string | number>>;

/** Longest part of a caller's text that an error repeats, in UTF-16 code units. */
const SHOWN_CHARS = 100;

/** A caller's text as an error repeats it: in short, so that the answer is not many times as long as the request. */
export function shortened(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

/** A failure that a caller can see. The message is shown to the caller; `cause` is not. */
export class BraidError extends Error {
  override readonly name = "BraidError";
  readonly reason: FailureReason;
  readonly details: readonly Detail[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: FailureReason,
    message: string,
    options: { details?: readonly Detail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The answer; undefined where it fails with a BraidError. @throws every other error */
export async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BraidError) return undefined;
    throw error;
  }
}
