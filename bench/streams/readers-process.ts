import { openReaders, type Readers } from "./readers.ts";

/** Readers in a process of their own, so that what they read does not take the time of what they read from. */
export type ReadersOrder =
  | { readonly url: string; readonly paths: readonly string[]; readonly count: number }
  | "heard";

let readers: Readers | undefined;

process.on("message", async (order: ReadersOrder) => {
  if (order !== "heard") readers = await openReaders(order.url, order.paths, order.count);
  process.send?.(readers?.heard());
});
process.on("disconnect", () => {
  readers?.close();
  process.exit(0);
});
