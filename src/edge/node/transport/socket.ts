import { type Deadline, deadlineIn } from "./deadline.ts";
import { NodeFailure } from "./failure.ts";
import { hangUp } from "./hang-up.ts";
import type { Post } from "./http.ts";
import { parseJson } from "./parse-json.ts";

/**
 * A JSON-RPC client over a websocket that connects at the first request, and again at the first after a lost
 * connection.
 */
type Socket = { readonly post: Post; close(): void };

type SocketEvents = {
  /** Called with what a subscription pushes. It is only a hint: the new state is asked for by requests. */
  readonly onWake: (pushed: unknown) => void;
  /** Called when the connection is lost; another node may answer the next one. */
  readonly onDrop: () => void;
};

type Waiting = { resolve(answer: unknown): void; reject(failure: NodeFailure): void };
type Line = {
  readonly ws: WebSocket;
  /** Resolves once requests may be sent. */
  readonly opened: Promise<void>;
  readonly waiting: Map<number, Waiting>;
  /** Number of messages that came. */
  heard: number;
};

/**
 * Opens a client. Each item of a batch is sent as a message of its own: a websocket needs no batches, and not every
 * node accepts an array on one. A connection over which nothing came while a request waited for its whole time is given
 * up: where a router on the way forgot it, neither side is told.
 *
 * @throws NodeFailure `transport`
 */
export function openSocket(url: string, maxBytes: number, events: SocketEvents): Socket {
  let current: Line | undefined;

  const drop = (line: Line, why: string) => {
    for (const { reject } of line.waiting.values()) reject(new NodeFailure("transport", why));
    line.waiting.clear();
    hangUp(line.ws);
    if (current !== line) return;
    current = undefined;
    events.onDrop();
  };
  const post: Post = async (body, timeoutMs, signal) => {
    current ??= dial(url, maxBytes, events.onWake, drop);
    const line = current;
    const { heard } = line;
    const deadline = deadlineIn(timeoutMs, signal);
    try {
      return await askAll(line, body, deadline, timeoutMs);
    } catch (error) {
      if (deadline.isOver() && line.heard === heard) drop(line, "the connection is silent");
      throw error;
    } finally {
      deadline.clear();
    }
  };
  return {
    post,
    close() {
      if (current !== undefined) hangUp(current.ws);
      current = undefined;
    },
  };
}

async function askAll(line: Line, body: unknown, { signal }: Deadline, timeoutMs: number): Promise<unknown> {
  await abortable(line.opened, signal, timeoutMs);
  const requests = (Array.isArray(body) ? body : [body]) as { id: number }[];
  const asked = requests.map((request) => ask(line, request, signal, timeoutMs));
  // All of them end before the deadline is cleared, also after one has failed.
  await Promise.allSettled(asked);
  const answers = await Promise.all(asked);
  return Array.isArray(body) ? answers : answers[0];
}

function dial(
  url: string,
  maxBytes: number,
  onWake: SocketEvents["onWake"],
  drop: (line: Line, why: string) => void,
): Line {
  const ws = new WebSocket(url);
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  // Whoever waits for it gets the rejection; nobody may wait any more.
  opened.catch(() => undefined);
  const line: Line = { ws, opened, waiting: new Map(), heard: 0 };
  ws.onopen = () => resolve();
  ws.onmessage = ({ data }) => {
    line.heard++;
    if (typeof data === "string" && data.length <= maxBytes) takeMessage(line, data, onWake);
    else hangUp(ws);
  };
  ws.onclose = () => {
    reject(new NodeFailure("transport", "connection refused"));
    drop(line, "connection lost");
  };
  ws.onerror = () => hangUp(ws);
  return line;
}

function takeMessage(line: Line, data: string, onWake: SocketEvents["onWake"]): void {
  let message: { id?: unknown; method?: unknown; params?: { result?: unknown } | null } | null;
  try {
    message = parseJson(data) as typeof message;
  } catch {
    hangUp(line.ws);
    return;
  }
  if (message?.method === "eth_subscription") {
    onWake(message.params?.result);
    return;
  }
  const waiting = typeof message?.id === "number" ? line.waiting.get(message.id) : undefined;
  waiting?.resolve(message);
}

async function ask(
  { ws, waiting }: Line,
  request: { id: number },
  signal: AbortSignal,
  timeoutMs: number,
): Promise<unknown> {
  const answer = new Promise((resolve, reject) => waiting.set(request.id, { resolve, reject }));
  try {
    ws.send(JSON.stringify(request));
    return await abortable(answer, signal, timeoutMs);
  } finally {
    waiting.delete(request.id);
  }
}

function abortable<T>(work: Promise<T>, signal: AbortSignal, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new NodeFailure("transport", `no answer within ${timeoutMs} ms`));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
