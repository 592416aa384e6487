import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const ALLOWED_METHODS = "GET, POST, OPTIONS";
const ALLOWED_HEADERS = "X-Api-Key, Authorization, Content-Type, Accept, X-Request-Id";
const EXPOSED_HEADERS = "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";
const PREFLIGHT_SECONDS = 86_400;

/** On every answer: any origin may read it, no browser guesses its type, and it can be found in the log. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED_HEADERS,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "x-request-id": requestId,
  };
}

/** What a browser asks for before it sends a request from another origin. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  allow: ALLOWED_METHODS,
  "access-control-allow-methods": ALLOWED_METHODS,
  "access-control-allow-headers": ALLOWED_HEADERS,
  "access-control-max-age": String(PREFLIGHT_SECONDS),
};

const SANE_ID = /^[\w.:-]{1,128}$/;

/** The caller's own request id where it is safe to log and to echo, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && SANE_ID.test(given) ? given : randomUUID();
}
