import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type {
  AwakeRow,
  FromPoolThread,
  HintRow,
  Opened,
  PoolRow,
  Questions,
  Range,
  Saved,
} from "./pool-messages.ts";
import type { ChainKey } from "./token-store.ts";

/** The checkpoint of one chain, read and written by a separate thread. */
export type PoolStore = {
  /** Opens the checkpoint, or creates a new one. @throws Error where the folder cannot be used */
  open(key: ChainKey): Promise<Opened>;
  /** Pools that were in the market, in the order in which they entered it. @throws DroppedCheckpoint */
  awake(range: Range): Promise<readonly AwakeRow[]>;
  /** All discovered pools, in the order of their discovery. @throws DroppedCheckpoint */
  pools(range: Range): Promise<readonly PoolRow[]>;
  /** Lines of an imported snapshot that are not checked yet. */
  hints(range: Range): Promise<readonly HintRow[]>;
  /** Writes everything in one transaction. @throws DroppedCheckpoint; Error where the disk fails */
  save(saved: Saved): Promise<void>;
  close(): Promise<void>;
};

/** The checkpoint was damaged, and has been replaced by an empty one. */
export class DroppedCheckpoint extends Error {
  override readonly name = "DroppedCheckpoint";
}

/** Path of a chain's checkpoint in the data folder. */
export function poolFilePath(folder: string, chainId: number): string {
  return join(folder, `pools-${chainId}.sqlite`);
}

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };

export function createPoolStore(folder: string): PoolStore {
  const worker = new Worker(new URL("./pool-thread.ts", import.meta.url));
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let gone: Error | undefined;
  const end = (error: Error) => {
    gone ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.unref();
  worker.on("error", (error) => end(error instanceof Error ? error : new Error(String(error))));
  worker.on("exit", () => end(new Error("the thread of the checkpoint has ended")));
  worker.on("message", (message: FromPoolThread) => {
    const { resolve, reject } = waiting.get(message.id) ?? {};
    waiting.delete(message.id);
    if (waiting.size === 0) worker.unref();
    if (!("error" in message)) resolve?.(message.value as never);
    else reject?.(message.isDropped ? new DroppedCheckpoint(message.error) : new Error(message.error));
  });
  const ask = <K extends keyof Questions>(what: K, give: Questions[K]["give"]) =>
    new Promise<Questions[K]["take"]>((resolve, reject) => {
      if (gone !== undefined) return reject(gone);
      const id = ++last;
      waiting.set(id, { resolve, reject });
      // The process must not exit before the request is answered.
      worker.ref();
      worker.postMessage({ id, ask: what, give });
    });
  return {
    open: (key) => ask("open", { path: poolFilePath(folder, key.chainId), key }),
    awake: (range) => ask("awake", range),
    pools: (range) => ask("pools", range),
    hints: (range) => ask("hints", range),
    save: (saved) => ask("save", saved),
    async close() {
      if (gone === undefined) await ask("close", undefined).catch(() => undefined);
      await worker.terminate();
    },
  };
}
