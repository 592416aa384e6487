/** Entry point of a search thread: keeps a replica of the market and runs searches on it, one at a time. */
import { Session } from "node:inspector/promises";
import { flushCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { allowedBy } from "../../core/allowance.ts";
import type { Registry } from "../../core/protocol.ts";
import { vetting } from "../../core/vetted.ts";
import type { Said, ThreadData, ToThread } from "./messages.ts";
import { createReplica, type Replica } from "./replica/replica.ts";
import { lowerPriority, NICENESS } from "./thread-priority.ts";
import { COMPLETIONS, createIdleWork, REHEARSALS } from "./warm/idle-work.ts";
import { createWarmUp, type WarmUp } from "./warm/warm-up.ts";

lowerPriority(NICENESS);

const { chain, registryUrl, listed } = workerData as ThreadData;
const { protocols } = (await import(registryUrl)) as { protocols: Registry };
// See `compile-cache.mjs`.
flushCompileCache();
const isVetted = vetting(chain, listed);
const port = parentPort!;
/**
 * Time budget of the warm-up, milliseconds: that of the service's own rehearsal, as a devnet must answer within
 * seconds.
 */
const WARM_UP_MS = 400;
const now = () => performance.now();
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const say = (said: Said) => port.postMessage({ ...said, cpuMs: cpuMs() });
let replica: Replica | undefined;
let warmUp: WarmUp | undefined;
let preparation: Promise<void> | undefined;
const whileIdle = (work: (searches: WarmUp, copy: Replica) => void) => () => {
  warm(work);
  say({ kind: "rehearsed" });
};
const idleWorks = [
  createIdleWork({ ...COMPLETIONS, work: whileIdle((_, { engine }) => engine.prepare()), cpuMs }),
  createIdleWork({ ...REHEARSALS, work: whileIdle((searches, copy) => searches.search(copy.at())), cpuMs }),
];

function join(seq: number): void {
  replica = createReplica(protocols, chain, seq, isVetted);
  warmUp = createWarmUp({ engine: replica.engine, listed, now, budgetMs: WARM_UP_MS });
}

/**
 * Runs once before the first request: warms up, after a collection of the garbage that building the replica left.
 * Without the collection, V8 would let the heap grow to about twice that size.
 */
async function prepare(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage").catch(() => undefined);
  session.disconnect();
  warm((searches, copy) => searches.begin(copy.at()));
}

/**
 * Ignores errors: a bug appears again on the requests that meet it, and here it would keep the thread from ever
 * starting.
 */
function warm(search: (searches: WarmUp, copy: Replica) => void): void {
  try {
    search(warmUp!, replica!);
  } catch {}
}

function find({ id, request }: Extract<ToThread, { kind: "find" }>): void {
  const { allowed, ...query } = request;
  const { engine, at, seq } = replica!;
  for (const one of idleWorks) one.asked();
  try {
    const result = engine.find({
      ...query,
      allows: allowedBy(allowed, query, isVetted),
      at: at(),
      now,
    });
    say({ kind: "found", id, seq: seq(), result });
  } catch (error) {
    say({
      kind: "threw",
      id,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

port.on("message", (message: ToThread) => {
  if (message.kind === "join") join(message.seq);
  else if (message.kind === "find") find(message);
  else {
    replica!.take(message.bytes, message.isLevel);
    if (!message.isLevel) return;
    preparation ??= prepare();
    void preparation.then(() => say({ kind: "level", seq: replica!.seq() }));
    for (const one of idleWorks) one.changed();
  }
});
