import { end, message, start, under } from "../processes.ts";
import type { Reading } from "../reading.ts";

export type FloorOrder = {
  readonly threads: number;
  /** CPU time of a search, and the length of an answer. */
  readonly busyMs: number;
  readonly bytes: number;
  readonly durationMs: number;
};

/** CPU time of the main thread for one answer of plain HTTP and an empty thread, in microseconds, under the load that services are measured by. */
export async function floorOf({ threads, busyMs, bytes, durationMs }: FloorOrder): Promise<number> {
  const child = start("floor/serve-floor.ts", `${threads}`, `${busyMs}`, `${bytes}`);
  const { url } = await message<{ url: string }>(child);
  const reading = (): Promise<Reading> => {
    const answer = message<Reading>(child);
    child.send("reading");
    return answer;
  };
  const load = () => under({ url, clients: 8, durationMs, paths: ["/"] });
  await load();
  const before = await reading();
  const { answers } = await load();
  const after = await reading();
  await end(child);
  return (1_000 * (after.mainCpuMs - before.mainCpuMs)) / Math.max(1, answers);
}
