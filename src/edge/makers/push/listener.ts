import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Logger } from "pino";
import { isNestedBeyond, MOST_NESTED } from "../../../core/nesting.ts";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from "../wire/signed-request.ts";
import { type Clocks, createAdmission, MAKER_HEADER, notSigned, type Signed } from "./admit.ts";
import type { Pusher, Refusal } from "./pusher.ts";
import { createStrangers, type StrangerLimits, type Strangers } from "./strangers.ts";
import { answerUnread, MAX_HEADER_BYTES, told } from "./unread.ts";

const MAX_BYTES = 256 * 1024;
const MAX_CONNECTIONS = 256;
/** Idle time after which a connection is closed. Makers push more often than this, over one connection. */
const KEEP_ALIVE_MS = 10_000;

/** Limits on callers that have not signed a push as a maker. */
export type PushLimits = StrangerLimits & {
  /**
   * Time within which a request must arrive whole; for the first request, counted from the opening of the connection.
   */
  readonly requestMs: number;
  /** Interval at which `requestMs` is enforced. */
  readonly checkMs: number;
};

const LIMITS: PushLimits = {
  ...{ connections: 192, connectionsOfAddress: 16, connectionsOfMaker: 16, refusalsAMinute: 60 },
  ...{ requestMs: 2_000, checkMs: 500 },
};

type ListenRequest = Clocks & {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly pushers: readonly Pusher[];
  /** Number of proxies in front that each append to X-Forwarded-For; 0 = the caller's address is that of the socket. */
  readonly trustedProxies?: number;
  /** Overrides of the default limits. */
  readonly limits?: Partial<PushLimits>;
  readonly log: Logger;
};

export type PushListener = { readonly port: number; close(): Promise<void> };

/**
 * Serves `POST /levels`, by which makers push their levels, on a separate port: a flood of it does not use up the
 * connections of the public API, and an operator can restrict the port to makers by a firewall.
 *
 * @throws Error where the address cannot be bound
 */
export async function openPushListener(request: ListenRequest): Promise<PushListener> {
  const { host, port, pushers, trustedProxies = 0, log, ...clocks } = request;
  const limits = limitsOf(request);
  const desk: Desk = {
    byName: new Map(pushers.map((pusher) => [pusher.name, pusher])),
    admit: createAdmission(clocks),
    strangers: createStrangers(limits, clocks.monotonicMs),
    addressOf: (message) => addressOf(message, trustedProxies),
    limits,
  };
  const timeouts = { requestTimeout: limits.requestMs, headersTimeout: limits.requestMs };
  const sizes = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS };
  const options = { ...sizes, ...timeouts, connectionsCheckingInterval: limits.checkMs };
  const server = createServer(options, (message, response) => {
    serve(desk, message).then(
      (refusal) => answer(response, refusal, desk.strangers.has(message.socket)),
      (error: unknown) => {
        // A request that the caller cut off is not an error of this server.
        if (!message.complete) return message.socket.destroy();
        log.error({ err: error }, "a push of levels failed");
        answer(response, { status: 500, why: "an error of this server" }, true);
      },
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connection", desk.strangers.enter);
  server.on("clientError", (error: Error, socket: Socket) => {
    desk.strangers.refused(socket, socket.remoteAddress ?? "");
    answerUnread(error, socket, limits.requestMs);
  });
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Behind a proxy, all connections come from its address, so the default limit per address is lifted. */
function limitsOf({ limits, trustedProxies = 0 }: ListenRequest): PushLimits {
  const shared = trustedProxies > 0 ? { connectionsOfAddress: Number.POSITIVE_INFINITY } : {};
  return { ...LIMITS, ...shared, ...limits };
}

/** The entry of X-Forwarded-For that the outermost trusted proxy wrote; without one, the address of the socket. */
function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const entries = String(headers["x-forwarded-for"] ?? "").split(",");
  const forwarded = trustedProxies > 0 ? entries.at(-trustedProxies)?.trim() : undefined;
  return forwarded || (socket.remoteAddress ?? "");
}

type Desk = {
  readonly byName: ReadonlyMap<string, Pusher>;
  readonly admit: ReturnType<typeof createAdmission>;
  readonly strangers: Strangers;
  readonly addressOf: (message: IncomingMessage) => string;
  readonly limits: PushLimits;
};

/** Handles one request. @returns why it is refused; undefined where the levels are accepted */
async function serve(desk: Desk, message: IncomingMessage): Promise<Refusal | undefined> {
  const { strangers, limits } = desk;
  const { socket } = message;
  const address = desk.addressOf(message);
  if (!strangers.isHeard(socket, address))
    return {
      status: 429,
      why: `address: ${address}: more than ${limits.refusalsAMinute} refused requests in a minute`,
    };
  const refusal = await take(desk, message, address);
  if (refusal !== undefined) strangers.refused(socket, address);
  return refusal;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function take(
  { byName, admit, strangers }: Desk,
  request: IncomingMessage,
  address: string,
): Promise<Refusal | undefined> {
  const { url, method, socket } = request;
  if (url !== "/levels") return { status: 404, why: `path: ${told(url)} is not here, only /levels is` };
  if (method !== "POST") return { status: 405, why: `method: ${told(method)}: levels are pushed by POST` };
  const { name, ...signed } = headersOf(request);
  const pusher = byName.get(name);
  // The body is read only for a known name.
  if (pusher === undefined) return { status: 401, why: notSigned(name) };
  const body = await bodyOf(request);
  if (typeof body === "string") return { status: 413, why: body };
  const admission = admit(pusher, { ...signed, body });
  if ("refusal" in admission) return admission.refusal;
  strangers.leave(socket, name, address);
  const text = body.toString("utf8");
  // Parsing very deep lists would hold up this thread.
  if (isNestedBeyond(text, MOST_NESTED)) return { status: 400, why: "body: is nested too deeply" };
  const levels = parsed(text);
  return levels === undefined
    ? { status: 400, why: `body: ${told(text)} is no JSON` }
    : pusher.push(levels, admission.ageMs);
}

function headersOf({ headers }: IncomingMessage): Omit<Signed, "body"> & { name: string } {
  const text = (name: string) => String(headers[name] ?? "");
  return { name: text(MAKER_HEADER), timestamp: text(TIMESTAMP_HEADER), signature: text(SIGNATURE_HEADER) };
}

/**
 * @returns the body, or the reason in words where it is too large; nothing is read where Content-Length is too large
 */
async function bodyOf(request: IncomingMessage): Promise<Buffer | string> {
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > MAX_BYTES) return `body: ${length} bytes, more than ${MAX_BYTES}`;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > MAX_BYTES) return `body: ${size} bytes so far, more than ${MAX_BYTES}`;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Responds; closes the connection of a caller that has not signed a push, and one whose request was not read whole. */
function answer(response: ServerResponse, refusal: Refusal | undefined, isStranger: boolean): void {
  if (response.destroyed) return;
  const ending = response.req.complete && !isStranger ? {} : { connection: "close" };
  if (refusal === undefined) return void response.writeHead(204, ending).end();
  const wait = refusal.status === 429 ? { "retry-after": "1" } : {};
  const allow = refusal.status === 405 ? { allow: "POST" } : {};
  const headers = { "content-type": "application/json", ...ending, ...wait, ...allow };
  response.writeHead(refusal.status, headers).end(JSON.stringify({ error: refusal.why }));
}
