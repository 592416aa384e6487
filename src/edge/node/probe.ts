import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Hex } from "../../core/types.ts";
import type { RouterWatch } from "../router/router-watch.ts";
import { readAbilities } from "./abilities.ts";
import type { Answer, Endpoint, SendTerms } from "./endpoint.ts";
import { median, noteFailure, noteHead } from "./health.ts";
import { createCadence } from "./pace/cadence.ts";
import { sleep } from "./pace/pace.ts";
import { hex, integer } from "./parse.ts";
import { readHeader } from "./sealed/read-header.ts";
import type { Seals } from "./sealed/seal.ts";
import { NodeFailure } from "./transport/failure.ts";
import type { Header, Request } from "./types.ts";

/** What all endpoints of a chain must agree on. A genesis not known beforehand is set by the first with the right chain id. */
export type Identity = { readonly chainId: number; genesis: Hex | undefined };

export type ProbeContext = {
  readonly identity: Identity;
  readonly seals: Seals;
  readonly pollMs: number;
  /** Whether \`pollMs\` is a guess: an endpoint on this machine is then asked more often, others when a block is due. */
  readonly adapts: boolean;
  readonly blockTimeMs: number;
  readonly attemptMs: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly routerWatch: RouterWatch;
  /** Called after each head that an endpoint reported, new or not. */
  readonly onHead: (header: Header) => void;
  /** Told when an endpoint is found not to serve, with words that hold no address. */
  readonly onTrouble: (why: string) => void;
  /** Called once the endpoint was asked for all that is due with this head: what it offers, and the router. */
  readonly onAsked: () => void;
};

export type Probe = {
  /** Asks at once instead of at the next tick. */
  wake(): void;
  readonly done: Promise<void>;
};

const WRONG_CHAIN_RETRY_MS = 30_000;
const VERIFY_AGAIN_MS = 30_000;

/**
 * Follows one endpoint until `signal`: proves its chain at start and after every loss of connection, while it is asked for
 * its head, which is believed only then; asks for its head at every tick.
 */
export function startProbe(endpoint: Endpoint, context: ProbeContext): Probe {
  let nudge = new AbortController();
  let start = 0;
  const isFast = context.blockTimeMs < 1000 && !endpoint.isLocal;
  const gapMs = isFast ? Math.min(context.pollMs, FAST_GAP_MS) : 0;
  const wake = () => {
    if (performance.now() - start >= gapMs) nudge.abort();
  };
  const cadence = createCadence(context.blockTimeMs, context.pollMs);
  const loop = async () => {
    let last: string | undefined;
    while (!context.signal.aborted) {
      start = performance.now();
      nudge = new AbortController();
      const { state, trouble } = await probeOnce(endpoint, context);
      if (state !== last) report(endpoint, { state, trouble }, context);
      last = state;
      const now = performance.now();
      if (endpoint.health.head !== undefined) cadence.note(endpoint.health.head, endpoint.health.headAt);
      const untilNext = context.adapts && !endpoint.isLocal ? cadence.untilNext(now) : 0;
      const pauseMs = Math.max(pause(endpoint, state, context, now - start), untilNext);
      await sleep(pauseMs, AbortSignal.any([context.signal, nudge.signal]));
    }
  };
  return { wake, done: loop() };
}

function pause(endpoint: Endpoint, state: string, context: ProbeContext, spentMs: number): number {
  if (state.startsWith(WRONG_CHAIN)) return WRONG_CHAIN_RETRY_MS;
  const { openUntil, pausedUntil } = endpoint.health;
  const blocked = Math.max(openUntil, pausedUntil) - performance.now();
  return Math.max(blocked, pollMsOf(endpoint, context) - spentMs, 5);
}

/** Pushed heads of a chain of several blocks a second do not make an endpoint elsewhere be asked more often than this. */
const FAST_GAP_MS = 600;
/** A node on this machine that pushes nothing is asked this often at most, and for an eighth of its time. */
const LOCAL_POLL_MS = 10;
const LOCAL_SHARE = 8;

function pollMsOf(endpoint: Endpoint, { adapts, pollMs }: ProbeContext): number {
  if (!adapts || !endpoint.isLocal || endpoint.isWaking()) return pollMs;
  return Math.min(pollMs, Math.max(LOCAL_POLL_MS, LOCAL_SHARE * median(endpoint.health)));
}

const UP = "up";
/** What the state of an endpoint of another chain begins with; what is foreign about it follows. */
const WRONG_CHAIN = "wrong chain: ";

/** How an endpoint was found: in words for the log, and, where it does not serve, in words for everybody. */
type Found = { readonly state: string; readonly trouble: string | undefined };

function foreignTo(foreign: string): Found {
  return { state: WRONG_CHAIN + foreign, trouble: `is of another chain: ${foreign}` };
}

async function probeOnce(endpoint: Endpoint, context: ProbeContext): Promise<Found> {
  const { health } = endpoint;
  try {
    const connected = health.verified;
    const newest = settledLater(newestOf(endpoint, context));
    const foreign = connected ? undefined : await foreignIn(endpoint, context);
    if (foreign !== undefined) return foreignTo(foreign);
    const head = await newest;
    const changed = continues(head, health.head) ? undefined : await foreignIn(endpoint, context);
    if (changed !== undefined) return foreignTo(changed);
    noteHead(health, head, performance.now());
    // Pools are read at this block while the endpoint is asked for the rest.
    context.onHead(head);
    await Promise.all([
      inquire(endpoint, head, context),
      context.routerWatch.seen(endpoint, head, !connected),
    ]);
    context.onAsked();
    return { state: UP, trouble: undefined };
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    if (error.kind === "transport") health.verified = false;
    if (error.kind === "refused" || error.kind === "range")
      noteFailure(health, new NodeFailure("transport", error.message), performance.now());
    return { state: error.message, trouble: `does not answer: ${error.words}` };
  }
}

/** A request whose answer is read later, or not at all: its failure is heard by whoever awaits it. */
function settledLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

async function newestOf(endpoint: Endpoint, context: ProbeContext): Promise<Header> {
  const [answer] = await ask(endpoint, context, [
    { method: "eth_getBlockByNumber", params: ["latest", false] },
  ]);
  const head = readHeader(answer, context.seals);
  if (head === undefined) throw new NodeFailure("refused", "no newest block");
  return head;
}

/** Whether a block is the one that was seen last or its child, by hashes: then it is of the same chain without a proof. */
function continues({ isSealed, hash, parentHash }: Header, last: Header | undefined): boolean {
  return isSealed && last !== undefined && (hash === last.hash || parentHash === last.hash);
}

const MOST_INQUIRIES = 5;

/** Once; an endpoint that refuses for haste, or does not answer, is asked again with later heads. */
async function inquire(endpoint: Endpoint, head: Header, context: ProbeContext): Promise<void> {
  const { health, label, batchSize } = endpoint;
  if (health.abilities !== undefined || ++health.inquiries > MOST_INQUIRIES) return;
  try {
    health.abilities = await readAbilities(endpoint, head, context);
    context.log.info(
      { endpoint: label, ...health.abilities, batchSize: batchSize() },
      "what the node offers",
    );
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    context.log.debug({ endpoint: label, why: error.message }, "what the node offers is not known yet");
  }
}

/**
 * The proof is asked for again where blocks do not follow each other: behind one URL another node may answer tomorrow.
 *
 * @returns what is foreign about the endpoint, or undefined where it is of the served chain, or was a moment ago
 */
async function foreignIn(endpoint: Endpoint, context: ProbeContext): Promise<string | undefined> {
  const { health } = endpoint;
  if (health.verified && performance.now() - health.verifiedAt < VERIFY_AGAIN_MS) return undefined;
  const connected = health.verified;
  const foreign = await verify(endpoint, context);
  health.wrongChain = foreign !== undefined;
  health.verified = foreign === undefined;
  health.verifiedAt = performance.now();
  if (health.verified && endpoint.pushes && !connected) await subscribe(endpoint, context);
  return foreign;
}

async function verify(endpoint: Endpoint, context: ProbeContext): Promise<string | undefined> {
  const { identity } = context;
  const first = settledLater(genesisOf(endpoint, context));
  const [id] = await ask(endpoint, context, [{ method: "eth_chainId", params: [] }]);
  if (integer(id) !== identity.chainId) return `chain id ${integer(id)}`;
  const genesis = await first;
  identity.genesis ??= genesis;
  return genesis !== undefined && genesis !== identity.genesis ? "another genesis" : undefined;
}

/** @returns undefined where the node keeps no block 0 */
async function genesisOf(endpoint: Endpoint, context: ProbeContext): Promise<Hex | undefined> {
  const request: Request = { method: "eth_getBlockByNumber", params: ["0x0", false] };
  const [answer] = await endpoint.send([request], context.attemptMs, context.signal, urgent(context));
  if (answer?.ok !== true || answer.result === null) return undefined;
  return hex((answer.result as { hash?: unknown }).hash, 32);
}

/** A probe goes before everything else: without a head nothing can be priced. */
function urgent({ attemptMs }: Pick<ProbeContext, "attemptMs">): SendTerms {
  return { urgency: "head", waitMs: attemptMs };
}

async function subscribe(endpoint: Endpoint, context: ProbeContext): Promise<void> {
  const request: Request = { method: "eth_subscribe", params: ["newHeads"] };
  const [answer] = await endpoint.send([request], context.attemptMs, context.signal, urgent(context));
  if (answer?.ok === false) {
    context.log.warn(
      { endpoint: endpoint.label, why: answer.failure.message },
      "node pushes no heads: polling",
    );
  }
}

async function ask(
  endpoint: Endpoint,
  { attemptMs, signal }: ProbeContext,
  requests: readonly Request[],
): Promise<unknown[]> {
  const answers = await endpoint.send(requests, attemptMs, signal, urgent({ attemptMs }));
  return answers.map((answer: Answer) => {
    if (answer.ok) return answer.result;
    throw answer.failure;
  });
}

function report({ label }: Endpoint, { state, trouble }: Found, { log, onTrouble }: ProbeContext): void {
  if (state === UP) log.info({ endpoint: label }, "node answers");
  else if (state.startsWith(WRONG_CHAIN))
    log.error(
      { endpoint: label, why: state.slice(WRONG_CHAIN.length) },
      "node is of another chain: not used",
    );
  else log.warn({ endpoint: label, why: state }, "node does not answer: retrying");
  if (trouble !== undefined) onTrouble(trouble);
}
