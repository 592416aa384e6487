import { ApiFailure, type Offer, type PriceRequest, pricePath } from "../api.ts";

/** What the page knows about the offer it asked for. `last` is shown faintly while something newer is under way. */
export type FeedState =
  | { readonly kind: "idle" }
  | { readonly kind: "loading"; readonly request: PriceRequest; readonly last: Answered | undefined }
  | ({ readonly kind: "offer" } & Answered)
  | {
      readonly kind: "failed";
      readonly request: PriceRequest;
      readonly failure: ApiFailure;
      /** The newest offer for this very request, kept only where the failure passes by itself. */
      readonly last: Answered | undefined;
    };

export type Answered = { readonly request: PriceRequest; readonly offer: Offer };

export type FeedOptions = {
  readonly load: (request: PriceRequest, signal: AbortSignal) => Promise<Offer>;
  readonly show: (state: FeedState) => void;
  /** Between an answer and the next question. */
  readonly refreshMs: () => number;
  /** True while the page is hidden: refreshes wait, and `wake` resumes them. */
  readonly asleep: () => boolean;
};

export type Feed = {
  /** Follows this request from now on, first asking after `delayMs`; undefined = nothing to ask. */
  readonly follow: (request: PriceRequest | undefined, delayMs: number) => void;
  /** Asks at once if a refresh was put off while asleep. */
  readonly wake: () => void;
  readonly stop: () => void;
};

const PASSING_RETRY_MS = 2000;
const TYPING_PAUSE_MS = 250;

/**
 * Keeps one offer fresh. At most one request is in flight; an answer to anything but the newest question is dropped,
 * however late it comes.
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
    const next = await answer(options.load(request, flight.signal), request, lastOf(state));
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
    const failure =
      error instanceof ApiFailure
        ? error
        : new ApiFailure("The page could not read the answer.", { reason: "UNREADABLE", passing: false });
    const same = last !== undefined && pricePath(last.request) === pricePath(request);
    return { kind: "failed", request, failure, last: failure.passing && same ? last : undefined };
  }
}

/**
 * What is known of `request` when all that was heard is `state`: never the answer to another question. The last offer
 * is kept in sight where it is about the same two tokens.
 */
export function stateFor(state: FeedState, request: PriceRequest | undefined): FeedState {
  if (request === undefined) return { kind: "idle" };
  if (state.kind !== "idle" && pricePath(state.request) === pricePath(request)) return state;
  return loadingOf(state, request);
}

function loadingOf(state: FeedState, request: PriceRequest): FeedState {
  const last = lastOf(state);
  const related = last !== undefined && pairOf(last.request) === pairOf(request);
  return { kind: "loading", request, last: related ? last : undefined };
}

/**
 * How long to wait for more keys before a request is asked: not at all where no key was typed, as at the start or for
 * another pair.
 */
export function pauseBefore(before: PriceRequest | undefined, next: PriceRequest | undefined): number {
  const isTyping = before !== undefined && next !== undefined && pairOf(before) === pairOf(next);
  return isTyping ? TYPING_PAUSE_MS : 0;
}

function pairOf({ chainId, tokenIn, tokenOut }: PriceRequest): string {
  return `${chainId} ${tokenIn} ${tokenOut}`;
}

function lastOf(state: FeedState): Answered | undefined {
  if (state.kind === "idle") return undefined;
  return state.kind === "offer" ? { request: state.request, offer: state.offer } : state.last;
}

function retryMs(failure: ApiFailure, refreshMs: number): number {
  if (failure.retryAfterSeconds !== undefined) return failure.retryAfterSeconds * 1000;
  return failure.passing ? PASSING_RETRY_MS : refreshMs;
}
