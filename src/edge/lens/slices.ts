import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { sleep } from "../node/pace/pace.ts";
import type { Slots } from "../node/pace/slots.ts";
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
  /** Most slices of the list under way at once. */
  readonly lanes: number;
  /** Where given, a slice is also only requested while it has a slot. */
  readonly slots?: Slots | undefined;
  /** Whether the items of a slice must follow each other in the list. */
  readonly isRange?: boolean;
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

/** A list that is being read. */
type Run<R> = {
  /** Indices of the items that are neither read nor under way, the next one last. */
  readonly waiting: number[];
  readonly results: (R | undefined)[];
  /** Number of slices under way. */
  running: number;
  /** Most items of a slice: less after a slice that failed for its size. */
  most: number;
  /** Whether a slice failed in a way that fewer items do not avoid; no further slice is requested then. */
  isLost: boolean;
};

/**
 * Requests a list of items in slices that fit the budget. The unfinished rest of a slice is requested again, together
 * with other items; a slice that fails for its size is halved.
 *
 * @returns one result per item; undefined for an item that is too large for a request by itself
 * @throws NodeFailure where a slice fails for another reason, or a single item fails at the transport
 */
export async function inSlices<T, R>(request: SliceRequest<T, R>): Promise<(R | undefined)[]> {
  const { items, budget } = request;
  const run: Run<R> = {
    waiting: items.map((_, index) => items.length - 1 - index),
    results: new Array<R | undefined>(items.length),
    running: 0,
    most: Number.POSITIVE_INFINITY,
    isLost: false,
  };
  const lane = async () => {
    while (!run.isLost && (run.waiting.length > 0 || run.running > 0)) {
      if (run.running > 0 && !isFull(run, request)) await sleep(LOOK_AGAIN_MS);
      else await readSlice(run, request);
    }
  };
  const lanes = Math.max(1, Math.min(request.lanes, Math.ceil(sumOf(items, request.gasOf) / budget.gas)));
  await Promise.all(Array.from({ length: lanes }, lane));
  return run.results;
}

/** Takes a slice once it has a slot, and reads it. */
async function readSlice<T, R>(run: Run<R>, request: SliceRequest<T, R>): Promise<void> {
  run.running++;
  await request.slots?.take();
  // The calldata of a slice can take 10 ms; lanes that begin together yield the event loop before each.
  await setImmediate();
  try {
    await askSlice(takeSlice(run, request), run, request);
  } catch (error) {
    run.isLost = true;
    throw error;
  } finally {
    request.slots?.free();
    run.running--;
  }
}

/** Milliseconds after which an idle lane checks again whether there is a slice for it. */
const LOOK_AGAIN_MS = 5;

/**
 * Whether the waiting items fill half of a request. Fewer wait for what other slices leave unfinished, as long as there
 * are any: requests are what endpoints count.
 */
function isFull<T, R>({ waiting, most }: Run<R>, { items, gasOf, budget }: SliceRequest<T, R>): boolean {
  let gas = 0;
  for (let k = waiting.length - 1; k >= 0; k--) {
    gas += gasOf(items[waiting[k]!] as T);
    if (gas > budget.gas / 2 || waiting.length - k >= most) return true;
  }
  return false;
}

/** Takes as many waiting items as the budget allows, at least one where there is any. */
function takeSlice<T, R>(
  { waiting, most }: Run<R>,
  { items, gasOf, budget, isRange }: SliceRequest<T, R>,
): number[] {
  const taken: number[] = [];
  let gas = 0;
  while (waiting.length > 0 && taken.length < most) {
    const index = waiting.at(-1)!;
    gas += gasOf(items[index] as T);
    if (taken.length > 0 && (gas > budget.gas || (isRange && index !== taken.at(-1)! + 1))) break;
    taken.push(index);
    waiting.pop();
  }
  return taken;
}

/** Requests a slice and stores its results; what it leaves unfinished waits again. */
async function askSlice<T, R>(
  indices: readonly number[],
  run: Run<R>,
  { items, gasOf, budget, ask }: SliceRequest<T, R>,
): Promise<void> {
  const slice = indices.map((index) => items[index] as T);
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
    run.most = Math.ceil(slice.length / 2);
    run.waiting.push(...indices.toReversed());
    return;
  }
  if (slice.length >= run.most) run.most *= 2;
  for (const [k, result] of answer.results.entries()) run.results[indices[k]!] = result;
  learn(budget, { asked: sumOf(slice, gasOf), done: sumOf(slice.slice(0, answer.done), gasOf) }, start);
  run.waiting.push(...indices.slice(Math.max(answer.done, 1)).reverse());
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
