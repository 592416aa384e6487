/**
 * OpenTelemetry traces of the service, without a package: `node --import ./scripts/opentelemetry.ts src/main.ts`.
 *
 * A span for each request, with those of its stages and of its requests to nodes and makers, sent as OTLP over HTTP in JSON. Settings
 * are OpenTelemetry's own; without OTEL_EXPORTER_OTLP_ENDPOINT nothing is done. Queries, bodies and the paths of nodes, which may hold
 * wallets and keys, are not in it.
 *
 * @source OTLP 1.3 (JSON over HTTP), W3C Trace Context level 1
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { isMainThread } from "node:worker_threads";

type Attributes = Readonly<Record<string, string | number>>;

type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly isSampled: boolean;
  readonly startMs: number;
};

const SERVER = 2;
const CLIENT = 3;
const INTERNAL = 1;
const FAILED = 2;
const EXPORT_EVERY_MS = 1_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** Spans that wait for their export; more are dropped. */
const MOST_WAITING = 4_096;

const { env } = process;
const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "");
const serviceName = env.OTEL_SERVICE_NAME ?? "braid";
const share = Number(env.OTEL_TRACES_SAMPLER_ARG ?? "1");

/** The request that is in work; undefined where spans are not wanted. */
const current = new AsyncLocalStorage<Span | undefined>();
const spans = new WeakMap<object, Span>();
/** What the service knows of a request: its route, and the id that log lines and answers name. */
const known = new WeakMap<object, { readonly url: string | undefined; readonly id: string }>();
let waiting: object[] = [];
let [dropped, failed] = [0, 0];

const nowMs = () => performance.timeOrigin + performance.now();
const nanos = (ms: number) =>
  BigInt(Math.round(ms * 1_000))
    .toString()
    .concat("000");

function open(parent: Pick<Span, "traceId" | "spanId" | "isSampled"> | undefined): Span {
  const traceId = parent?.traceId ?? randomBytes(16).toString("hex");
  const isSampled = parent?.isSampled ?? Math.random() < share;
  const spanId = randomBytes(8).toString("hex");
  return { traceId, spanId, parentSpanId: parent?.spanId, isSampled, startMs: nowMs() };
}

type Ended = {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Attributes;
  readonly isFailed: boolean;
};

function close(span: Span, { name, kind, attributes, isFailed }: Ended): void {
  if (!span.isSampled) return;
  if (waiting.length >= MOST_WAITING) {
    dropped++;
    return;
  }
  const { traceId, spanId, parentSpanId, startMs } = span;
  waiting.push({
    ...{ traceId, spanId, name, kind, ...(parentSpanId && { parentSpanId }) },
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(nowMs()),
    attributes: listOf(attributes),
    status: isFailed ? { code: FAILED } : {},
  });
}

function listOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
}

/** The caller's span, where its `traceparent` says one. */
function parentOf(header: string | undefined) {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? "") ?? [];
  if (traceId === undefined || /^0+$/.test(traceId) || spanId === undefined || /^0+$/.test(spanId))
    return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}

function on<T>(channel: string, listen: (message: T) => void): void {
  subscribe(channel, (message) => listen(message as T));
}

type Served = { readonly request: IncomingMessage; readonly response: ServerResponse };

function followRequests(): void {
  on<Served>("http.server.request.start", ({ request }) => {
    const { traceparent } = request.headers;
    const span = open(parentOf(typeof traceparent === "string" ? traceparent : undefined));
    spans.set(request, span);
    current.enterWith(span);
  });
  type Handled = {
    readonly request: { readonly raw: object; readonly id: string };
    readonly route: { readonly url?: string };
  };
  on<Handled>("tracing:fastify.request.handler:start", ({ request, route }) => {
    known.set(request.raw, { url: route.url, id: request.id });
  });
  on<Served>("http.server.response.finish", ({ request, response }) => {
    const span = spans.get(request);
    if (span === undefined) return;
    const { method = "_OTHER" } = request;
    const { url: route, id } = known.get(request) ?? {};
    const attributes = {
      "http.request.method": method,
      "http.response.status_code": response.statusCode,
      ...(route !== undefined && { "http.route": route }),
      ...(id !== undefined && { "braid.request_id": id }),
    };
    const name = route === undefined ? method : `${method} ${route}`;
    close(span, { name, kind: SERVER, attributes, isFailed: response.statusCode >= 500 });
  });
  on<{ chainId: number; stage: string; ms: number }>("braid.stage", ({ chainId, stage, ms }) => {
    const request = current.getStore();
    if (request === undefined) return;
    const span = open(request);
    const attributes = { "braid.chain_id": chainId };
    close(
      { ...span, startMs: span.startMs - ms },
      { name: stage, kind: INTERNAL, attributes, isFailed: false },
    );
  });
}

function begin(request: object): void {
  const parent = current.getStore();
  if (parent !== undefined) spans.set(request, open(parent));
}

type Asked = { readonly method: string; readonly hostname: string };

function end(request: object, { method, hostname }: Asked, attributes: Attributes, isFailed: boolean): void {
  const span = spans.get(request);
  if (span === undefined || !spans.delete(request)) return;
  const all = { "http.request.method": method, "server.address": hostname, ...attributes };
  close(span, { name: method, kind: CLIENT, attributes: all, isFailed });
}

const answered = (statusCode: number) =>
  [{ "http.response.status_code": statusCode }, statusCode >= 400] as const;
const broken = ({ name }: Error) => [{ "error.type": name }, true] as const;

type Client = { readonly request: ClientRequest };

/** Requests of Node's HTTP client: to nodes and market makers. */
function followClients(): void {
  const asked = ({ method, host }: ClientRequest): Asked => ({ method, hostname: host });
  on<Client>("http.client.request.created", ({ request }) => begin(request));
  on<Client & { readonly response: IncomingMessage }>(
    "http.client.response.finish",
    ({ request, response }) => end(request, asked(request), ...answered(response.statusCode ?? 0)),
  );
  on<Client & { readonly error: Error }>("http.client.request.error", ({ request, error }) =>
    end(request, asked(request), ...broken(error)),
  );
}

type Sent = { readonly origin: string | URL; readonly method: string };
type Answered = { readonly request: Sent; readonly response: { readonly statusCode: number } };

/** Requests of `fetch`: to token lists and pictures. */
function followFetches(): void {
  const asked = ({ method, origin }: Sent): Asked => ({ method, hostname: new URL(origin).hostname });
  on<{ request: Sent }>("undici:request:create", ({ request }) => begin(request));
  on<Answered>("undici:request:headers", ({ request, response: { statusCode } }) =>
    end(request, asked(request), ...answered(statusCode)),
  );
  on<{ request: Sent; error: Error }>("undici:request:error", ({ request, error }) =>
    end(request, asked(request), ...broken(error)),
  );
}

function headers(): Record<string, string> {
  const pairs = (env.OTEL_EXPORTER_OTLP_HEADERS ?? "").split(",").filter((pair) => pair.includes("="));
  const own = pairs.map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
  });
  return { ...Object.fromEntries(own), "content-type": "application/json" };
}

async function send(): Promise<void> {
  if (waiting.length === 0) return;
  const resource = { attributes: listOf({ "service.name": serviceName }) };
  const body = JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "braid" }, spans: waiting }] }],
  });
  waiting = [];
  try {
    const signal = AbortSignal.timeout(EXPORT_TIMEOUT_MS);
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: "POST",
      headers: headers(),
      body,
      signal,
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`status ${response.status}`);
  } catch (error) {
    failed++;
    // Once is enough: a collector that is gone is no trouble of the service.
    if (failed === 1) process.emitWarning(`traces are not taken: ${(error as Error).message}`);
  }
}

if (endpoint !== undefined && isMainThread) {
  if (!(share >= 0 && share <= 1))
    throw new Error(`OTEL_TRACES_SAMPLER_ARG: 0 to 1 is wanted, not "${env.OTEL_TRACES_SAMPLER_ARG}"`);
  followRequests();
  followClients();
  followFetches();
  const timer = setInterval(() => {
    if (dropped > 0) process.emitWarning(`${dropped} spans were dropped: more came than were taken`);
    dropped = 0;
    void current.run(undefined, send);
  }, EXPORT_EVERY_MS);
  timer.unref();
}
