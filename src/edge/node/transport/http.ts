import { deadlineIn } from "./deadline.ts";
import { openExchange, type Response } from "./exchange.ts";
import { failureOfHttp, NodeFailure } from "./failure.ts";
import { parseJson } from "./parse-json.ts";

/** Sends a JSON-RPC request or a batch; the answer is parsed JSON of unknown shape. */
export type Post = (body: unknown, timeoutMs: number, signal?: AbortSignal) => Promise<unknown>;

/**
 * JSON over HTTP POST with a deadline and a bound on the answer's size.
 *
 * @throws NodeFailure `transport`, `rate-limit`, or `range` where the answer is over the bound
 */
export function httpPost(url: string, maxBytes: number): Post {
  const exchange = openExchange(url, maxBytes);
  return async (body, timeoutMs, signal) => {
    const deadline = deadlineIn(timeoutMs, signal);
    try {
      return parse(await exchange(JSON.stringify(body), deadline.signal));
    } catch (error) {
      if (error instanceof NodeFailure) throw error;
      const why = deadline.isOver() ? `no answer within ${timeoutMs} ms` : "connection failed";
      throw new NodeFailure("transport", why, { cause: error });
    } finally {
      deadline.clear();
    }
  };
}

/**
 * The body as JSON. A JSON-RPC body counts whatever the HTTP status, except 429: providers send reverts with 400 and
 * limits with 200.
 */
function parse({ status, text, retryAfter }: Response): unknown {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    throw failureOfHttp(status, text, retryAfter);
  }
  if (status === 429 || !isAnswer(json)) throw failureOfHttp(status, text, retryAfter);
  return json;
}

function isAnswer(json: unknown): boolean {
  if (Array.isArray(json)) return true;
  return typeof json === "object" && json !== null && ("result" in json || "error" in json);
}
