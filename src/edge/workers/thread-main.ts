/** The program of a search thread: it keeps a copy of the market and searches in it, one request after the other. */
import { Session } from "node:inspector/promises";
import { flushCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { allowedBy } from "../../core/allowance.ts";
import type { Registry } from "../../core/protocol.ts";
import { vetting } from "../../core/vetted.ts";
import type { Said, ThreadData, ToThread } from "./messages.ts";
import { createReplica, type Replica } from "./replica/replica.ts";
import { lowerPriority, NICENESS } from "./thread-priority.ts";
import { createRehearsals } from "./warm/rehearsals.ts";
import { createWarmUp, type WarmUp } from "./warm/warm-up.ts";

lowerPriority(NICENESS);

const { chain, registryUrl, listed } = workerData as ThreadData;
const { protocols } = (await import(registryUrl)) as { protocols: Registry };
// See `compile-cache.mjs`.
flushCompileCache();
const isVetted = vetting(chain, listed);
const port = parentPort!;
/** As long as the service itself rehearses: a devnet is to answer within seconds of its start. */
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
const rehearsals = createRehearsals({
  rehearse() {
    warm((searches, copy) => searches.search(copy.at()));
    say({ kind: "rehearsed" });
  },
  cpuMs,
});

function join(seq: number): void {
  replica = createReplica(protocols, chain, seq);
  warmUp = createWarmUp({ engine: replica.engine, listed, now, budgetMs: WARM_UP_MS });
}

/** Before the first request. What reading a market leaves behind is collected: the runtime would keep as much again for later. */
async function prepare(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage").catch(() => undefined);
  session.disconnect();
  warm((searches, copy) => searches.begin(copy.at()));
}

/** A bug shows on the requests that meet it; here it would keep the thread from ever being asked. */
function warm(search: (searches: WarmUp, copy: Replica) => void): void {
  try {
    search(warmUp!, replica!);
  } catch {}
}

function find({ id, request }: Extract<ToThread, { kind: "find" }>): void {
  const { allowed, ...query } = request;
  const { engine, at, seq } = replica!;
  rehearsals.asked();
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
    rehearsals.changed();
  }
});
