import { type BraidError, type FailureReason, failures } from "../core/errors.ts";

/** HTTP status by failure reason. TOO_LARGE is 413 here, which is for a body; `statusFor` also gives 414 and 431. */
export const statusOf: Record<FailureReason, number> = {
  VALIDATION: 400,
  UNSUPPORTED_CHAIN: 400,
  UNKNOWN_TOKEN: 400,
  SAME_TOKEN: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  TOO_LARGE: 413,
  TIMEOUT: 408,
  NO_ROUTE: 400,
  IMPACT_TOO_HIGH: 400,
  SIMULATION_FAILED: 422,
  UNAUTHORIZED: 401,
  RATE_LIMITED: 429,
  FORBIDDEN: 403,
  STALE_STATE: 503,
  OVERLOADED: 503,
  ROUTER_UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** Status of TOO_LARGE by the part that is too large, for parts other than the body. */
const tooLargeStatus: Readonly<Record<string, number>> = { url: 414, path: 414, headers: 431 };

/** The HTTP status of one failure. */
export function statusFor({ reason, details }: BraidError): number {
  const part = reason === "TOO_LARGE" ? details[0]?.field : undefined;
  return tooLargeStatus[part ?? ""] ?? statusOf[reason];
}

/** The last part of a failure's `type`: "NO_ROUTE" → "no-route". */
export function slugOf(reason: FailureReason): string {
  return reason.toLowerCase().replaceAll("_", "-");
}

/** The failure reason of a slug; undefined for an unknown slug. */
export function reasonOf(slug: string): FailureReason | undefined {
  return (Object.keys(failures) as FailureReason[]).find((reason) => slugOf(reason) === slug);
}
