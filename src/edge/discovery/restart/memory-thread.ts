/** Entry point of the thread that searches the market of the last run, so that the main thread can answer meanwhile. */
import { flushCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { Registry } from "../../../core/protocol.ts";
import type { FromMemory, MemoryData, ToMemory } from "./memory-messages.ts";
import { createRememberedMarket } from "./remembered-market.ts";

const { chain, registryUrl } = workerData as MemoryData;
const { protocols } = (await import(registryUrl)) as { protocols: Registry };
// See `compile-cache.mjs`.
flushCompileCache();
const market = createRememberedMarket(protocols, chain);
const port = parentPort!;

port.on("message", (message: ToMemory) => {
  const { id, at } = message;
  const value = message.ask === "add" ? market.add(message.give, at) : market.between(...message.give, at);
  port.postMessage({ id, value: value ?? undefined } satisfies FromMemory);
});
