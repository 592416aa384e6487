import { performance } from "node:perf_hooks";
import { mapLimit } from "../node/pace/pace.ts";
import { NodeFailure } from "../node/transport/failure.ts";

/** The results of one request: those of the first `done` items of its slice. */
export type SliceAnswer<R> = { readonly done: number; readonly results: readonly R[] };

/**
 * Gas of one request, by estimate. It is learnt from answers and kept from one list to the next; it never grows above
 * `most`.
 */
export type Budget = { gas: number; readonly most?: number };

const LEAST_GAS = 1_000_000;
const MOST_GAS = 200_000_000;
/**
 * A complete answer that takes longer makes the next slices smaller; one that takes less than a third makes them
 * larger.
 */
const LONG_MS = 2_500;
/**
 * Gas below which slow answers make no slice smaller: the endpoint or the network is slow then, and ten times the
 * requests would only load it more. Slices that fail do become smaller than this.
 */
const LEAST_GAS_WHEN_SLOW = 20_000_000;

type SliceRequest<T, R> = {
  readonly items: readonly T[];
  readonly gasOf: (item: T) => number;
  readonly budget: Budget;
  /** Most slices under way at once. */
  readonly lanes: number;
  /** Requests a slice from a node. @throws NodeFailure */
  readonly ask: (slice: readonly T[]) => Promise<SliceAnswer<R>>;
};

/**
 * After an unfinished slice the budget is the gas of its finished items times this factor. The lens stops where the gas
 * ends, so a slice that is slightly too large makes each request do all that it can, although estimates err in both
 * directions.
 */
const BEYOND_DONE = 1.1;

/** Failure kinds that a smaller slice may avoid. */
const TOO_MUCH: ReadonlySet<string> = new Set(["reverted", "range", "transport"]);

/**
 * Requests a list of items in slices that fit the budget. The unfinished rest of a slice is requested again; a slice
 * that fails for its size is halved.
 *
 * @returns one result per item; undefined for an item that is too large for a request by itself
 * @throws NodeFailure where a slice fails for another reason, or a single item fails at the transport
 */
export async function inSlices<T, R>(request: SliceRequest<T, R>): Promise<(R | undefined)[]> {
  const { items, budget } = request;
  const results = new Array<R | undefined>(items.length);
  const waiting: Span[] = [{ first: 0, end: items.length }];
  let running = 0;
  const lane = async () => {
    for (;;) {
      const span = takeSpan(waiting, request);
      if (span === undefined) {
        if (running === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
        continue;
      }
      running++;
      try {
        await askSpan(span, { waiting, results }, request);
      } finally {
        running--;
      }
    }
  };
  const lanes = Math.max(1, Math.min(request.lanes, Math.ceil(totalGas(request) / budget.gas)));
  await mapLimit(
    Array.from({ length: lanes }, (_, k) => k),
    lanes,
    lane,
  );
  return results;
}

type Span = { readonly first: number; readonly end: number };

function totalGas<T, R>({ items, gasOf }: SliceRequest<T, R>): number {
  return items.reduce((sum, item) => sum + gasOf(item), 0);
}

/** Takes as many items of the next span as the budget allows, at least one; the rest keeps waiting. */
function takeSpan<T, R>(waiting: Span[], { items, gasOf, budget }: SliceRequest<T, R>): Span | undefined {
  const span = waiting.pop();
  if (span === undefined || span.first >= span.end) return span === undefined ? undefined : EMPTY;
  let gas = 0;
  let end = span.first;
  while (end < span.end) {
    gas += gasOf(items[end] as T);
    if (gas > budget.gas && end > span.first) break;
    end++;
  }
  if (end < span.end) waiting.push({ first: end, end: span.end });
  return { first: span.first, end };
}

const EMPTY: Span = { first: 0, end: 0 };

/** Joins the rest of a slice with the span that follows it: by itself it would be a request that is nearly empty. */
function giveBack(waiting: Span[], { first, end }: Span): void {
  const next = waiting.findIndex((span) => span.first === end);
  const [following] = next < 0 ? [] : waiting.splice(next, 1);
  waiting.push({ first, end: following?.end ?? end });
}

type Lists<R> = { readonly waiting: Span[]; readonly results: (R | undefined)[] };

/** Requests a span and stores its results; the unfinished rest of the span waits again. */
async function askSpan<T, R>(
  span: Span,
  { waiting, results }: Lists<R>,
  { items, gasOf, budget, ask }: SliceRequest<T, R>,
): Promise<void> {
  const slice = items.slice(span.first, span.end);
  if (slice.length === 0) return;
  const start = performance.now();
  const answer = await ask(slice).catch((error: unknown) => {
    if (error instanceof NodeFailure && TOO_MUCH.has(error.kind)) return error;
    throw error;
  });
  if (answer instanceof NodeFailure) {
    if (slice.length === 1) {
      if (answer.kind === "transport") throw answer;
      return;
    }
    budget.gas = Math.max(LEAST_GAS, Math.min(budget.gas, sumOf(slice, gasOf)) / 2);
    const middle = span.first + Math.ceil(slice.length / 2);
    waiting.push({ first: middle, end: span.end }, { first: span.first, end: middle });
    return;
  }
  for (const [k, result] of answer.results.entries()) results[span.first + k] = result;
  learn(budget, { asked: sumOf(slice, gasOf), done: sumOf(slice.slice(0, answer.done), gasOf) }, start);
  const rest = { first: span.first + Math.max(answer.done, 1), end: span.end };
  if (rest.first < rest.end) giveBack(waiting, rest);
}

function sumOf<T>(items: readonly T[], gasOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + gasOf(item), 0);
}

function learn(budget: Budget, { asked, done }: { asked: number; done: number }, start: number): void {
  const tookMs = performance.now() - start;
  if (done < asked) budget.gas = Math.max(LEAST_GAS, Math.min(budget.gas, done * BEYOND_DONE));
  else if (tookMs > LONG_MS)
    budget.gas = Math.min(budget.gas, Math.max(LEAST_GAS_WHEN_SLOW, budget.gas * 0.7));
  else if (asked > budget.gas / 2 && tookMs < LONG_MS / 3)
    budget.gas = Math.min(budget.most ?? MOST_GAS, budget.gas * 1.25);
}
