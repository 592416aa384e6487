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

/** The checkpoint of one chain, kept by a thread of its own. */
export type PoolStore = {
  /** Opens it, or begins a new one. @throws Error where the folder cannot be used */
  open(key: ChainKey): Promise<Opened>;
  /** Pools that were in the market, in the order in which they came there. @throws DroppedCheckpoint */
  awake(range: Range): Promise<readonly AwakeRow[]>;
  /** Pools that were found, in the order in which they were. @throws DroppedCheckpoint */
  pools(range: Range): Promise<readonly PoolRow[]>;
  /** Lines of an imported snapshot that nobody has checked yet. */
  hints(range: Range): Promise<readonly HintRow[]>;
  /** Writes all of it or nothing. @throws Error where the disk fails; nothing is written then */
  save(saved: Saved): Promise<void>;
  close(): Promise<void>;
};

/** The checkpoint was found damaged while it was read, and was removed. */
export class DroppedCheckpoint extends Error {
  override readonly name = "DroppedCheckpoint";
}

/** The file of a chain's checkpoint within the data folder. */
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
      // The process stays until what it asked for is done.
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
