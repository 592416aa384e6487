/** The program of a search thread: it keeps a copy of the market and searches in it, one request after the other. */
import { Session } from "node:inspector/promises";
import { parentPort, workerData } from "node:worker_threads";
import { allowedBy } from "../../core/allowance.ts";
import type { Registry } from "../../core/protocol.ts";
import { vetting } from "../../core/vetted.ts";
import type { Said, ThreadData, ToThread } from "./messages.ts";
import { createReplica, type Replica } from "./replica/replica.ts";
import { warmUp } from "./warm-up.ts";

const { chain, registryUrl, listed } = workerData as ThreadData;
const { protocols } = (await import(registryUrl)) as { protocols: Registry };
const isVetted = vetting(chain, listed);
const port = parentPort!;
/** As long as the service itself rehearses: a devnet is to answer within seconds of its start. */
const WARM_UP_MS = 400;
const now = () => performance.now();
const say = (said: Said) => {
  const { user, system } = process.threadCpuUsage();
  port.postMessage({ ...said, cpuMs: (user + system) / 1000 });
};
let replica: Replica | undefined;
let preparation: Promise<void> | undefined;

/** Before the first request. What reading a market leaves behind is collected: the runtime would keep as much again for later. */
async function prepare(copy: Replica): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage").catch(() => undefined);
  session.disconnect();
  warm(copy);
}

/** A bug shows on the requests that meet it; here it would keep the thread from ever being asked. */
function warm({ engine, at }: Replica): void {
  try {
    warmUp({ engine, at: at(), listed, now, budgetMs: WARM_UP_MS });
  } catch {}
}

function find({ id, request }: Extract<ToThread, { kind: "find" }>): void {
  const { allowed, ...query } = request;
  const { engine, at, seq } = replica!;
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
  if (message.kind === "join") replica = createReplica(protocols, chain, message.seq);
  else if (message.kind === "find") find(message);
  else {
    replica!.take(message.bytes, message.isLevel);
    if (!message.isLevel) return;
    preparation ??= prepare(replica!);
    void preparation.then(() => say({ kind: "level", seq: replica!.seq() }));
  }
});
