/** A search thread of the comparison: a private copy that searches without an end, and says what each block cost it. */
import { parentPort, workerData } from "node:worker_threads";
import { allowedBy } from "../../src/core/allowance.ts";
import type { Chain } from "../../src/core/types.ts";
import { createReplica } from "../../src/edge/workers/replica/replica.ts";
import { protocols } from "../../src/protocols/index.ts";
import type { FindRequest } from "../../src/service/ports/ports.ts";

export type ReaderData = {
  readonly chain: Chain;
  readonly seq: number;
  readonly requests: readonly FindRequest[];
  /** Number of the version that readers begin with, then how many readers each of the two has. */
  readonly versions: Int32Array;
};

export type ToReader =
  | { readonly kind: "state"; readonly bytes: Uint8Array; readonly isLevel: boolean }
  | { readonly kind: "search"; readonly durationMs: number };

export type FromReader =
  | { readonly kind: "taken"; readonly isLevel: boolean; readonly cpuMs: number }
  | { readonly kind: "searched"; readonly ms: readonly number[] };

const { chain, seq, requests, versions } = workerData as ReaderData;
const replica = createReplica(protocols, chain, seq);
const port = parentPort!;
const now = () => performance.now();
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let asked = 0;

/** Searches one after the other, each in the version that is current when it begins. */
function search(durationMs: number): void {
  const beganMs = now();
  const ms: number[] = [];
  while (now() - beganMs < durationMs) {
    const version = Atomics.load(versions, 0);
    Atomics.add(versions, 1 + version, 1);
    const { allowed, ...query } = requests[asked++ % requests.length]!;
    const began = now();
    replica.engine.find({ ...query, allows: allowedBy(allowed, query, () => true), at: replica.at(), now });
    ms.push(now() - began);
    Atomics.sub(versions, 1 + version, 1);
  }
  port.postMessage({ kind: "searched", ms } satisfies FromReader);
}

port.on("message", (message: ToReader) => {
  if (message.kind === "search") {
    search(message.durationMs);
    return;
  }
  const before = cpuMs();
  replica.take(message.bytes, message.isLevel);
  const { isLevel } = message;
  port.postMessage({ kind: "taken", isLevel, cpuMs: cpuMs() - before } satisfies FromReader);
});
