import { load, type Seen } from "./load.ts";

/** Clients in a process of their own, so that what they measure does not wait for what they ask. */
export type Order = {
  readonly url: string;
  readonly clients: number;
  readonly durationMs: number;
  readonly paths: readonly string[];
  readonly pauseMs?: number;
};

process.on("message", (order: Order) => {
  const path = (n: number) => order.paths[n % order.paths.length]!;
  void load({ ...order, path }).then((seen: Seen) => process.send?.(seen));
});
process.on("disconnect", () => process.exit(0));
