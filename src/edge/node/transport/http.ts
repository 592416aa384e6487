import { deadlineIn } from "./deadline.ts";
import { failureOfHttp, NodeFailure } from "./failure.ts";

/** Sends a JSON-RPC request or a batch; the answer is parsed JSON of unknown shape. */
export type Post = (body: unknown, timeoutMs: number, signal?: AbortSignal) => Promise<unknown>;

/**
 * JSON over HTTP POST with a deadline and a bound on the answer's size.
 *
 * @throws NodeFailure `transport`, `rate-limit`, or `range` where the answer is over the bound
 */
export function httpPost(url: string, maxBytes: number): Post {
  const { target, headers } = splitCredentials(url);
  return async (body, timeoutMs, signal) => {
    const deadline = deadlineIn(timeoutMs, signal);
    try {
      const response = await fetch(target, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        signal: deadline.signal,
        redirect: "error",
      });
      const text = await readBounded(response, maxBytes);
      return parse(response, text);
    } catch (error) {
      if (error instanceof NodeFailure) throw error;
      const why = deadline.isOver() ? `no answer within ${timeoutMs} ms` : "connection failed";
      throw new NodeFailure("transport", why, { cause: error });
    } finally {
      deadline.clear();
    }
  };
}

/** Moves a URL's user and password into a header: `fetch` refuses such URLs, and nodes behind basic auth are common. */
function splitCredentials(url: string): { target: string; headers: Record<string, string> } {
  const target = new URL(url);
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (target.username !== "") {
    const pair = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    target.username = "";
    target.password = "";
  }
  return { target: target.href, headers };
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.byteLength;
    if (size > maxBytes) throw new NodeFailure("range", `answer over ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/**
 * The body as JSON. A JSON-RPC body counts whatever the HTTP status, except 429: providers send reverts with 400 and
 * limits with 200.
 */
function parse(response: Response, text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw failureOfHttp(response.status, text, response.headers.get("retry-after"));
  }
  if (response.status === 429 || !isAnswer(json)) {
    throw failureOfHttp(response.status, text, response.headers.get("retry-after"));
  }
  return json;
}

function isAnswer(json: unknown): boolean {
  if (Array.isArray(json)) return true;
  return typeof json === "object" && json !== null && ("result" in json || "error" in json);
}
