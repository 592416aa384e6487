import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

const LOWEST = 19;

/**
 * Steps by which searches stand back behind the main thread, which answers health checks while they compute: where processors are scarce it
 * waits less for one, and a search gets a third of what any other thread of the process gets. More steps would let searches run out of time.
 */
export const NICENESS = 5;

/**
 * Lowers the priority of the calling thread, so that it computes where the others of the process leave time. On Linux only, where
 * a thread has a priority of its own and may lower it without a privilege; it cannot be raised again.
 *
 * @param by steps of niceness, of which each takes a tenth of a thread's share where processors are scarce
 * @returns whether it was lowered
 */
export function lowerPriority(by: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const [pid, , thread] = readlinkSync("/proc/thread-self").split("/").map(Number);
    // A container may see the processes of another namespace, whose numbers mean others here.
    if (pid !== process.pid || thread === undefined) return false;
    setPriority(thread, Math.min(LOWEST, getPriority(thread) + by));
    return true;
  } catch {
    // Neither /proc nor the call is promised, and without them threads share alike.
    return false;
  }
}
