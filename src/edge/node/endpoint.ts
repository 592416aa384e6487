import { performance } from "node:perf_hooks";
import { countFailure, type Health, newHealth, noteAnswer, noteFailure, noteSlow } from "./health.ts";
import { chunks } from "./pace/pace.ts";
import { createTokenBucket, type TokenBucket, type Urgency } from "./pace/token-bucket.ts";
import { openWaker } from "./pace/waker.ts";
import { createClosedMethods } from "./transport/closed-methods.ts";
import { failureOf, NodeFailure } from "./transport/failure.ts";
import { httpPost, type Post } from "./transport/http.ts";
import { isLoopback } from "./transport/loopback.ts";
import { openSocket } from "./transport/socket.ts";
import type { Request } from "./types.ts";

/** `by` is the label of the endpoint that gave it. */
export type Answer =
  | { readonly ok: true; readonly result: unknown; readonly by?: string }
  | { readonly ok: false; readonly failure: NodeFailure; readonly by?: string };

/** One node of a chain. */
export type Endpoint = {
  /** Host and place in the list: a URL may carry a key, so it is never shown. */
  readonly label: string;
  /** Whether it is asked over a websocket, which can push new heads. */
  readonly pushes: boolean;
  /** Whether it runs on this machine. */
  readonly isLocal: boolean;
  /** Whether a second connection wakes the follower at new heads now. */
  isWaking(): boolean;
  readonly health: Health;
  /**
   * Sends requests together, when the endpoint's pace allows; answers in order.
   *
   * @param timeoutMs counts from when they are sent
   * @throws NodeFailure where no answer at all came; a failed item is an answer
   */
  send(
    requests: readonly Request[],
    timeoutMs: number,
    signal?: AbortSignal,
    terms?: SendTerms,
  ): Promise<Answer[]>;
  /** Milliseconds for which a request would be held back now. */
  waitMs(): number;
  /** Items a second that it takes, as learnt from its refusals; undefined before the first. */
  rate(): number | undefined;
  /** Most requests in one body, as learnt. */
  batchSize(): number;
  /** Items that it answered since the start. */
  total(): number;
  close(): void;
};

export type SendTerms = {
  readonly urgency: Urgency;
  /** Longest time for which the endpoint's pace may hold the requests back. */
  readonly waitMs: number;
};

const DEFAULT_TERMS: SendTerms = { urgency: "normal", waitMs: 30_000 };

type EndpointOptions = {
  readonly maxBytes: number;
  /** Requests in one HTTP body at first; halved for a node that refuses. */
  readonly batchSize: number;
  /** Called with what a subscription pushed. */
  readonly onWake: (pushed: unknown) => void;
  /** Whether an HTTP endpoint on this machine is listened to over a websocket too. */
  readonly listens: boolean;
};

export function openEndpoint(url: string, index: number, options: EndpointOptions): Endpoint {
  const health = newHealth();
  const bucket = createTokenBucket(() => performance.now());
  const pushes = /^wss?:/i.test(url);
  const socket = pushes ? socketTo(url, options, health) : undefined;
  const waker = listenTo(url, options);
  const post = socket?.post ?? httpPost(url, options.maxBytes);
  const sender = batching(post, pushes ? Number.POSITIVE_INFINITY : options.batchSize);
  const label = `${new URL(url).host}#${index}`;
  const closed = createClosedMethods();
  return {
    label,
    pushes,
    isLocal: isLoopback(url),
    isWaking: () => waker?.isOn() === true,
    health,
    waitMs: bucket.waitMs,
    rate: bucket.rate,
    total: bucket.total,
    batchSize: () => sender.size(),
    async send(requests, timeoutMs, signal, { urgency, waitMs } = DEFAULT_TERMS) {
      const patience = AbortSignal.timeout(Math.max(1, Math.ceil(waitMs)));
      const until = signal === undefined ? patience : AbortSignal.any([patience, signal]);
      if (!(await bucket.take(requests.length, urgency, until)))
        throw new NodeFailure("rate-limit", "the endpoint's pace allows no more requests now");
      const start = performance.now();
      try {
        const answers = closed.told(requests, await sender.send(requests, timeoutMs, signal));
        noteItems(health, answers, performance.now() - start);
        learn(bucket, answers, health);
        return answers.map((answer) => ({ ...answer, by: label }));
      } catch (error) {
        const failure = asFailure(error);
        if (signal?.aborted === true) noteSlow(health, performance.now() - start);
        else noteFailed(health, failure);
        if (failure.kind === "rate-limit") bucket.refused(health.pausedUntil - performance.now());
        throw failure;
      }
    },
    close() {
      socket?.close();
      waker?.close();
    },
  };
}

function socketTo(url: string, { maxBytes, onWake }: EndpointOptions, health: Health) {
  const onDrop = () => {
    health.verified = false;
  };
  return openSocket(url, maxBytes, { onWake, onDrop });
}

function noteFailed(health: Health, failure: NodeFailure): void {
  countFailure(health, failure.kind);
  noteFailure(health, failure, performance.now());
}

/** What tells a node on this machine of new heads beside the HTTP that it is asked by. */
function listenTo(url: string, { listens, onWake }: EndpointOptions) {
  return listens && isLoopback(url) && /^http/i.test(url) ? openWaker(url, onWake) : undefined;
}

function learn(bucket: TokenBucket, answers: readonly Answer[], { pausedUntil }: Health): void {
  const refused = answers.filter((answer) => !answer.ok && answer.failure.kind === "rate-limit").length;
  bucket.accepted(answers.length - refused);
  if (refused > 0) bucket.refused(pausedUntil - performance.now());
}

function noteItems(health: Health, answers: readonly Answer[], tookMs: number): void {
  const faults = answers.flatMap((answer) => (answer.ok ? [] : [answer.failure]));
  for (const { kind } of faults) countFailure(health, kind);
  const fault = faults.find(({ kind }) => kind === "rate-limit" || kind === "transport");
  if (fault === undefined) noteAnswer(health, tookMs);
  else noteFailure(health, fault, performance.now());
}

/** Anything thrown by a transport as a failure; a bug in the client itself stays what it is. */
function asFailure(error: unknown): NodeFailure {
  if (error instanceof NodeFailure) return error;
  throw error;
}

type Sender = (requests: readonly Request[], timeoutMs: number, signal?: AbortSignal) => Promise<Answer[]>;

/** Splits into bodies that the node takes; learns when it takes fewer, or no batches at all. */
function batching(post: Post, first: number): { readonly send: Sender; size(): number } {
  let size = first;
  let nextId = 1;
  const number = (request: Request) => ({ jsonrpc: "2.0", id: nextId++, ...request });

  const single: Sender = async ([request], timeoutMs, signal) => {
    const body = number(request as Request);
    return [readAnswer(await post(body, timeoutMs, signal))];
  };
  const batch: Sender = async (requests, timeoutMs, signal) => {
    const bodies = requests.map(number);
    const answer = await post(bodies, timeoutMs, signal);
    if (Array.isArray(answer)) return matchAnswers(bodies, answer);
    const refusal = readAnswer(answer);
    if (refusal.ok || refusal.failure.kind === "rate-limit") throw failureOrGarbage(refusal);
    size = Math.max(1, Math.floor(requests.length / 2));
    return send(requests, timeoutMs, signal);
  };
  const send: Sender = async (requests, timeoutMs, signal) => {
    const parts = chunks(requests, Math.min(size, Math.max(1, requests.length)));
    const ask = (part: Request[]) => (part.length === 1 ? single : batch)(part, timeoutMs, signal);
    return (await Promise.all(parts.map(ask))).flat();
  };
  return { send, size: () => size };
}

function failureOrGarbage(answer: Answer): NodeFailure {
  return answer.ok ? new NodeFailure("transport", "one answer to a batch") : answer.failure;
}

/** Answers may come in any order; one that is absent is a fault of that item alone. */
function matchAnswers(bodies: readonly { id: number }[], answers: readonly unknown[]): Answer[] {
  const byId = new Map<unknown, unknown>();
  for (const answer of answers) {
    if (typeof answer === "object" && answer !== null) byId.set((answer as { id?: unknown }).id, answer);
  }
  return bodies.map(({ id }) => readAnswer(byId.get(id)));
}

function readAnswer(answer: unknown): Answer {
  if (typeof answer !== "object" || answer === null) return garbage();
  if ("error" in answer && answer.error !== null && answer.error !== undefined) {
    return { ok: false, failure: failureOf(answer.error) };
  }
  return "result" in answer ? { ok: true, result: answer.result } : garbage();
}

function garbage(): Answer {
  return { ok: false, failure: new NodeFailure("transport", "no JSON-RPC answer") };
}
