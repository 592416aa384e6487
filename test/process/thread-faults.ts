/**
 * Loaded before the service (`--import`), in each of its threads: lets one search thread at a time fail. The threads watch the file
 * that `THREAD_FAULT` names; whichever deletes it first does what it says.
 */
import { readFileSync, unlinkSync } from "node:fs";
import { isMainThread, workerData } from "node:worker_threads";

/** "sleeps" = computes nothing for two seconds, so that it falls behind. */
export type ThreadFault = "ends" | "throws" | "loops" | "sleeps";

const SLEEP_MS = 2_000;
const file = process.env.THREAD_FAULT;

const faults: Readonly<Record<ThreadFault, () => void>> = {
  ends: () => process.exit(1),
  throws: () => {
    throw new Error("a planted fault");
  },
  loops: () => {
    for (;;);
  },
  sleeps: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLEEP_MS),
};

function claim(path: string): ThreadFault | undefined {
  try {
    const fault = readFileSync(path, "utf8") as ThreadFault;
    unlinkSync(path);
    return fault;
  } catch {
    // There is no file, or another thread was first.
    return undefined;
  }
}

if (!isMainThread && workerData?.registryUrl !== undefined && file !== undefined)
  setInterval(() => {
    const fault = claim(file);
    if (fault !== undefined) faults[fault]();
  }, 10).unref();
