/**
 * Urgency of a request, most urgent first; `asked`: a caller waits for it. Less urgent requests wait for more urgent
 * ones.
 */
export type Urgency = "head" | "asked" | "normal" | "background";

/**
 * Limits requests to the rate that an endpoint accepts, learnt from its refusals. Each item of a batch counts, as
 * providers count them. Nothing is held back before the first refusal.
 */
export type TokenBucket = {
  /** Resolves once `items` may be sent; false where `signal` ended the wait. */
  take(items: number, urgency: Urgency, signal?: AbortSignal): Promise<boolean>;
  /** Counts items that were answered. */
  accepted(items: number): void;
  /** Records a refusal: the rate falls, and nothing is sent for `pauseMs`. */
  refused(pauseMs: number): void;
  /** Items per second that may be sent; undefined before the first refusal. */
  rate(): number | undefined;
  /** Items that were answered since the start. */
  total(): number;
  /** Milliseconds that an item would wait if it were taken now. */
  waitMs(): number;
};

/** Seconds before the first refusal over which the initial rate is measured. */
const MEASURED_S = 2;
/** A refusal multiplies the rate by this factor, at most once in COOL_MS. */
const FALL = 0.75;
const COOL_MS = 1_000;
/**
 * Share by which the rate grows each second in which less than half of the bucket is left. Where hardly anything is asked
 * for, nothing shows that the endpoint accepts more.
 */
const GROWTH_PER_S = 0.03;
/** Lower bound of the rate, items per second. */
const LEAST_RATE = 2;
/** Background work may use this share of the rate. */
const BACKGROUND_SHARE = 0.2;
/** Size of the bucket: after a pause, the items of this many seconds may be sent at once. */
const BURST_S = 1;

type Waiter = {
  readonly items: number;
  readonly rank: number;
  readonly done: (mayGo: boolean) => void;
};

const ranks: Readonly<Record<Urgency, number>> = { head: 0, asked: 1, normal: 2, background: 3 };

type State = {
  rate: number | undefined;
  /** Items that may be sent now; below zero after a batch that was larger than the bucket. */
  level: number;
  backgroundLevel: number;
  at: number;
  pausedUntil: number;
  fellAt: number;
  total: number;
  readonly waiting: Waiter[];
  readonly answered: { readonly at: number; readonly items: number }[];
  timer: NodeJS.Timeout | undefined;
};

/** @param now monotonic milliseconds */
export function createTokenBucket(now: () => number): TokenBucket {
  const state: State = {
    ...{ rate: undefined, level: 0, backgroundLevel: 0, at: now(), pausedUntil: 0, fellAt: 0, total: 0 },
    ...{ waiting: [], answered: [], timer: undefined },
  };
  const serve = () => {
    refill(state, now());
    for (let next = pick(state, now()); next !== undefined; next = pick(state, now())) {
      spend(state, next);
      next.done(true);
    }
    clearTimeout(state.timer);
    state.timer = state.waiting.length === 0 ? undefined : setTimeout(serve, untilNext(state, now())).unref();
  };
  return {
    take(items, urgency, signal) {
      if (signal?.aborted === true) return Promise.resolve(false);
      return new Promise((resolve) => {
        const stop = () => leave(state, waiter);
        const waiter: Waiter = {
          ...{ items, rank: ranks[urgency] },
          done(mayGo) {
            signal?.removeEventListener("abort", stop);
            resolve(mayGo);
          },
        };
        signal?.addEventListener("abort", stop, { once: true });
        state.waiting.push(waiter);
        serve();
      });
    },
    total: () => state.total,
    accepted(items) {
      state.total += items;
      state.answered.push({ at: now(), items });
      while (now() - (state.answered[0]?.at ?? now()) > MEASURED_S * 1000) state.answered.shift();
    },
    refused(pauseMs) {
      refill(state, now());
      state.pausedUntil = Math.max(state.pausedUntil, now() + pauseMs);
      if (state.rate !== undefined && now() - state.fellAt < COOL_MS) return;
      state.fellAt = now();
      state.rate = Math.max(
        LEAST_RATE,
        state.rate === undefined ? measured(state, now()) : state.rate * FALL,
      );
      state.level = Math.min(state.level, 0);
    },
    rate: () => state.rate,
    waitMs: () => (state.waiting.length === 0 && state.level > 0 ? 0 : untilNext(state, now())),
  };
}

/** Items per second that were answered in the last MEASURED_S seconds. */
function measured({ answered }: State, now: number): number {
  const recent = answered.filter(({ at }) => now - at <= MEASURED_S * 1000);
  return recent.reduce((sum, { items }) => sum + items, 0) / MEASURED_S;
}

function refill(state: State, now: number): void {
  const seconds = Math.max(0, now - Math.max(state.at, state.pausedUntil)) / 1000;
  state.at = now;
  if (state.rate === undefined) return;
  const toHalf = Math.max(1, state.rate * BURST_S) / 2 - state.level;
  state.rate *= 1 + GROWTH_PER_S * Math.min(seconds, Math.max(0, toHalf / state.rate));
  state.level = Math.min(Math.max(1, state.rate * BURST_S), state.level + seconds * state.rate);
  const share = state.rate * BACKGROUND_SHARE;
  state.backgroundLevel = Math.min(Math.max(1, share), state.backgroundLevel + seconds * share);
}

/**
 * Removes and returns the most urgent waiter that may be served now; among equally urgent ones, the one that came
 * first.
 */
function pick(state: State, now: number): Waiter | undefined {
  if (now < state.pausedUntil) return undefined;
  if (state.rate !== undefined && state.level <= 0) return undefined;
  const mayGo = ({ rank }: Waiter) =>
    rank < ranks.background || state.rate === undefined || state.backgroundLevel > 0;
  const best = state.waiting.reduce<Waiter | undefined>(
    (chosen, one) => (mayGo(one) && (chosen === undefined || one.rank < chosen.rank) ? one : chosen),
    undefined,
  );
  if (best !== undefined) state.waiting.splice(state.waiting.indexOf(best), 1);
  return best;
}

/** Items that were sent before the first refusal are no debt: no rate was exceeded by them. */
function spend(state: State, { items, rank }: Waiter): void {
  if (state.rate === undefined) return;
  state.level -= items;
  if (rank === ranks.background) state.backgroundLevel -= items;
}

function untilNext({ rate, level, backgroundLevel, pausedUntil, waiting }: State, now: number): number {
  const pause = Math.max(0, pausedUntil - now);
  if (rate === undefined) return Math.max(1, pause);
  const onlyBackground = waiting.length > 0 && waiting.every(({ rank }) => rank === ranks.background);
  const short = Math.max(-level / rate, onlyBackground ? -backgroundLevel / (rate * BACKGROUND_SHARE) : 0);
  return Math.ceil(pause + Math.max(1, (Math.max(0, short) + 0.001) * 1000));
}

function leave(state: State, waiter: Waiter): void {
  const place = state.waiting.indexOf(waiter);
  if (place < 0) return;
  state.waiting.splice(place, 1);
  waiter.done(false);
}
