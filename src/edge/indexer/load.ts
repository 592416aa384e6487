import type { Protocol, Registry } from "../../core/protocol.ts";
import type { At, Call, Head, Hex, Pool, Refusal, StateId } from "../../core/types.ts";
import type { Slot } from "../market/book.ts";
import { chunks } from "../node/pace/pace.ts";
import type { ChainReader } from "../node/types.ts";
import { createPauses } from "../pauses.ts";

/** Most rounds of reads for a state; a design that wants more is taken to be faulty. */
const MAX_ROUNDS = 32;

/** Pools that are read together; bounds the memory that answers take. */
const POOLS_AT_ONCE = 1000;

type Job = { readonly pool: Pool; readonly answers: Hex[]; slot: Slot | undefined };

/**
 * Reads the own states of pools at the end of one block, in rounds: the calls of all pools in a round are sent
 * together.
 *
 * `at` of `load` and `apply` is the block whose state it is; only pricing uses the block after it.
 *
 * @returns by state id: a state, a refusal, or the message of what the protocol threw
 * @throws NodeFailure where the reads themselves fail
 */
export async function loadStates(
  pools: readonly Pool[],
  block: Head,
  registry: Registry,
  read: ChainReader["read"],
): Promise<Map<StateId, Slot>> {
  const slots = new Map<StateId, Slot>();
  for (const part of chunks(pools, POOLS_AT_ONCE)) {
    for (const [id, slot] of await loadTogether(part, { block, registry, read })) slots.set(id, slot);
  }
  return slots;
}

type Source = {
  readonly block: Head;
  readonly registry: Registry;
  readonly read: ChainReader["read"];
};

async function loadTogether(
  pools: readonly Pool[],
  { block, registry, read }: Source,
): Promise<Map<StateId, Slot>> {
  const at = atOf(block);
  const pause = createPauses();
  const jobs = pools.map((pool): Job => ({ pool, answers: [], slot: undefined }));
  let open = jobs;
  for (let round = 0; open.length > 0; round++) {
    const asked: (readonly [Job, readonly Call[]])[] = [];
    for (const job of open) {
      const calls = nextCalls(job, registry, { at, round });
      if (calls.length > 0) asked.push([job, calls]);
      await pause();
    }
    const answers = await read(
      asked.flatMap(([, calls]) => calls),
      block,
    );
    let start = 0;
    for (const [job, calls] of asked) {
      job.answers.push(...answers.slice(start, start + calls.length));
      start += calls.length;
    }
    open = asked.map(([job]) => job);
  }
  return new Map(jobs.map(({ pool, slot }) => [pool.stateIds[0], slot as Slot]));
}

/** The calls that a pool's state still needs. Where there are none, or the design throws, the job's slot is set. */
function nextCalls(job: Job, registry: Registry, { at, round }: { at: At; round: number }): readonly Call[] {
  const { pool, answers } = job;
  try {
    const calls = protocolOf(pool, registry).reads(pool, answers);
    if (calls.length > 0 && round < MAX_ROUNDS) return calls;
    if (calls.length > 0) throw new Error(`still wants reads after ${MAX_ROUNDS} rounds`);
    job.slot = slotOf(pool, answers, registry, at);
  } catch (error) {
    job.slot = { broken: String(error) };
  }
  return [];
}

/** A pool's slot from all answers, in the order in which `loadStates` would have read them. */
export function slotFrom(pool: Pool, answers: readonly Hex[], registry: Registry, block: Head): Slot {
  try {
    return slotOf(pool, answers, registry, atOf(block));
  } catch (error) {
    return { broken: String(error) };
  }
}

/** @throws what the protocol throws */
function slotOf(pool: Pool, answers: readonly Hex[], registry: Registry, at: At): Slot {
  const loaded = protocolOf(pool, registry).load(pool, answers, at);
  return isRefusal(loaded) ? { refusal: loaded.refusal } : { state: loaded };
}

function protocolOf(pool: Pool, registry: Registry): Protocol {
  const protocol = registry.get(pool.protocol);
  if (protocol === undefined) throw new Error(`no protocol ${pool.protocol}`);
  return protocol;
}

export function atOf(block: Head): At {
  return { blockNumber: block.number, timestamp: block.timestamp };
}

function isRefusal(loaded: unknown): loaded is Refusal {
  return typeof loaded === "object" && loaded !== null && "refusal" in loaded;
}
