import { performance } from "node:perf_hooks";
import { countFailure, type Health, newHealth, noteAnswer, noteFailure, noteSlow } from "./health.ts";
import { createBatchLimit } from "./pace/batch-limit.ts";
import { chunks } from "./pace/pace.ts";
import { createTokenBucket, type TokenBucket, type Urgency } from "./pace/token-bucket.ts";
import { openWaker } from "./pace/waker.ts";
import { createClosedMethods } from "./transport/closed-methods.ts";
import { deadlineIn } from "./transport/deadline.ts";
import { failureOf, NodeFailure } from "./transport/failure.ts";
import { httpPost, type Post } from "./transport/http.ts";
import { isLoopback } from "./transport/loopback.ts";
import { openSocket } from "./transport/socket.ts";
import type { Request } from "./types.ts";

/** An endpoint's answer to one request; `by` is the label of the endpoint. */
export type Answer =
  | { readonly ok: true; readonly result: unknown; readonly by?: string }
  | { readonly ok: false; readonly failure: NodeFailure; readonly by?: string };

/** One node of a chain. */
export type Endpoint = {
  /** Host and place in the list, for logs; the URL itself may carry a key and is never shown. */
  readonly label: string;
  /** Whether requests go over a websocket, which can push new heads. */
  readonly pushes: boolean;
  /** Whether it runs on this machine. */
  readonly isLocal: boolean;
  /** Whether a websocket beside the HTTP connection is pushing new heads now. */
  isWaking(): boolean;
  readonly health: Health;
  /**
   * Sends requests together once the endpoint's rate limit allows; the answers are in the order of the requests.
   *
   * @param timeoutMs counts from the moment of sending
   * @throws NodeFailure where no answer came at all; an item that fails is an answer
   */
  send(
    requests: readonly Request[],
    timeoutMs: number,
    signal?: AbortSignal,
    terms?: SendTerms,
  ): Promise<Answer[]>;
  /** Milliseconds for which a request would be held back if it were made now. */
  waitMs(): number;
  /** Items per second that it accepts, as learnt from its refusals; undefined before the first refusal. */
  rate(): number | undefined;
  /** Largest number of requests in one body, as learnt from its refusals. */
  batchSize(): number;
  /** Items that it answered since the start. */
  total(): number;
  close(): void;
};

export type SendTerms = {
  readonly urgency: Urgency;
  /** Longest time, in milliseconds, for which the rate limit may hold the requests back. */
  readonly waitMs: number;
};

const DEFAULT_TERMS: SendTerms = { urgency: "normal", waitMs: 30_000 };

type EndpointOptions = {
  readonly maxBytes: number;
  /** Initial number of requests in one HTTP body; halved when a node refuses a batch. */
  readonly batchSize: number;
  /** Called with the result of each notification that a subscription pushes. */
  readonly onWake: (pushed: unknown) => void;
  /** Whether new heads of an HTTP endpoint on this machine are also listened for over a websocket. */
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
      const patience = deadlineIn(Math.max(1, Math.ceil(waitMs)), signal);
      const mayGo = await bucket.take(requests.length, urgency, patience.signal);
      patience.clear();
      if (!mayGo) throw new NodeFailure("rate-limit", "the endpoint's pace allows no more requests now");
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

/** Opens a websocket that pushes new heads, for an HTTP endpoint on this machine; undefined for other endpoints. */
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

/** The error as NodeFailure; any other error is a bug in the client and is thrown again. */
function asFailure(error: unknown): NodeFailure {
  if (error instanceof NodeFailure) return error;
  throw error;
}

type Sender = (requests: readonly Request[], timeoutMs: number, signal?: AbortSignal) => Promise<Answer[]>;

/** Splits requests into bodies of a size that the node takes; learns when it takes smaller batches or none. */
function batching(post: Post, first: number): { readonly send: Sender; size(): number } {
  const limit = createBatchLimit(first);
  let nextId = 1;
  const number = (request: Request) => ({ jsonrpc: "2.0", id: nextId++, ...request });

  const single: Sender = async ([request], timeoutMs, signal) => {
    const answer = readAnswer(await post(number(request as Request), timeoutMs, signal));
    limit.accepted(1);
    return [answer];
  };
  const batch: Sender = async (requests, timeoutMs, signal) => {
    const bodies = requests.map(number);
    const answer = await post(bodies, timeoutMs, signal).catch(tooLarge);
    const refusal = refusalIn(answer);
    if (refusal === undefined) {
      limit.accepted(requests.length);
      return matchAnswers(bodies, answer as unknown[]);
    }
    if (refusal.ok || refusal.failure.kind === "rate-limit") throw failureOrGarbage(refusal);
    limit.refused(requests.length);
    return send(requests, timeoutMs, signal);
  };
  const send: Sender = async (requests, timeoutMs, signal) => {
    const parts = chunks(requests, Math.min(limit.size(), Math.max(1, requests.length)));
    const ask = (part: Request[]) => (part.length === 1 ? single : batch)(part, timeoutMs, signal);
    return (await Promise.all(parts.map(ask))).flat();
  };
  return { send, size: limit.size };
}

/** A body or an answer that is too large, as the refusal of its batch. */
function tooLarge(error: unknown): unknown {
  if (error instanceof NodeFailure && error.kind === "range") return error;
  throw error;
}

/**
 * The refusal of a whole batch; undefined where its requests are answered each. Geth answers a batch that is too large
 * by a list with one error.
 */
function refusalIn(answer: unknown): Answer | undefined {
  if (answer instanceof NodeFailure) return { ok: false, failure: answer };
  if (!Array.isArray(answer)) return readAnswer(answer);
  const only = answer.length === 1 ? readAnswer(answer[0]) : undefined;
  return only?.ok === false ? only : undefined;
}

function failureOrGarbage(answer: Answer): NodeFailure {
  return answer.ok ? new NodeFailure("transport", "one answer to a batch") : answer.failure;
}

/** Matches answers, which may come in any order, to requests by id; a missing answer fails its own item only. */
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
