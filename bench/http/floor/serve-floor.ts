import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import type { Reading } from "../reading.ts";

/**
 * What a price costs the main thread when nothing is done there: plain HTTP of the runtime, and threads that compute nothing for as
 * long as a search takes and answer with a number. Whatever the service does beside that comes on top. /livez asks no thread.
 *
 * Arguments: threads, milliseconds of a search, bytes of an answer. Tells its parent `{ url }`, and then answers each message with a `Reading`.
 */
const [threads = "1", busyMs = "1", bytes = "4000"] = process.argv.slice(2);

const ALIVE = '{"status":"alive"}';
const idle: Worker[] = [];
const waiting: ServerResponse[] = [];
const body = "x".repeat(Number(bytes));

function dispatch(): void {
  const [thread, response] = [idle[0], waiting[0]];
  if (thread === undefined || response === undefined) return;
  idle.shift();
  waiting.shift();
  thread.once("message", () => {
    idle.push(thread);
    dispatch();
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.end(body);
  });
  thread.postMessage(waiting.length);
}

for (let k = 0; k < Number(threads); k++)
  idle.push(new Worker(new URL("./empty-thread.ts", import.meta.url), { workerData: Number(busyMs) }));
const server = createServer((request, response) => {
  if (request.url === "/livez") {
    response.end(ALIVE);
    return;
  }
  waiting.push(response);
  dispatch();
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});

process.on("message", () => {
  const main = process.threadCpuUsage();
  const all = process.cpuUsage();
  const reading: Reading = {
    cpuMs: (all.user + all.system) / 1000,
    mainCpuMs: (main.user + main.system) / 1000,
    rssMb: process.memoryUsage.rss() / 2 ** 20,
    ...{ delayP99Ms: Number.NaN, delayMaxMs: Number.NaN, blocks: [] },
  };
  process.send?.(reading);
});
process.on("disconnect", () => process.exit(0));
