import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { allowedBy } from "../../src/core/allowance.ts";
import type { Protocol } from "../../src/core/protocol.ts";
import { createEngine } from "../../src/core/routing/engine.ts";
import type { Engine } from "../../src/core/routing/types.ts";
import type { Pool, StateId } from "../../src/core/types.ts";
import { nextAt } from "../../src/edge/next-at.ts";
import { createInProcessBus } from "../../src/edge/workers/in-process-bus.ts";
import { createReplica, type Replica } from "../../src/edge/workers/replica/replica.ts";
import { type Delta, decodeDelta, encodeDelta } from "../../src/edge/workers/state-bus.ts";
import { protocols } from "../../src/protocols/index.ts";
import { ask, chain, changeOf, headOf, poolOf, stateOf, tokenOf } from "./pools.ts";

/** A copy that is fed as a thread is, and whether it has everything. */
function follow(bus: ReturnType<typeof createInProcessBus>) {
  const messages: { bytes: Uint8Array; isLevel: boolean }[] = [];
  const following = bus.follow((bytes, isLevel) => messages.push({ bytes, isLevel }));
  const replica = createReplica(protocols, chain, following.seq);
  const take = () => {
    let level = false;
    for (const { bytes, isLevel } of messages.splice(0)) {
      replica.take(bytes, isLevel);
      level = isLevel;
    }
    return level;
  };
  return { replica, take, following };
}

function found(engine: Engine, block: number) {
  const at = nextAt(headOf(block), chain.blockTimeMs);
  return [1, 2, 3].flatMap((to) =>
    [10n ** 15n, 10n ** 20n].map((amount) => {
      const { allowed, ...query } = ask(amount, { tokenOut: tokenOf(to), timeoutMs: 60_000 });
      const allows = allowedBy(allowed, query, () => true);
      const result = engine.find({ ...query, allows, at, now: () => 0 });
      return result.kind === "found" ? [result.route.amountOut, result.route.steps.length] : result.reason;
    }),
  );
}

/** An engine that was given a market at once. */
function fresh(block: number, states: ReadonlyMap<number, number>): Engine {
  const engine = createEngine(protocols, chain);
  const byId = new Map<StateId, unknown>([...states].map(([n, v]) => [poolOf(n).id, stateOf(n, v)]));
  const pools = [...states.keys()].map((n) => poolOf(n));
  engine.patch(
    { pools, removed: [] },
    { get: (id) => byId.get(id) },
    nextAt(headOf(block), chain.blockTimeMs),
  );
  return engine;
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k);

/** Tells the bus what the map says of these pools, at this block. */
function told(states: Map<number, number>, block: number, pools: readonly number[], more = {}) {
  for (const n of pools) states.set(n, block);
  const stateOfId = (id: StateId) => {
    const n = Number(id) - 0xbb0000;
    return states.has(n) ? stateOf(n, states.get(n)!) : undefined;
  };
  return changeOf(block, pools, { ...more, stateOf: stateOfId });
}

test("a copy that was there from the start and one that joins in between are what a fresh market is", async () => {
  const bus = createInProcessBus(chain.id, 1);
  const states = new Map<number, number>();
  const early = follow(bus);
  bus.publish(told(states, 100, range(0, 40)));
  bus.publish(told(states, 101, [3, 5, 39]));
  const late = follow(bus);
  expect(late.take()).toBe(false);
  bus.publish(told(states, 102, [5, 41], { removed: [poolOf(7).id] }));
  states.delete(7);
  await setImmediate();
  await setImmediate();
  bus.publish(told(states, 103, [6, 42]));
  for (const { take, replica } of [early, late]) {
    expect(take()).toBe(true);
    expect(replica.seq()).toBe(4);
    expect(replica.at().blockNumber).toBe(104);
    expect(found(replica.engine, 103)).toEqual(found(fresh(103, states), 103));
  }
});

test("a large change comes in slices, while others come between them; a reset leaves nothing of before", async () => {
  const bus = createInProcessBus(chain.id, 1);
  const states = new Map<number, number>();
  const copy = follow(bus);
  bus.publish(told(states, 100, range(0, 5_000)));
  expect(copy.take()).toBe(false);
  await setImmediate();
  bus.publish(told(states, 101, [4_999, 0], { removed: [poolOf(17).id, poolOf(4_990).id] }));
  for (const gone of [17, 4_990]) states.delete(gone);
  for (let k = 0; k < 40; k++) await setImmediate();
  expect(copy.take()).toBe(true);
  expect(found(copy.replica.engine, 101)).toEqual(found(fresh(101, states), 101));

  const before = [...states.keys()].map((n) => poolOf(n).id);
  states.clear();
  bus.publish(told(states, 102, [1, 2, 3], { reset: true, removed: before }));
  expect(copy.take()).toBe(true);
  expect(found(copy.replica.engine, 102)).toEqual(found(fresh(102, states), 102));
});

test("a change that is missing, comes twice, or is of another writer, chain or schema is refused", () => {
  const bus = createInProcessBus(chain.id, 1);
  const messages: Uint8Array[] = [];
  bus.follow((bytes) => messages.push(bytes));
  for (const block of [100, 101, 102]) bus.publish(changeOf(block, [1]));
  const joined = (): Replica => {
    const replica = createReplica(protocols, chain, 0);
    replica.take(messages[0]!, true);
    return replica;
  };
  const altered = (more: object) => encodeDelta({ ...decodeDelta(messages[1]!), ...more } as Delta);
  expect(() => joined().take(messages[2]!, true)).toThrow("change 3 is not 2");
  expect(() => joined().take(messages[0]!, true)).toThrow("change 1 is not 2");
  expect(() => joined().take(altered({ epoch: 2 }), true)).toThrow("epoch 2");
  expect(() => joined().take(altered({ chain: 5 }), true)).toThrow("chain 5");
  expect(() => joined().take(altered({ schema: 1 }), true)).toThrow("schema 1");
  expect(() => joined().take(messages[1]!.subarray(0, -1), true)).toThrow("state bus");
  const replica = joined();
  replica.take(messages[1]!, true);
  expect(replica.seq()).toBe(2);
});

test("a state that other pools read outlives its own pool", () => {
  const v2 = protocols.get("uniswap-v2")!;
  const ofLast = (pool: Pool): Pool => ({ ...pool, stateIds: [pool.stateIds.at(-1)!] });
  const reader: Protocol = {
    ...v2,
    mirror: (_, pool, at, view) => v2.mirror(view.get(pool.stateIds.at(-1)!), pool, at, view),
    quote: (view, pool, ...rest) => v2.quote(view, ofLast(pool), ...rest),
  };
  const owner = poolOf(0);
  const sharer: Pool = { ...poolOf(5), stateIds: [poolOf(5).id, owner.id] };
  const bus = createInProcessBus(chain.id, 1);
  const messages: Uint8Array[] = [];
  bus.follow((bytes) => messages.push(bytes));
  const told = { ...changeOf(100, [0, 5]), pools: [owner, sharer] };
  bus.publish(told);
  bus.publish({ ...told, head: headOf(101), pools: [], removed: [owner.id] });
  const replica = createReplica(new Map([["uniswap-v2", reader]]), chain, 0);
  for (const bytes of messages) replica.take(bytes, true);
  expect(found(replica.engine, 101)).toContainEqual([expect.any(BigInt), 1]);
});
