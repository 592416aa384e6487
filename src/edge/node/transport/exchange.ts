import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { NodeFailure } from "./failure.ts";

/** An HTTP response whose body was read and decompressed. */
export type Response = {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
};

/** Sends a body by POST. Rejects where the connection fails, the signal aborts or the answer is over the bound. */
export type Exchange = (body: string, signal: AbortSignal) => Promise<Response>;

/**
 * Milliseconds after which an idle connection is closed: before most servers close theirs, and before a firewall forgets
 * it, after which a request would be answered by nobody.
 */
const IDLE_MS = 4_000;

/**
 * Exchanges with one address over connections that are kept alive. Redirects are not followed: their answer is returned.
 * Node's `http` takes a third of the processor time of `fetch`.
 *
 * @param maxBytes bound on the decompressed body, over which the exchange rejects with NodeFailure `range`
 */
export function openExchange(url: string, maxBytes: number): Exchange {
  const { target, headers } = splitCredentials(url);
  const isPlain = target.protocol === "http:";
  const options = { keepAlive: true, timeout: IDLE_MS };
  const agent = isPlain ? new HttpAgent(options) : new HttpsAgent(options);
  const send = isPlain ? httpRequest : httpsRequest;
  return async (body, signal) => {
    const begin = (through: HttpAgent | false) =>
      send(target, { agent: through, method: "POST", headers, signal }).end(body);
    const response = await answerOf(begin(agent), () => begin(false));
    return {
      status: response.statusCode ?? 0,
      retryAfter: response.headers["retry-after"] ?? null,
      text: await readBounded(response, maxBytes),
    };
  };
}

/** Moves a URL's user and password into a header, as nodes behind basic auth are common. */
function splitCredentials(url: string): { target: URL; headers: Record<string, string> } {
  const target = new URL(url);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "*/*",
    "accept-encoding": "gzip",
    "user-agent": "node",
  };
  if (target.username !== "") {
    const pair = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    target.username = "";
    target.password = "";
  }
  return { target, headers };
}

/**
 * The response to a request. A server may close an idle connection at the moment when it is used again: then the request,
 * which only reads, is sent once more over a new connection.
 */
function answerOf(sent: ClientRequest, again?: () => ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    let isRepeated = false;
    sent.once("response", (response) => {
      isAnswered = true;
      resolve(response);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === "ECONNRESET" || error.code === "EPIPE";
      isRepeated = sent.reusedSocket && isClosed && !isAnswered && again !== undefined;
      if (isRepeated) answerOf(again!()).then(resolve, reject);
      else reject(error);
    });
    // Where a server wants another protocol, Node closes the connection and emits no error.
    sent.once("close", () => {
      if (!isRepeated) reject(new Error("the connection was closed without an answer"));
    });
  });
}

async function readBounded(response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of decoded(response) as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > maxBytes) throw new NodeFailure("range", `answer over ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The body without its compression. An error of either stream ends both. */
function decoded(response: IncomingMessage): Readable {
  const encoding = response.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return response;
  if (encoding === "gzip" || encoding === "x-gzip")
    return pipeline(response, createGunzip(), () => undefined);
  response.destroy();
  throw new NodeFailure(
    "transport",
    `the answer is compressed by ${encoding.slice(0, 20)}, which was not asked for`,
  );
}
