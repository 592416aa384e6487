import { BraidError, type Detail, failures } from "../core/errors.ts";
import { slugOf, statusFor } from "./status.ts";

/** Body of every error response: the API's own fields, and those of a problem document (RFC 9457). */
export type FailureBody = {
  readonly error: string;
  readonly message: string;
  readonly code: number;
  readonly reason: string;
  readonly details: readonly Detail[];
  readonly request_id: string;
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
};

/** The parts of a request that an error response depends on. `url` is empty for a request that could not be parsed. */
type Asked = { readonly id: string; readonly url: string; readonly accept: string | undefined };

/** An error response. */
type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const PROBLEM = "application/problem+json";
const REFUSED = /;\s*q=0(\.0*)?\s*$/;

/** application/problem+json where the Accept header names it with a weight above 0, else application/json. */
function contentType(accept: string | undefined): string {
  const wanted = (accept ?? "").toLowerCase().split(",");
  const named = wanted.some((range) => range.trim().startsWith(PROBLEM) && !REFUSED.test(range));
  return `${named ? PROBLEM : "application/json"}; charset=utf-8`;
}

/** The error response for a failure. */
export function answerOf(error: BraidError, asked: Asked): Answer {
  const status = statusFor(error);
  const { number, title } = failures[error.reason];
  const body: FailureBody = {
    error: error.message,
    message: error.message,
    code: number,
    reason: error.reason,
    details: error.details,
    request_id: asked.id,
    type: `/errors/${slugOf(error.reason)}`,
    title,
    status,
    detail: error.message,
    instance: asked.url.split("?", 1)[0]!,
  };
  const headers: Record<string, string> = { "content-type": contentType(asked.accept) };
  if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(error.retryAfterSeconds);
  return { status, headers, body: JSON.stringify(body) };
}

type Coded = { code?: unknown; statusCode?: unknown; message?: unknown };

/** Failures for the error codes that Fastify itself throws. */
const framework: Readonly<Record<string, () => BraidError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => tooLarge("body", "The request body is too large."),
  FST_ERR_MAX_PARAM_LENGTH: () => tooLarge("path", "A part of the path is too long."),
  FST_ERR_BAD_URL: () => badRequest("path", "holds a percent sign that encodes nothing"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badRequest("Content-Length", "does not match the body"),
};

/** Converts anything thrown to a failure. Unexpected errors become INTERNAL, without their own message. */
export function failureOf(thrown: unknown): BraidError {
  if (thrown instanceof BraidError) return thrown;
  const { code, statusCode } = (thrown ?? {}) as Coded;
  const known = typeof code === "string" ? framework[code] : undefined;
  if (known !== undefined) return known();
  if (statusCode === 404) return notFound();
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) {
    return badRequest("request", "cannot be read");
  }
  return new BraidError("INTERNAL", "Something went wrong here. The request id finds it in the log.");
}

/** A failure that names one bad part of a request. */
export function badRequest(field: string, reason: string): BraidError {
  const details = [{ field, reason }];
  return new BraidError("VALIDATION", `Bad request: ${field} ${reason}.`, { details });
}

/** A failure for a request that is too large. The part decides the HTTP status: 413, 414 or 431. */
export function tooLarge(part: "body" | "url" | "path" | "headers", message: string): BraidError {
  return new BraidError("TOO_LARGE", message, { details: [{ field: part, reason: "too large" }] });
}

export function notFound(): BraidError {
  return new BraidError("NOT_FOUND", "There is nothing at this path. /openapi.json lists what there is.");
}
