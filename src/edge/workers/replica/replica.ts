import type { Registry } from "../../../core/protocol.ts";
import { createEngine } from "../../../core/routing/engine.ts";
import type { Engine } from "../../../core/routing/types.ts";
import type { Address, At, Chain, Pool, PoolId, StateId } from "../../../core/types.ts";
import { patchOrName } from "../../market/offers.ts";
import { nextAt } from "../../next-at.ts";
import { type Delta, decodeDelta, headOf } from "../state-bus.ts";
import { createPackedStates, type PackedStates } from "./packed-states.ts";
import { createTexts, type Texts } from "./texts.ts";

/** A private copy of a market: pools, states and an engine, kept up to date by the messages of a state bus. */
export type Replica = {
  readonly engine: Engine;
  /** Sequence number of the last change that was applied. */
  seq(): number;
  /** The block expected to execute a route that is searched now. @throws Error before the first message */
  at(): At;
  /**
   * Applies a message to pools and states, and to the engine once the whole market is there (`isLevel`).
   *
   * @throws RangeError where a change is missing, or the message is of another writer or chain
   */
  take(bytes: Uint8Array, isLevel: boolean): void;
};

type Copy = {
  readonly pools: Map<PoolId, Pool>;
  readonly texts: Texts;
  readonly states: PackedStates;
  /** Number of pools that read a state which is another pool's own. */
  readonly sharers: Map<StateId, number>;
  /** Pools whose newest version the engine does not have yet. */
  readonly changed: Set<PoolId>;
  readonly removed: Set<PoolId>;
};

/** @param isVetted as of the engine that published the market: both value tokens alike */
export function createReplica(
  registry: Registry,
  chain: Chain,
  joinedAt: number,
  isVetted?: (token: Address) => boolean,
): Replica {
  const engine = createEngine(registry, chain, isVetted);
  const copy: Copy = {
    ...{ pools: new Map(), texts: createTexts(), states: createPackedStates(), sharers: new Map() },
    ...{ changed: new Set(), removed: new Set() },
  };
  let isPatching = false;
  // A patch reads each state once, so only shared states go through the cache.
  const view = {
    get: (id: StateId) => (isPatching && !copy.sharers.has(id) ? copy.states.read(id) : copy.states.get(id)),
  };
  let seq = joinedAt;
  let epoch: number | undefined;
  let at: At | undefined;
  return {
    engine,
    seq: () => seq,
    at: () => {
      if (at === undefined) throw new Error("this copy has no state yet");
      return at;
    },
    take(bytes, isLevel) {
      const delta = decodeDelta(bytes);
      const expected = delta.kind === "change" ? seq + 1 : seq;
      const isNext = delta.seq === expected && delta.chain === chain.id;
      if (!isNext || (epoch ?? delta.epoch) !== delta.epoch)
        throw new RangeError(
          `state bus: chain ${delta.chain}, epoch ${delta.epoch}, ${delta.kind} ${delta.seq} is not ${expected} of chain ${chain.id}`,
        );
      seq = delta.seq;
      epoch = delta.epoch;
      at = nextAt(headOf(delta), chain.blockTimeMs);
      write(copy, delta);
      if (!isLevel) return;
      const pools = [...copy.changed].map((id) => copy.pools.get(id)!);
      const change = { pools, removed: [...copy.removed] };
      copy.changed.clear();
      copy.removed.clear();
      // A pool on which the engine throws is left out, as it is in the thread that published it.
      isPatching = true;
      patchOrName(change, (one) => engine.patch(one, view, at!));
      isPatching = false;
    },
  };
}

function write(copy: Copy, delta: Delta): void {
  if (delta.reset) {
    for (const id of [...copy.pools.keys()]) remove(copy, id);
    copy.states.clear();
  }
  for (const id of delta.removed) remove(copy, id);
  for (const pool of delta.pools) add(copy, copy.texts.shared(pool));
  for (const [id, state] of delta.states) copy.states.set(copy.pools.get(id)?.id ?? id, state);
  // A pool without a record here comes in a later slice, with its newest states.
  for (const id of delta.changed) if (copy.pools.has(id)) copy.changed.add(id);
}

function add(copy: Copy, pool: Pool): void {
  countSharers(copy, copy.pools.get(pool.id), -1);
  countSharers(copy, pool, 1);
  copy.pools.set(pool.id, pool);
  copy.changed.add(pool.id);
  copy.removed.delete(pool.id);
}

/** Removes a pool, and its own state unless other pools read it. */
function remove(copy: Copy, id: PoolId): void {
  const pool = copy.pools.get(id);
  copy.pools.delete(id);
  copy.changed.delete(id);
  copy.removed.add(id);
  countSharers(copy, pool, -1);
  if (pool !== undefined && !copy.sharers.has(pool.stateIds[0])) copy.states.delete(pool.stateIds[0]);
}

function countSharers({ sharers }: Copy, pool: Pool | undefined, by: 1 | -1): void {
  for (const id of pool?.stateIds.slice(1) ?? []) {
    const count = (sharers.get(id) ?? 0) + by;
    if (count === 0) sharers.delete(id);
    else sharers.set(id, count);
  }
}
