import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

const LOWEST = 19;

/**
 * Niceness of search threads relative to the main thread, which has to answer health checks while they compute. Where
 * processors are scarce, a search thread gets a third of the time of any other thread of the process. A higher niceness
 * would let searches run out of time.
 */
export const NICENESS = 5;

/**
 * Lowers the scheduling priority of the calling thread permanently. On Linux only, where each thread has its own niceness
 * and may raise it without a privilege.
 *
 * @param by steps of niceness; each lowers the thread's scheduling weight by a fifth, which matters where processors
 * are
 *           scarce
 * @returns whether the priority was lowered
 */
export function lowerPriority(by: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const [pid, , thread] = readlinkSync("/proc/thread-self").split("/").map(Number);
    // In a container, /proc may belong to another PID namespace, whose ids mean other threads here.
    if (pid !== process.pid || thread === undefined) return false;
    setPriority(thread, Math.min(LOWEST, getPriority(thread) + by));
    return true;
  } catch {
    // Where /proc or the system call is not available, all threads keep the same priority.
    return false;
  }
}
