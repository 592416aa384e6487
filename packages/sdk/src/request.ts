import { BraidError, type ErrorDetail, refuse } from "./error.ts";
import { operations } from "./generated/api.ts";
import { readIntegers, requireFields } from "./integers.ts";
import { pause } from "./pause.ts";
import { isObject } from "./wallet/wallet-error.ts";

/** Connection settings of a client. */
export type Transport = {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal | undefined;
  /** Number of retries where the service answers with Retry-After. */
  readonly retries: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * "manual" with an API key, as `fetch` sends a header of this name wherever a redirect leads. Some environments, such
   * as Cloudflare's workers, have no "error".
   */
  readonly redirect: "follow" | "manual";
};

/** Options of a single call. */
export type CallOptions = { readonly signal?: AbortSignal | undefined };

type Name = keyof typeof operations;
type Parameters = Readonly<Record<string, unknown>>;

/** Timeout of one attempt. */
const ATTEMPT_MS = 30_000;
/** Longest body that is read: some times that of the largest token list. */
const MOST_BYTES = 32_000_000;
/** Longest Retry-After that is waited for; with a longer one, the failure is thrown at once. */
const LONGEST_WAIT_SECONDS = 30;
/** Statuses with which the service has not processed the request, so that it can be sent again. */
const RETRIED = [429, 503];

/**
 * Calls one operation. All operations are reads, so retries are safe. A request is retried only after 429 or 503 with a
 * Retry-After of at most 30 s.
 *
 * @throws BraidError the service's own failure, UNREACHABLE or BAD_ANSWER
 */
export async function ask<T>(
  transport: Transport,
  name: Name,
  parameters: Parameters,
  options: CallOptions = {},
): Promise<T> {
  for (let left = transport.retries; ; left--) {
    const outcome = await attempt<T>(transport, name, parameters, options);
    if (!(outcome instanceof BraidError)) return outcome.answer;
    const seconds = outcome.retryAfterSeconds;
    const again = left > 0 && RETRIED.includes(outcome.status) && seconds !== undefined;
    if (!again || seconds > LONGEST_WAIT_SECONDS) throw outcome;
    await pause(seconds * 1000, signalOf(transport, options));
  }
}

async function attempt<T>(
  transport: Transport,
  name: Name,
  parameters: Parameters,
  options: CallOptions,
): Promise<{ answer: T } | BraidError> {
  const { url, ...init } = requestOf(transport, name, parameters);
  const limits = [AbortSignal.timeout(ATTEMPT_MS), ...signalOf(transport, options)];
  let response: Response;
  let text: string;
  try {
    response = await transport.fetch(url, {
      ...init,
      ...freshness(name),
      redirect: transport.redirect,
      signal: AbortSignal.any(limits),
    });
    refuseRedirect(transport, response);
    text = await textOf(response);
  } catch (cause) {
    for (const signal of signalOf(transport, options)) signal.throwIfAborted();
    // Next.js ends a static rendering by an error with a digest, which it has to receive itself.
    if (typeof (Object(cause) as { digest?: unknown }).digest === "string") throw cause;
    throw refuse("UNREACHABLE", `No answer in JSON from ${transport.url}: ${messageOf(cause)}.`, { cause });
  }
  const body = parsed(text);
  if (body === undefined) return noJson(transport, response);
  if (!response.ok) return failureOf(response, body);
  if (typeof body !== "object" || body === null)
    throw refuse("BAD_ANSWER", `The service answered ${text.slice(0, 100)}, which is no object.`);
  requireFields(body, operations[name].required);
  readIntegers(body, operations[name].integers);
  return { answer: body as T };
}

function signalOf(transport: Transport, { signal }: CallOptions): AbortSignal[] {
  return [transport.signal, signal].filter((each) => each !== undefined);
}

function requestOf(transport: Transport, name: Name, parameters: Parameters) {
  const { method, path } = operations[name];
  const { chainID, ...rest } = parameters;
  const url = `${transport.url}${path.replace("{chainID}", encodeURIComponent(String(chainID)))}`;
  if (method === "POST") {
    const body = JSON.stringify(rest, (_key, value) => (typeof value === "bigint" ? String(value) : value));
    return { url, method, body, headers: { ...transport.headers, "content-type": "application/json" } };
  }
  const query = queryOf(rest);
  return { url: query === "" ? url : `${url}?${query}`, method, headers: { ...transport.headers } };
}

/**
 * Keeps answers out of every cache. Frameworks such as Next.js keep those of `fetch` until the next build, whatever the
 * service's Cache-Control says, unless the request forbids it. Lists of tokens may be cached as their answer says.
 */
function freshness(name: Name): RequestInit {
  // Cloudflare's workers of before 2024-11-11 have no such field, and refuse it.
  const isKnown = "cache" in (globalThis.Request?.prototype ?? {});
  return isKnown && name !== "chainTokens" ? { cache: "no-store" } : {};
}

function queryOf(parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  return query.toString();
}

/** @throws Error where the response is a redirect that was not followed; a browser shows it without its status */
function refuseRedirect({ redirect }: Transport, response: Response): void {
  const leads = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  if (redirect === "follow" || !leads) return;
  response.body?.cancel().catch(() => undefined);
  throw new Error("it redirects, and a request with an API key follows no redirect");
}

/** The body as text. @throws Error where it is longer than `MOST_BYTES` */
async function textOf(response: Response): Promise<string> {
  // Some environments, such as React Native, have no streams.
  const reader = response.body?.getReader?.();
  if (reader === undefined) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MOST_BYTES) {
      reader.cancel().catch(() => undefined);
      throw new Error(`the answer is longer than ${MOST_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** @returns undefined where the text is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The failure of an answer that is no JSON, as proxies in front of the service send them. */
function noJson(transport: Transport, response: Response): BraidError {
  return refuse("UNREACHABLE", `No answer in JSON from ${transport.url}: HTTP ${response.status}.`, {
    status: response.status,
    retryAfterSeconds: retryAfter(response.headers.get("retry-after")),
  });
}

function failureOf(response: Response, body: unknown): BraidError {
  const told = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const message = typeof told.message === "string" ? told.message : `HTTP ${response.status}`;
  return new BraidError(typeof told.reason === "string" ? told.reason : "BAD_ANSWER", message, {
    code: typeof told.code === "number" ? told.code : 0,
    status: response.status,
    details: Array.isArray(told.details) ? (told.details.filter(isObject) as ErrorDetail[]) : [],
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfter(response.headers.get("retry-after")),
  });
}

/** Seconds of a Retry-After header, which has a number or a date; undefined where it is missing or invalid. */
export function retryAfter(text: string | null): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function messageOf(cause: unknown): string {
  const { message, cause: inner } = Object(cause) as { message?: string; cause?: { message?: string } };
  return inner?.message ?? message ?? String(cause);
}
