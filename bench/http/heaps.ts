import { Session } from "node:inspector/promises";
import { getHeapStatistics } from "node:v8";
import type { Worker } from "node:worker_threads";

/** Memory of one thread in MB. */
export type Heap = {
  /** Of objects, as it stands: what a collection would free is in it. */
  readonly usedMb: number;
  /** Taken from the machine for objects. */
  readonly heldMb: number;
  /** Of typed arrays outside the heap. */
  readonly arraysMb: number;
};

/** Memory of a process and of its threads. */
export type Memory = {
  readonly rssMb: number;
  readonly main: Heap;
  readonly threads: readonly Heap[];
};

type Statistics = {
  readonly used_heap_size: number;
  readonly total_heap_size: number;
  readonly external_memory: number;
};

const MB = 2 ** 20;
const workers = new Set<Worker>();
process.on("worker", (worker: Worker) => {
  workers.add(worker);
  worker.on("exit", () => workers.delete(worker));
});

/** Ends the thread that was started first, as one is ended whose search does not end. @returns when, Unix milliseconds */
export function endFirstThread(): number {
  const [first] = workers;
  void first?.terminate();
  return Date.now();
}

const heapOf = ({ used_heap_size, total_heap_size, external_memory }: Statistics): Heap => ({
  usedMb: used_heap_size / MB,
  heldMb: total_heap_size / MB,
  arraysMb: external_memory / MB,
});

/** What the process and each of its threads hold now. */
export async function memoryNow(): Promise<Memory> {
  const threads = await Promise.all(
    [...workers].map(async (worker) => heapOf(await worker.getHeapStatistics())),
  );
  return { rssMb: process.memoryUsage.rss() / MB, main: heapOf(getHeapStatistics()), threads };
}

/** Collects the garbage of every thread. */
export async function collectAll(): Promise<void> {
  const session = new Session();
  session.connect();
  const collected: Promise<void>[] = [];
  session.on("NodeWorker.attachedToWorker", ({ params: { sessionId } }) => {
    const message = JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" });
    collected.push(
      new Promise((resolve) => {
        session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => {
          if (params.sessionId === sessionId) resolve();
        });
      }),
    );
    void session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
  });
  await session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  await session.post("HeapProfiler.collectGarbage");
  await Promise.all(collected);
  session.disconnect();
}
