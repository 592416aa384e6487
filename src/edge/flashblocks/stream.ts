import { brotliDecompressSync } from "node:zlib";
import type { Logger } from "pino";
import { backoff, sleep } from "../node/pace/pace.ts";
import { hangUp } from "../node/transport/hang-up.ts";
import { readPartial } from "./partial.ts";
import type { Preview } from "./preview.ts";

export type FlashblocksStream = { start(): void; stop(): Promise<void> };

type StreamRequest = {
  /** URL with scheme ws or wss. */
  readonly url: string;
  readonly preview: Preview;
  /** Size limit of a message, before and after decompression. */
  readonly maxBytes: number;
  readonly log: Logger;
};

/** Time without a message after which the connection is opened again. Partials arrive about five times a second. */
const SILENCE_MS = 15_000;

/**
 * Listens to a stream of flashblocks, and reconnects with exponential backoff. It sends a subscription, which the
 * endpoints of node providers need and the sequencer's own stream ignores, and nothing else.
 */
export function openFlashblocks({ url, preview, maxBytes, log }: StreamRequest): FlashblocksStream {
  const over = new AbortController();
  let running: Promise<void> | undefined;
  const loop = async () => {
    for (let failures = 0; !over.signal.aborted; failures++) {
      const heard = await listen(url, { preview, maxBytes, signal: over.signal });
      preview.lose();
      if (heard > 0) failures = 0;
      if (failures === 2) log.warn({ heard }, "no partial blocks: the stream cannot be reached");
      await sleep(backoff(failures, 250, 10_000), over.signal);
    }
  };
  return {
    start() {
      running ??= loop();
    },
    async stop() {
      over.abort();
      await running;
    },
  };
}

type Listening = Pick<StreamRequest, "preview" | "maxBytes"> & { readonly signal: AbortSignal };

/** Listens on one connection until it closes or falls silent. @returns the number of partials that were received */
function listen(url: string, { preview, maxBytes, signal }: Listening): Promise<number> {
  return new Promise((resolve) => {
    const ws = new WebSocket(url);
    ws.binaryType = "arraybuffer";
    let heard = 0;
    // The other side may be gone without a word, and then nothing ever reports that the connection is closed.
    const end = () => {
      clearTimeout(silence);
      signal.removeEventListener("abort", end);
      ws.onmessage = null;
      hangUp(ws);
      resolve(heard);
    };
    let silence = setTimeout(end, SILENCE_MS);
    signal.addEventListener("abort", end, { once: true });
    ws.onopen = () =>
      ws.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newFlashblocks"] }));
    ws.onmessage = ({ data }) => {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
      const text = textOf(data, maxBytes);
      const partial = text === undefined ? undefined : readPartial(text);
      if (partial !== undefined) {
        heard++;
        preview.take(partial);
      } else if (text === undefined) preview.lose();
    };
    ws.onerror = end;
    ws.onclose = end;
    if (signal.aborted) end();
  });
}

/**
 * The text of a message. A binary message is JSON or Brotli-compressed JSON.
 *
 * @returns undefined where it is too large, or binary but neither
 */
function textOf(data: unknown, maxBytes: number): string | undefined {
  if (typeof data === "string") return data.length <= maxBytes ? data : undefined;
  if (!(data instanceof ArrayBuffer) || data.byteLength > maxBytes) return undefined;
  const bytes = Buffer.from(data);
  if (bytes[0] === OPENING_BRACE) return bytes.toString("utf8");
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: maxBytes }).toString("utf8");
  } catch {
    return undefined;
  }
}

const OPENING_BRACE = 0x7b;
