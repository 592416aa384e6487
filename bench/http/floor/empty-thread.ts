/** A thread that is busy for so many milliseconds of its own CPU time, and says a number. */
import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority, NICENESS } from "../../../src/edge/workers/thread-priority.ts";

lowerPriority(NICENESS);
const busyMs = workerData as number;
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

parentPort!.on("message", (number: number) => {
  const end = cpuMs() + busyMs;
  while (cpuMs() < end);
  parentPort!.postMessage(number);
});
