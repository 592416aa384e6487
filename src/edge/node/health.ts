import type { EndpointAbilities } from "../../service/ports/ports-endpoints.ts";
import { backoff } from "./pace/pace.ts";
import type { FailureKind, NodeFailure } from "./transport/failure.ts";
import type { Header } from "./types.ts";

/** What the client remembers of one endpoint. Times are milliseconds of a monotonic clock. */
export type Health = {
  /** Whether chain id and genesis were found to be the served chain's over this connection. */
  verified: boolean;
  /** When chain id and genesis were last checked. */
  verifiedAt: number;
  wrongChain: boolean;
  /** Failed requests in a row; the circuit breaker opens at FAILURES_TO_OPEN. */
  failures: number;
  openings: number;
  openUntil: number;
  /** Rate-limit answers in a row, and the time until which no request is sent because of them. */
  limits: number;
  pausedUntil: number;
  /** Durations in milliseconds of the last LATENCIES_KEPT answers; the newest overwrites the oldest. */
  readonly latencies: number[];
  answers: number;
  /** Failed requests since the start, by kind; a call that reverts is an answer. */
  readonly counts: Partial<Record<FailureKind, number>>;
  /** The last head that it reported, and when by `elapsedMs`. */
  head: Header | undefined;
  headAt: number;
  /** The highest block number that it ever reported. */
  highest: number;
  /** Why the last poll found it unusable, without any URL; undefined where it did not. */
  trouble: string | undefined;
  /** Why its last false answer cannot be true, and when that answer came. */
  doubt: string | undefined;
  doubtAt: number;
  /** Until when its head counts only where no other endpoint reports one. */
  disbelievedUntil: number;
  /** The methods and limits that it was found to have; undefined until they are known. */
  abilities: EndpointAbilities | undefined;
  /** How often its abilities were inquired about. */
  inquiries: number;
};

const FAILURES_TO_OPEN = 3;
const LATENCIES_KEPT = 64;
const OPEN_BASE_MS = 500;
const OPEN_MAX_MS = 15_000;
const PAUSE_BASE_MS = 500;
const PAUSE_MAX_MS = 30_000;

export function newHealth(): Health {
  return {
    verified: false,
    verifiedAt: 0,
    wrongChain: false,
    failures: 0,
    openings: 0,
    openUntil: 0,
    limits: 0,
    pausedUntil: 0,
    latencies: [],
    answers: 0,
    counts: {},
    head: undefined,
    headAt: 0,
    highest: -1,
    trouble: undefined,
    doubt: undefined,
    doubtAt: Number.NEGATIVE_INFINITY,
    disbelievedUntil: Number.NEGATIVE_INFINITY,
    abilities: undefined,
    inquiries: 0,
  };
}

export function noteAnswer(health: Health, tookMs: number): void {
  health.failures = 0;
  health.openings = 0;
  health.limits = 0;
  noteSlow(health, tookMs);
}

/**
 * Records a duration in milliseconds. For a request that was abandoned it is a lower bound on the endpoint's latency.
 */
export function noteSlow(health: Health, tookMs: number): void {
  health.latencies[health.answers % LATENCIES_KEPT] = tookMs;
  health.answers++;
}

export function countFailure({ counts }: Health, kind: FailureKind): void {
  if (kind !== "reverted") counts[kind] = (counts[kind] ?? 0) + 1;
}

/**
 * Opens the circuit breaker after several transport failures in a row; the endpoint must then prove its chain again. A
 * rate limit pauses the endpoint instead. Other kinds of failure change nothing.
 */
export function noteFailure(health: Health, failure: NodeFailure, now: number): void {
  if (failure.kind === "rate-limit") {
    // Requests that are in flight together are refused together and count as one refusal.
    if (failure.retryAfterMs === undefined && now < health.pausedUntil) return;
    const wait = failure.retryAfterMs ?? backoff(health.limits, PAUSE_BASE_MS, PAUSE_MAX_MS);
    health.limits++;
    health.pausedUntil = now + Math.min(wait, PAUSE_MAX_MS);
    return;
  }
  if (failure.kind !== "transport") return;
  health.failures++;
  if (health.failures < FAILURES_TO_OPEN) return;
  health.failures = 0;
  health.openUntil = now + backoff(health.openings, OPEN_BASE_MS, OPEN_MAX_MS);
  health.openings++;
  health.verified = false;
}

export function noteHead(health: Health, head: Header, now: number): void {
  health.head = head;
  health.headAt = now;
  health.highest = Math.max(health.highest, head.number);
}

/** Whether requests may be sent to the endpoint now. */
export function isUsable(health: Health, now: number): boolean {
  return health.verified && !health.wrongChain && now >= health.openUntil && now >= health.pausedUntil;
}

/** The 95th percentile of the last answers' durations, milliseconds; `fallback` while there are fewer than 8. */
export function p95(health: Health, fallback: number): number {
  if (health.latencies.length < 8) return fallback;
  const sorted = [...health.latencies].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? fallback;
}

/** The median duration of the last answers, milliseconds; 0 before the first, so that every endpoint is tried. */
export function median(health: Health): number {
  const sorted = [...health.latencies].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Makes the endpoint unusable until it proves its chain again, and forgets its head. */
export function distrust(health: Health): void {
  health.verified = false;
  health.head = undefined;
}

/**
 * For DOUBT_MS after an answer that cannot be true an endpoint ranks after the others; for TOLD_MS operators see the
 * reason.
 */
const DOUBT_MS = 60_000;
const TOLD_MS = 600_000;

export function noteDoubt(health: Health, why: string, now: number): void {
  health.doubt = why;
  health.doubtAt = now;
}

export function isDoubted({ doubtAt }: Health, now: number): boolean {
  return now - doubtAt < DOUBT_MS;
}

/** Why an answer of the last TOLD_MS cannot be true; undefined where none was given. */
export function doubtOf({ doubt, doubtAt }: Health, now: number): string | undefined {
  return now - doubtAt < TOLD_MS ? doubt : undefined;
}

/**
 * Lets the endpoint's head count only where no other endpoint reports one, for as long as its answers are doubted. Its
 * last head is forgotten, so that no other endpoint is measured by it.
 */
export function disbelieve(health: Health, why: string, now: number): void {
  noteDoubt(health, why, now);
  health.disbelievedUntil = now + DOUBT_MS;
  health.head = undefined;
}

export function isBelieved({ disbelievedUntil }: Health, now: number): boolean {
  return now >= disbelievedUntil;
}

/** Those whose heads count: the believed ones, or all where none of these has reported a head. */
export function believed<E extends { readonly health: Health }>(
  endpoints: readonly E[],
  now: number,
): readonly E[] {
  const some = endpoints.filter(({ health }) => isBelieved(health, now) && health.head !== undefined);
  return some.length > 0 ? some : endpoints;
}
