import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { TLSSocket } from "node:tls";
import { isNestedBeyond, MOST_NESTED } from "../../../core/nesting.ts";
import { isLoopbackHost, publicLookup } from "../../public-addresses.ts";
import type { MakerSettings } from "../makers-file.ts";
import { SIGNATURE_HEADER, signRequest, TIMESTAMP_HEADER } from "./signed-request.ts";

/** A maker's response; `json` is undefined where the body is empty, or where a failure has a body that is not JSON. */
export type MakerAnswer = { readonly status: number; readonly json: unknown };

type Asked = { readonly path: string; readonly body?: object; readonly timeoutMs: number };

/**
 * Sends a request to one maker: POST with a body, else GET. Rejects with LateError at the deadline, else with the
 * cause.
 */
export type AskMaker = (asked: Asked) => Promise<MakerAnswer>;

export class LateError extends Error {
  /** How long the maker had the request, milliseconds: from when it was sent over an open connection. */
  readonly hadMs: number;

  constructor(timeoutMs: number, hadMs: number) {
    super(`no answer in ${timeoutMs} ms`);
    this.hadMs = hadMs;
  }
}

const MAX_BYTES = 256 * 1024;
const MAX_SOCKETS = 32;

/** Overrides of the connection, for tests. */
type Reach = {
  /** Resolves host names. Absent: only to public addresses. */
  readonly lookup?: LookupFunction;
  /** CA certificates, in PEM, that replace the default ones. */
  readonly ca?: string;
};

/**
 * Connects to a maker of the allow-list by HTTP: only to public addresses (loopback is allowed for a devnet), without
 * following redirects, with bounded size and time. Requests are signed where the maker has a secret.
 */
export function connectMaker(
  { url, secret }: Pick<MakerSettings, "url" | "secret">,
  { lookup = publicLookup, ca }: Reach = {},
): { ask: AskMaker; close(): void } {
  const base = new URL(url);
  const isPlain = base.protocol === "http:";
  const trusted = ca === undefined ? {} : { ca };
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS, ...trusted };
  const agent = isPlain ? new HttpAgent(options) : new HttpsAgent(options);
  const send = isPlain ? httpRequest : httpsRequest;
  const guarded = isLoopbackHost(base.hostname) ? trusted : { ...trusted, lookup };
  return {
    close: () => agent.destroy(),
    ask: ({ path, body, timeoutMs }) => {
      const text = body === undefined ? "" : JSON.stringify(body);
      const method = body === undefined ? "GET" : "POST";
      const headers = {
        accept: "application/json",
        "x-request-timeout": String(timeoutMs),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...signed(secret, `${method} ${path}`, text),
      };
      const begin = (through: HttpAgent | false) =>
        send(`${url}${path}`, { ...guarded, agent: through, method, headers }).end(text);
      return answerOf(() => begin(agent), { again: () => begin(false), timeoutMs });
    },
  };
}

/** How to send the same request over a connection of its own, and the time for all. */
type Terms = { readonly again: () => ClientRequest; readonly timeoutMs: number };

/**
 * The answer to a request. A maker may close an idle connection at the moment when it is used again, which is no fault of
 * the maker's: then the request is sent once more over a new connection.
 */
function answerOf(first: () => ClientRequest, { again, timeoutMs }: Terms): Promise<MakerAnswer> {
  return new Promise((resolve, reject) => {
    const endMs = performance.now() + timeoutMs;
    let openMs = endMs;
    let sent: ClientRequest;
    let isOver = false;
    const fail = (error: Error) => {
      settle();
      isOver = true;
      reject(error);
      sent.destroy();
    };
    const attempt = (begin: () => ClientRequest) => {
      sent = begin();
      let isAnswered = false;
      onceOpen(sent, () => {
        openMs = performance.now();
      });
      sent.on("response", (response) => {
        isAnswered = true;
        read(response).then(resolve, reject).finally(settle);
      });
      sent.on("error", (error) => {
        if (sent.reusedSocket && !isAnswered && !isOver) attempt(again);
        else fail(error);
      });
      // Without this listener Node closes the connection and emits no error.
      sent.on("upgrade", () => fail(new Error("status 101: the protocol is not changed")));
    };
    attempt(first);
    const settle = deadline(timeoutMs, () => fail(new LateError(timeoutMs, Math.max(0, endMs - openMs))));
  });
}

/**
 * Calls `opened` when a request has an open connection. Before that it may wait for one of MAX_SOCKETS to be free, or
 * for a new one to be established.
 */
function onceOpen(sent: ClientRequest, opened: () => void): void {
  sent.once("socket", (socket) => {
    if (!socket.connecting) opened();
    else socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", opened);
  });
}

/**
 * Calls `late` after `ms`, once the event loop has handled all data that had arrived by then: an answer that waited
 * because this thread was busy is not late.
 *
 * @returns a function that cancels the call
 */
function deadline(ms: number, late: () => void): () => void {
  let isOver = false;
  const timer = setTimeout(() => setImmediate(() => isOver || late()), ms);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function signed(secret: string | undefined, line: string, body: string): Record<string, string> {
  if (secret === undefined) return {};
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = signRequest({ secret, timestamp, line, body });
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature };
}

async function read(response: IncomingMessage): Promise<MakerAnswer> {
  const status = response.statusCode ?? 0;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > MAX_BYTES) throw new Error(`an answer over ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return { status, json: size === 0 ? undefined : parsed(status, Buffer.concat(parts).toString("utf8")) };
}

/**
 * Parses a JSON body. A failure status may come with a body that is not JSON, such as an HTML page, which is ignored.
 *
 * @throws Error where lists are nested so deep that parsing them would hold up this thread; SyntaxError where the status
 *   is below 300 and the body is not JSON
 */
function parsed(status: number, text: string): unknown {
  if (isNestedBeyond(text, MOST_NESTED)) throw new Error("an answer that is nested too deeply");
  try {
    return JSON.parse(text);
  } catch (error) {
    if (status < 300) throw error;
    return undefined;
  }
}
