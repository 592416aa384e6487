import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const ALLOWED_METHODS = "GET, POST, OPTIONS";
const ALLOWED_HEADERS = "X-Api-Key, Authorization, Content-Type, Accept, X-Request-Id, Last-Event-ID";
const EXPOSED_HEADERS = "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";
const PREFLIGHT_SECONDS = 86_400;

/** Headers of every response: CORS for all origins, no MIME sniffing, no caching by default, and the request id. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED_HEADERS,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "x-request-id": requestId,
  };
}

/** Headers of the response to a CORS preflight. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  allow: ALLOWED_METHODS,
  "access-control-allow-methods": ALLOWED_METHODS,
  "access-control-allow-headers": ALLOWED_HEADERS,
  "access-control-max-age": String(PREFLIGHT_SECONDS),
};

const SANE_ID = /^[\w.:-]{1,128}$/;

/** The X-Request-Id header where its characters and length are safe to log and return, else a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && SANE_ID.test(given) ? given : randomUUID();
}
