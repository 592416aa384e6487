import { deadlineIn } from "./deadline.ts";
import { NodeFailure } from "./failure.ts";
import type { Post } from "./http.ts";

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
type Line = { readonly ws: WebSocket; readonly waiting: Map<number, Waiting> };

/**
 * Opens a client. Each item of a batch is sent as a message of its own: a websocket needs no batches, and not every
 * node accepts an array on one.
 *
 * @throws NodeFailure `transport`
 */
export function openSocket(url: string, maxBytes: number, events: SocketEvents): Socket {
  let opening: Promise<Line> | undefined;

  const lose = (line: Line | undefined, why: string) => {
    opening = undefined;
    for (const { reject } of line?.waiting.values() ?? []) reject(new NodeFailure("transport", why));
    line?.waiting.clear();
    events.onDrop();
  };
  const connect = () => {
    opening ??= dial(url, maxBytes, events.onWake, lose);
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  const post: Post = async (body, timeoutMs, signal) => {
    const deadline = deadlineIn(timeoutMs, signal);
    try {
      const line = await abortable(connect(), deadline.signal, timeoutMs);
      const requests = (Array.isArray(body) ? body : [body]) as { id: number }[];
      const asked = requests.map((request) => ask(line, request, deadline.signal, timeoutMs));
      // All of them end before the deadline is cleared, also after one has failed.
      await Promise.allSettled(asked);
      const answers = await Promise.all(asked);
      return Array.isArray(body) ? answers : answers[0];
    } finally {
      deadline.clear();
    }
  };
  return {
    post,
    close() {
      opening?.then(({ ws }) => ws.close()).catch(() => undefined);
      opening = undefined;
    },
  };
}

function dial(
  url: string,
  maxBytes: number,
  onWake: SocketEvents["onWake"],
  lose: (line: Line | undefined, why: string) => void,
): Promise<Line> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(url);
    const line: Line = { ws, waiting: new Map() };
    let open = false;
    ws.onopen = () => {
      open = true;
      resolve(line);
    };
    ws.onmessage = ({ data }) => {
      if (typeof data === "string" && data.length <= maxBytes) takeMessage(line, data, onWake);
      else ws.close();
    };
    ws.onclose = () => {
      if (open) lose(line, "connection lost");
      else reject(new NodeFailure("transport", "connection refused"));
    };
    ws.onerror = () => ws.close();
  });
}

function takeMessage(line: Line, data: string, onWake: SocketEvents["onWake"]): void {
  let message: { id?: unknown; method?: unknown; params?: { result?: unknown } | null };
  try {
    message = JSON.parse(data) as typeof message;
  } catch {
    line.ws.close();
    return;
  }
  if (message.method === "eth_subscription") {
    onWake(message.params?.result);
    return;
  }
  const waiting = typeof message.id === "number" ? line.waiting.get(message.id) : undefined;
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
