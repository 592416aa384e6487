import type { EndpointAbilities } from "../../service/ports/ports-endpoints.ts";
import { backoff } from "./pace/pace.ts";
import type { FailureKind, NodeFailure } from "./transport/failure.ts";
import type { Header } from "./types.ts";

/** What the client remembers of one endpoint. Times are milliseconds of a monotonic clock. */
export type Health = {
  /** Chain id and genesis were seen to be the served chain's, over this connection. */
  verified: boolean;
  /** When they were last seen to be. */
  verifiedAt: number;
  wrongChain: boolean;
  /** Failed requests in a row; the breaker opens at FAILURES_TO_OPEN. */
  failures: number;
  openings: number;
  openUntil: number;
  /** Rate limits in a row, and until when the endpoint is left alone for them. */
  limits: number;
  pausedUntil: number;
  /** Durations of the last answers, newest overwriting oldest. */
  readonly latencies: number[];
  answers: number;
  /** Failed requests since the start, by kind; a call that reverts is an answer. */
  readonly counts: Partial<Record<FailureKind, number>>;
  /** The newest head that it reported, and when. */
  head: Header | undefined;
  headAt: number;
  /** The highest block number that it ever reported. */
  highest: number;
  /** Why an answer could not be true, and when the newest such came. */
  doubt: string | undefined;
  doubtAt: number;
  /** What it was found to offer; undefined until it was asked. */
  abilities: EndpointAbilities | undefined;
  /** How often it was asked what it offers. */
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
    doubt: undefined,
    doubtAt: Number.NEGATIVE_INFINITY,
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

/** An answer that was not waited for: the endpoint is at least this slow. */
export function noteSlow(health: Health, tookMs: number): void {
  health.latencies[health.answers % LATENCIES_KEPT] = tookMs;
  health.answers++;
}

export function countFailure({ counts }: Health, kind: FailureKind): void {
  if (kind !== "reverted") counts[kind] = (counts[kind] ?? 0) + 1;
}

/** Opens the breaker after several failures in a row; an opened endpoint must prove its chain again. */
export function noteFailure(health: Health, failure: NodeFailure, now: number): void {
  if (failure.kind === "rate-limit") {
    // Requests that were under way together are refused together: that is one refusal.
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

/** Whether requests may go there now. */
export function isUsable(health: Health, now: number): boolean {
  return health.verified && !health.wrongChain && now >= health.openUntil && now >= health.pausedUntil;
}

/** The duration that 95 of 100 of the last answers stayed under; `fallback` before there are enough of them. */
export function p95(health: Health, fallback: number): number {
  if (health.latencies.length < 8) return fallback;
  const sorted = [...health.latencies].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? fallback;
}

/** The typical duration of an answer; 0 before the first, so that every endpoint is tried. */
export function median(health: Health): number {
  const sorted = [...health.latencies].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Forgets what is known of the chain behind an endpoint, until it proves it again. */
export function distrust(health: Health): void {
  health.verified = false;
  health.head = undefined;
}

/** An endpoint that said what cannot be true is asked after all others for this long, and told of for longer. */
const DOUBT_MS = 60_000;
const TOLD_MS = 600_000;

export function noteDoubt(health: Health, why: string, now: number): void {
  health.doubt = why;
  health.doubtAt = now;
}

export function isDoubted({ doubtAt }: Health, now: number): boolean {
  return now - doubtAt < DOUBT_MS;
}

/** The doubt of the last minutes. */
export function doubtOf({ doubt, doubtAt }: Health, now: number): string | undefined {
  return now - doubtAt < TOLD_MS ? doubt : undefined;
}
