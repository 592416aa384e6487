import { end, message, QUIET, start, under, underAll } from "../processes.ts";
import type { Reading } from "../reading.ts";

export type FloorOrder = {
  readonly threads: number;
  /** CPU time of a search, and the length of an answer. */
  readonly busyMs: number;
  readonly bytes: number;
  readonly durationMs: number;
};

/** What plain HTTP and empty threads come to under the loads that services are measured by. */
export type Floor = {
  /** CPU time of the main thread for one answer, in microseconds. */
  readonly mainUs: number;
  /** /livez p99 in milliseconds while 64 clients wait for the threads. */
  readonly livezMs: number;
};

export async function floorOf({ threads, busyMs, bytes, durationMs }: FloorOrder): Promise<Floor> {
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
  const quiet = { url, ...QUIET, durationMs, paths: ["/livez"] };
  const [, livez] = await underAll([{ url, clients: 64, durationMs, paths: ["/"] }, quiet, quiet, quiet]);
  await end(child);
  const mainUs = (1_000 * (after.mainCpuMs - before.mainCpuMs)) / Math.max(1, answers);
  return { mainUs, livezMs: livez!.p99Ms };
}
