import { setImmediate } from "node:timers/promises";
import type { Protocol, Registry } from "../../../core/protocol.ts";
import type { Call, Head, Hex, Pool, StateId } from "../../../core/types.ts";
import { loadStates, slotFrom } from "../../indexer/load.ts";
import type { Lens } from "../../lens/lens.ts";
import type { Slot } from "../../market/book.ts";
import { NodeFailure } from "../../node/transport/failure.ts";
import type { ChainReader } from "../../node/types.ts";

/**
 * Pools whose ticks are decoded before the event loop is yielded; some take 1.5 ms each. More hold up requests longer,
 * as `npm run bench:bootstrap -- --only backfill` shows by its longest stall.
 */
const TICKED_IN_A_ROW = 4;

type BulkRequest = {
  readonly registry: Registry;
  readonly reader: ChainReader;
  readonly lens: Lens;
};

/**
 * Reads the states of many pools at the end of one block; states that they share with others are not read. Where the
 * lens is usable, it reads the pools with ticks at once and makes the calls of all others, which are read in rounds;
 * elsewhere the reader makes the calls.
 *
 * @throws NodeFailure
 */
export async function loadBulk(
  pools: readonly Pool[],
  block: Head,
  { registry, reader, lens }: BulkRequest,
): Promise<Map<StateId, Slot>> {
  const byLens: ChainReader["read"] = (calls, at) =>
    lens.read(calls, at).catch((error: unknown) => {
      const isTooMuch = error instanceof NodeFailure && error.kind === "range";
      if (lens.isUsable() && !isTooMuch) throw error;
      return reader.read(calls, at);
    });
  const read: ChainReader["read"] = (calls, at) =>
    lens.isUsable() ? readApart(calls, { still: byLens, writing: reader.read }, at) : reader.read(calls, at);
  const ticked = pools.flatMap((pool) => {
    const bitmap = guarded(() => registry.get(pool.protocol)?.bitmap(pool));
    return bitmap === undefined ? [] : [{ pool, bitmap }];
  });
  const withTicks = new Set(ticked.map(({ pool }) => pool));
  const isPlain = (pool: Pool) => !withTicks.has(pool);
  // Awaited together: a failing node fails both, and neither rejection may stay unhandled.
  const [slots, answers] = await Promise.all([
    loadStates(pools.filter(isPlain), block, registry, read),
    ticksOf(
      lens,
      ticked.map(({ bitmap }) => bitmap),
      block,
    ),
  ]);
  const left: Pool[] = [];
  for (const [k, { pool }] of ticked.entries()) {
    const answer = answers[k];
    if (answer === undefined) left.push(pool);
    else slots.set(pool.stateIds[0], slotFrom(pool, answer, registry, block));
    if (k % TICKED_IN_A_ROW === TICKED_IN_A_ROW - 1) await setImmediate();
  }
  for (const [id, slot] of await loadStates(left, block, registry, reader.read)) slots.set(id, slot);
  return slots;
}

type Readers = { readonly still: ChainReader["read"]; readonly writing: ChainReader["read"] };

/** Reads by the lens, which makes static calls, but for calls of functions that write. */
async function readApart(
  calls: readonly Call[],
  { still, writing }: Readers,
  at: Parameters<ChainReader["read"]>[1],
): Promise<Hex[]> {
  const pick = (writes: boolean) => calls.filter(({ mayWrite }) => (mayWrite === true) === writes);
  const read = async (by: ChainReader["read"], part: readonly Call[]) =>
    (part.length === 0 ? [] : await by(part, at)).values();
  const [written, stills] = await Promise.all([read(writing, pick(true)), read(still, pick(false))]);
  return calls.map(({ mayWrite }) => (mayWrite === true ? written : stills).next().value as Hex);
}

type Bitmap = NonNullable<ReturnType<Protocol["bitmap"]>>;

async function ticksOf(
  lens: Lens,
  bitmaps: readonly Bitmap[],
  block: Head,
): Promise<readonly (Hex[] | undefined)[]> {
  if (bitmaps.length === 0 || !lens.isUsable()) return [];
  return lens.ticks(bitmaps, block).catch((error: unknown) => {
    if (!(error instanceof NodeFailure) || lens.isUsable()) throw error;
    return [];
  });
}

/**
 * The result of `work`, undefined where the design throws; loading the state then throws again and reports the design.
 */
function guarded<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
