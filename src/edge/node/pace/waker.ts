import { hangUp } from "../transport/hang-up.ts";
import { sleep } from "./pace.ts";

export type Waker = {
  /** Whether new heads are pushed now. */
  isOn(): boolean;
  close(): void;
};

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/**
 * Listens for new heads over a websocket at the address of an HTTP endpoint, which development nodes offer. A pushed
 * head only triggers requests over HTTP and is not trusted itself. Where no websocket opens, or it closes, the
 * connection is retried after a pause that doubles from FIRST_RETRY_MS to LAST_RETRY_MS.
 */
export function openWaker(httpUrl: string, onWake: (pushed: unknown) => void): Waker {
  const over = new AbortController();
  let isOn = false;
  let line: WebSocket | undefined;
  const listen = () =>
    new Promise<void>((resolve) => {
      line = new WebSocket(httpUrl.replace(/^http/i, "ws"));
      line.onopen = () =>
        line?.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
      line.onmessage = ({ data }) => {
        const message = read(data);
        if (message?.id === 1) isOn = typeof message.result === "string";
        else if (message?.method === "eth_subscription") onWake(message.params?.result);
      };
      line.onerror = () => line && hangUp(line);
      line.onclose = () => resolve();
    });
  const run = async () => {
    for (let pause = FIRST_RETRY_MS; !over.signal.aborted; pause = Math.min(LAST_RETRY_MS, pause * 2)) {
      await listen();
      if (isOn) pause = FIRST_RETRY_MS;
      isOn = false;
      await sleep(pause, over.signal);
    }
  };
  void run();
  return {
    isOn: () => isOn,
    close() {
      over.abort();
      if (line !== undefined) hangUp(line);
    },
  };
}

type Message = { id?: unknown; method?: unknown; result?: unknown; params?: { result?: unknown } | null };

function read(data: unknown): Message | undefined {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
