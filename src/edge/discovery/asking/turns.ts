import type { Address } from "../../../core/types.ts";
import { NodeFailure } from "../../node/transport/failure.ts";
import { createFairQueue } from "../../workers/callers/fair-queue.ts";

/** Most pairs that are read at once, for all callers together and for one caller. */
const MOST_AT_ONCE = 16;
const MOST_OF_ONE = 4;
/**
 * Most pairs that wait their turn; beyond that, the last of the caller with most waiting pairs is refused as
 * `rate-limit`.
 */
const MOST_WAITING = 256;

/** A pair whose pools a caller wants to be read. `key` is the same for the same pair. */
export type Wanted = {
  readonly caller: string;
  readonly key: string;
  readonly tokens: readonly [Address, Address];
};

type Work = Wanted & {
  readonly promise: Promise<void>;
  readonly done: (error?: unknown) => void;
};

type Turns = {
  readonly run: (wanted: Wanted) => Promise<void>;
  readonly queue: ReturnType<typeof createFairQueue<Work>>;
  /** Everything that waits or is read, by pair. */
  readonly works: Map<string, Set<Work>>;
  /** Pairs that are read now. */
  readonly reading: Set<string>;
  /** Number of pairs that are read now, by caller. */
  readonly running: Map<string, number>;
};

/**
 * Runs works so that callers take turns, with at most MOST_AT_ONCE in progress and MOST_OF_ONE of each caller. A pair that
 * several callers want is read once, in the turn of whoever comes first: who wants what waits in the line of a caller
 * with hundreds of pairs does not wait in that line.
 *
 * @returns a function that rejects as `run` does, and with NodeFailure `rate-limit` where too many pairs wait
 */
export function createTurns(run: Turns["run"]): (wanted: Wanted) => Promise<void> {
  const queue = createFairQueue<Work>(MOST_WAITING);
  const turns: Turns = { run, queue, works: new Map(), reading: new Set(), running: new Map() };
  return (wanted) => {
    const same = turns.works.get(wanted.key) ?? new Set();
    const own = [...same].find(({ caller }) => caller === wanted.caller);
    if (own !== undefined) return own.promise;
    const work = workOf(wanted);
    turns.works.set(wanted.key, same.add(work));
    if (turns.reading.has(wanted.key)) return work.promise;
    const refused = queue.push(work);
    if (refused !== undefined) refuse(turns, refused);
    start(turns);
    return work.promise;
  };
}

function workOf(wanted: Wanted): Work {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { ...wanted, promise, done: (error) => (error === undefined ? resolve() : reject(error)) };
}

function refuse({ works }: Turns, refused: Work): void {
  const same = works.get(refused.key)!;
  same.delete(refused);
  if (same.size === 0) works.delete(refused.key);
  refused.done(new NodeFailure("rate-limit", "pools of other tokens are being read"));
}

function start(turns: Turns): void {
  const { queue, running, reading } = turns;
  const later: Work[] = [];
  while (reading.size < MOST_AT_ONCE) {
    const work = queue.next();
    if (work === undefined) break;
    if ((running.get(work.caller) ?? 0) < MOST_OF_ONE) begin(turns, work);
    else later.push(work);
  }
  for (const work of later) {
    queue.served(work, 0);
    queue.push(work);
  }
}

function begin(turns: Turns, work: Work): void {
  const { run, queue, works, reading, running } = turns;
  const { caller, key } = work;
  for (const other of works.get(key)!) queue.remove(other);
  reading.add(key);
  running.set(caller, (running.get(caller) ?? 0) + 1);
  const end = (error?: unknown) => {
    // Turns are counted and not timed, since a work that is put back is charged as well.
    queue.served(work, 0);
    reading.delete(key);
    const left = running.get(caller)! - 1;
    if (left === 0) running.delete(caller);
    else running.set(caller, left);
    const same = works.get(key)!;
    works.delete(key);
    for (const { done } of same) done(error);
    start(turns);
  };
  void run(work).then(() => end(), end);
}
