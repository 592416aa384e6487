/** Entry point of the thread that reads and writes a chain's checkpoint, so that no other thread waits for the disk. */
import { flushCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";
import { DamagedFile, openPoolFile, type PoolFile, removePoolFile } from "./pool-file.ts";
import type { FromPoolThread, ToPoolThread } from "./pool-messages.ts";
import type { ChainKey } from "./token-store.ts";

// See `compile-cache.mjs`.
flushCompileCache();
const port = parentPort!;
const say = (message: FromPoolThread) => port.postMessage(message);
let place: { readonly path: string; readonly key: ChainKey } | undefined;
let file: PoolFile | undefined;

function open({ path, key }: NonNullable<typeof place>): PoolFile {
  place = { path, key };
  file = openPoolFile(path, key);
  return file;
}

function begun(): PoolFile {
  if (file === undefined) throw new Error("the checkpoint is not open");
  return file;
}

function answer(message: ToPoolThread) {
  switch (message.ask) {
    case "open":
      return open(message.give).opened;
    case "awake":
      return begun().awake(message.give);
    case "pools":
      return begun().pools(message.give);
    case "hints":
      return begun().hints(message.give);
    case "save":
      return begun().save(message.give) as undefined;
    default:
      return file?.close();
  }
}

/** Replaces a damaged checkpoint by a new one. */
function drop(): void {
  if (place === undefined) return;
  file?.close();
  removePoolFile(place.path);
  open(place);
}

port.on("message", (message: ToPoolThread) => {
  try {
    say({ id: message.id, value: answer(message) ?? undefined });
  } catch (error) {
    const isDropped = error instanceof DamagedFile;
    if (isDropped) drop();
    say({ id: message.id, error: (error as Error).message, isDropped });
  }
});
