import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Address, At, Chain, PoolId } from "../../../core/types.ts";
import type { AwakeRow } from "../../store/pool-messages.ts";
import { REGISTRY_URL } from "../../workers/market-search.ts";
import type { FromMemory, MemoryData, MemoryQuestions } from "./memory-messages.ts";

/**
 * The market as the last run left it, in a thread of its own. A thread, since its first searches take 0.1 s each and
 * would block the main one, and since its memory is freed with it once the pools are read again. After the thread has
 * failed, all answers are empty.
 */
export type Memory = {
  /** Adds pools; routes over them can be searched once this resolves. */
  add(rows: readonly AwakeRow[]): Promise<void>;
  /** Pools of the routes from one token to another, for some amounts; none where no route is known. */
  between(tokenIn: Address, tokenOut: Address): Promise<readonly PoolId[]>;
  /** Number of pools that were added. */
  size(): number;
  close(): void;
};

type MemoryRequest = {
  readonly chain: Pick<Chain, "wrappedNative">;
  /** The block expected to execute. */
  readonly at: () => At;
  /** Ends the thread when it fires, as `close` does. */
  readonly signal: AbortSignal;
  readonly log: Logger;
};

/** Heap limits of the thread, several times what 20,000 pools need. */
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 24 };

export function openMemory({ chain, at, signal, log }: MemoryRequest): Memory {
  const { wrappedNative } = chain;
  const data: MemoryData = { chain: { wrappedNative }, registryUrl: REGISTRY_URL };
  const worker = new Worker(new URL("./memory-thread.ts", import.meta.url), {
    workerData: data,
    resourceLimits: LIMITS,
  });
  const waiting = new Map<number, (value: never) => void>();
  let [last, size, isClosed] = [0, 0, false];
  const close = () => {
    isClosed = true;
    for (const resolve of waiting.values()) resolve(undefined as never);
    waiting.clear();
    void worker.terminate();
  };
  worker.unref();
  worker.on("error", (error) => {
    log.error({ err: error }, "the market of the last run cannot be searched");
    close();
  });
  worker.on("message", ({ id, value }: FromMemory) => {
    waiting.get(id)?.(value as never);
    waiting.delete(id);
  });
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();
  const ask = <K extends keyof MemoryQuestions>(what: K, give: MemoryQuestions[K]["give"]) =>
    new Promise<MemoryQuestions[K]["take"] | undefined>((resolve) => {
      if (isClosed) return resolve(undefined);
      const id = ++last;
      waiting.set(id, resolve);
      worker.postMessage({ id, at: at(), ask: what, give });
    });
  return {
    async add(rows) {
      await ask("add", rows);
      size += rows.length;
    },
    between: async (tokenIn, tokenOut) => (await ask("between", [tokenIn, tokenOut])) ?? [],
    size: () => size,
    close,
  };
}
