import { type ApiFailure, type Offer, type PriceRequest, pricePath } from "../api.ts";
import { requestFailure } from "../request-failure.ts";

/** State of the current request. `last` is the previous offer, which is shown faded while a newer one is loading. */
export type FeedState =
  | { readonly kind: "idle" }
  | { readonly kind: "loading"; readonly request: PriceRequest; readonly last: Answered | undefined }
  | ({ readonly kind: "offer" } & Answered)
  | {
      readonly kind: "failed";
      readonly request: PriceRequest;
      readonly failure: ApiFailure;
      /** The newest offer for the same request; only after temporary failures. */
      readonly last: Answered | undefined;
    };

export type Answered = { readonly request: PriceRequest; readonly offer: Offer };

export type FeedOptions = {
  readonly load: (request: PriceRequest, signal: AbortSignal) => Promise<Offer>;
  readonly show: (state: FeedState) => void;
  /** Time between an answer and the next request. */
  readonly refreshMs: () => number;
  /** Whether the page is hidden. Refreshes then wait until `wake`. */
  readonly asleep: () => boolean;
};

export type Feed = {
  /** Follows a request, which is first sent after `delayMs`; undefined = no request. */
  readonly follow: (request: PriceRequest | undefined, delayMs: number) => void;
  /** Refreshes at once if a refresh was due while the page was hidden. */
  readonly wake: () => void;
  readonly stop: () => void;
};

const PASSING_RETRY_MS = 2000;
/** Longest Retry-After that is kept: a timer of more than about 24 days would end at once. */
const LONGEST_RETRY_MS = 3_600_000;
const TYPING_PAUSE_MS = 250;

/**
 * Keeps one offer fresh. At most one request is in flight, and answers to earlier requests are discarded.
 */
export function createFeed(options: FeedOptions): Feed {
  let question = 0;
  let state: FeedState = { kind: "idle" };
  let current: PriceRequest | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flight: AbortController | undefined;
  let putOff = false;

  const show = (next: FeedState) => {
    state = next;
    options.show(next);
  };
  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (options.asleep()) putOff = true;
      else void ask();
    }, delayMs);
  };
  const halt = () => {
    question += 1;
    clearTimeout(timer);
    flight?.abort();
    putOff = false;
  };

  async function ask(): Promise<void> {
    if (current === undefined) return;
    const request = current;
    const mine = ++question;
    flight = new AbortController();
    const next = await answer(options.load(request, flight.signal), request, newestOf(state));
    if (mine !== question) return;
    show(next);
    const refreshMs = options.refreshMs();
    schedule(next.kind === "failed" ? retryMs(next.failure, refreshMs) : refreshMs);
  }

  return {
    follow: (request, delayMs) => {
      halt();
      current = request;
      if (request === undefined) return show({ kind: "idle" });
      show(loadingOf(state, request));
      schedule(delayMs);
    },
    wake: () => {
      if (putOff && !options.asleep()) schedule(0);
      putOff = false;
    },
    stop: halt,
  };
}

async function answer(
  promise: Promise<Offer>,
  request: PriceRequest,
  last: Answered | undefined,
): Promise<Extract<FeedState, { kind: "offer" | "failed" }>> {
  try {
    return { kind: "offer", request, offer: await promise };
  } catch (error) {
    const failure = requestFailure(error);
    const same = last !== undefined && pricePath(last.request) === pricePath(request);
    return { kind: "failed", request, failure, last: failure.passing && same ? last : undefined };
  }
}

/**
 * The state for a request that may be newer than `state`: never the answer to another request. The last offer stays
 * visible where it is for the same pair of tokens.
 */
export function stateFor(state: FeedState, request: PriceRequest | undefined): FeedState {
  if (request === undefined) return { kind: "idle" };
  if (state.kind !== "idle" && pricePath(state.request) === pricePath(request)) return state;
  return loadingOf(state, request);
}

function loadingOf(state: FeedState, request: PriceRequest): FeedState {
  const last = newestOf(state);
  const related = last !== undefined && pairOf(last.request) === pairOf(request);
  return { kind: "loading", request, last: related ? last : undefined };
}

/**
 * Delay before a request is sent, in milliseconds, so that the user can finish typing. It is 0 at the start and for
 * another pair of tokens.
 */
export function pauseBefore(before: PriceRequest | undefined, next: PriceRequest | undefined): number {
  const isTyping = before !== undefined && next !== undefined && pairOf(before) === pairOf(next);
  return isTyping ? TYPING_PAUSE_MS : 0;
}

function pairOf({ chainId, tokenIn, tokenOut }: PriceRequest): string {
  return `${chainId} ${tokenIn} ${tokenOut}`;
}

/** The newest offer of a state: its own one, or the one before it. */
export function newestOf(state: FeedState): Answered | undefined {
  if (state.kind === "idle") return undefined;
  return state.kind === "offer" ? { request: state.request, offer: state.offer } : state.last;
}

function retryMs(failure: ApiFailure, refreshMs: number): number {
  if (failure.retryAfterSeconds !== undefined)
    return Math.min(failure.retryAfterSeconds * 1000, LONGEST_RETRY_MS);
  return failure.passing ? PASSING_RETRY_MS : refreshMs;
}
