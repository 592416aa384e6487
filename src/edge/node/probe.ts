import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Hex } from "../../core/types.ts";
import { elapsedMs } from "../elapsed.ts";
import type { RouterWatch } from "../router/router-watch.ts";
import { readAbilities } from "./abilities.ts";
import type { Answer, Endpoint, SendTerms } from "./endpoint.ts";
import { median, noteFailure, noteHead } from "./health.ts";
import { createCadence } from "./pace/cadence.ts";
import { pollGapMs, sleep } from "./pace/pace.ts";
import { hex, integer } from "./parse.ts";
import { readHeader } from "./sealed/read-header.ts";
import type { Seals } from "./sealed/seal.ts";
import { NodeFailure } from "./transport/failure.ts";
import type { Header, Request } from "./types.ts";

/**
 * What all endpoints of a chain must agree on. Where the genesis hash is not configured, the first endpoint with the
 * right chain id sets it.
 */
export type Identity = { readonly chainId: number; genesis: Hex | undefined };

export type ProbeContext = {
  readonly identity: Identity;
  readonly seals: Seals;
  readonly pollMs: number;
  /** Whether `pollMs` is a guess: an endpoint on this machine is then polled more often, others when a block is due. */
  readonly adapts: boolean;
  readonly blockTimeMs: number;
  readonly attemptMs: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly routerWatch: RouterWatch;
  /** Called after each head that an endpoint reports, whether new or not. */
  readonly onHead: (header: Header) => void;
  /** Called when an endpoint is found unusable; the text holds no URL. */
  readonly onTrouble: (why: string) => void;
  /** Called after each head once the inquiry of abilities and the check of the router have ended. */
  readonly onAsked: () => void;
};

export type Probe = {
  /** Polls at once instead of at the next tick. */
  wake(): void;
  readonly done: Promise<void>;
};

const WRONG_CHAIN_RETRY_MS = 30_000;
const VERIFY_AGAIN_MS = 30_000;

/**
 * Follows the head of one endpoint until `signal` fires. At the start and after every loss of connection it asks for
 * the head and for the proof of the chain at the same time, and uses the head only once the proof is there. Afterwards
 * it asks for the head at every tick.
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
      const found = await probeOnce(endpoint, context);
      const { state } = found;
      endpoint.health.trouble = found.trouble;
      if (state !== last) report(endpoint, found, context);
      last = state;
      const now = performance.now();
      if (endpoint.health.head !== undefined) cadence.note(endpoint.health.head, endpoint.health.headAt);
      const untilNext = context.adapts && !endpoint.isLocal ? cadence.untilNext(elapsedMs()) : 0;
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
  const gapMs = Math.max(pollMsOf(endpoint, context), pollGapMs(endpoint.rate()));
  return Math.max(blocked, gapMs - spentMs, 5);
}

/**
 * Least milliseconds between two polls of a remote endpoint that pushed heads may cause, on chains with a block time
 * under one second.
 */
const FAST_GAP_MS = 600;
/**
 * A node on this machine that pushes no heads is polled at intervals of at least LOCAL_POLL_MS and at least LOCAL_SHARE
 * times its median response time, so that polling takes at most about an eighth of its time.
 */
const LOCAL_POLL_MS = 10;
const LOCAL_SHARE = 8;

function pollMsOf(endpoint: Endpoint, { adapts, pollMs }: ProbeContext): number {
  if (!adapts || !endpoint.isLocal || endpoint.isWaking()) return pollMs;
  return Math.min(pollMs, Math.max(LOCAL_POLL_MS, LOCAL_SHARE * median(endpoint.health)));
}

const UP = "up";
/** Prefix of the state of an endpoint of another chain; what differs follows. */
const WRONG_CHAIN = "wrong chain: ";

/**
 * Result of one poll: `state` is for the log; `trouble` says without any URL why the endpoint is unusable, undefined if
 * it is not; `bug` is the error of a poll that failed in this program.
 */
type Found = { readonly state: string; readonly trouble: string | undefined; readonly bug?: unknown };

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
    noteHead(health, head, elapsedMs());
    // Pools are read at this block while the inquiry and the router check run.
    context.onHead(head);
    await Promise.all([
      inquire(endpoint, head, context),
      context.routerWatch.seen(endpoint, head, !connected),
    ]);
    context.onAsked();
    return { state: UP, trouble: undefined };
  } catch (error) {
    // Nobody awaits the loop before the end: an error that left it would end the process, and with it every chain.
    if (!(error instanceof NodeFailure))
      return { state: `bug: ${error}`, trouble: "has an answer that cannot be read", bug: error };
    if (error.kind === "transport") health.verified = false;
    if (error.kind === "refused" || error.kind === "range")
      noteFailure(health, new NodeFailure("transport", error.message), performance.now());
    return { state: error.message, trouble: `does not answer: ${error.words}` };
  }
}

/**
 * Keeps the rejection of a promise that is awaited later or never from counting as unhandled; whoever awaits it still
 * gets it.
 */
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

/**
 * Whether a block is the last head or its child, by verified hashes: it is then of the same chain without a further
 * proof.
 */
function continues({ isSealed, hash, parentHash }: Header, last: Header | undefined): boolean {
  return isSealed && last !== undefined && (hash === last.hash || parentHash === last.hash);
}

const MOST_INQUIRIES = 5;

/**
 * Reads the abilities of an endpoint once. Where it is rate-limited or does not answer, later heads try again, up to
 * MOST_INQUIRIES times in all.
 */
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
 * Checks the chain of an endpoint at its first head, and again where a head does not follow the last one, since another
 * node may come to answer behind the same URL.
 *
 * @returns what differs from the served chain; undefined where nothing does, or where nothing did within
 *   VERIFY_AGAIN_MS
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

/** Terms of probe requests: they go before all others, since nothing can be priced without a head. */
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

function report({ label }: Endpoint, { state, trouble, bug }: Found, { log, onTrouble }: ProbeContext): void {
  if (bug !== undefined) log.error({ endpoint: label, err: bug }, "polling a node failed: retrying");
  else if (state === UP) log.info({ endpoint: label }, "node answers");
  else if (state.startsWith(WRONG_CHAIN))
    log.error(
      { endpoint: label, why: state.slice(WRONG_CHAIN.length) },
      "node is of another chain: not used",
    );
  else log.warn({ endpoint: label, why: state }, "node does not answer: retrying");
  if (trouble !== undefined) onTrouble(trouble);
}
