import fc from "fast-check";
import { expect, test } from "vitest";
import { counter, OTHER_FACTORY, poolOf } from "../../../test/faults/counter.ts";
import { createFakeChain, poolAddress } from "../../../test/faults/fake-chain.ts";
import { contents, type Follower, follow } from "../../../test/faults/follow.ts";
import { ADOPTED_AT_ONCE } from "./adopt.ts";
import { loadStates } from "./load.ts";

/** Pools that no listed factory announces, so that only adoption brings them into the market. */
const POOLS = [0, 1, 2].map(poolAddress);
const registry = new Map([["counter", counter()]]);

function started() {
  const chain = createFakeChain();
  chain.mine(POOLS.map((pool) => ({ kind: "create", pool, factory: OTHER_FACTORY })));
  return { chain, follower: follow(chain) };
}

/** Reads the pools at the newest committed block, without adopting them. */
async function readAtHead({ market, reader }: Follower) {
  const block = market.head()!;
  const pools = POOLS.map(poolOf);
  return { pools, block, slots: await loadStates(pools, block, registry, reader.read) };
}

/** The contents of a new market that adopts the pools at the tip. */
async function fresh(chain: ReturnType<typeof createFakeChain>) {
  const follower = follow(chain);
  await follower.catchUp();
  const taken = follower.indexer.adopt(await readAtHead(follower));
  await follower.indexer.step();
  expect(await taken).toBe(true);
  return contents(follower);
}

const move = (pool: number, value: bigint) => ({ kind: "move", pool: POOLS[pool]!, value }) as const;

test("a change after the block of the read is applied once", async () => {
  const { chain, follower } = started();
  chain.mine([move(0, 5n)]);
  await follower.catchUp();
  const batch = await readAtHead(follower);
  chain.mine([move(0, 7n)]);
  await follower.catchUp();
  const taken = follower.indexer.adopt(batch);
  chain.mine([move(0, 11n), move(1, 1n)]);
  await follower.catchUp();
  expect(await taken).toBe(true);
  const value = (pool: number) => follower.market.port.view().get(POOLS[pool]!) as { value: bigint };
  expect([value(0).value, value(1).value, value(2).value]).toEqual([23n, 1n, 0n]);
  expect(contents(follower)).toEqual(await fresh(chain));
});

test("states of a block that left the chain are not adopted", async () => {
  const { chain, follower } = started();
  chain.mine([move(0, 5n)]);
  await follower.catchUp();
  const batch = await readAtHead(follower);
  chain.rewind(1);
  chain.mine();
  chain.mine();
  await follower.catchUp();
  const taken = follower.indexer.adopt(batch);
  await follower.indexer.step();
  expect(await taken).toBe(false);
  expect(contents(follower).states.size).toBe(0);
});

test("after a reorg of the block of the read, a deeper reorg also undoes changes of the blocks before it", async () => {
  const { chain, follower } = started();
  chain.mine([move(0, 5n)]);
  chain.mine();
  await follower.catchUp();
  void follower.indexer.adopt(await readAtHead(follower));
  await follower.indexer.step();
  const fork = async (depth: number) => {
    chain.rewind(depth);
    for (let k = 0; k <= depth; k++) chain.mine();
    await follower.catchUp();
    expect(contents(follower)).toEqual(await fresh(chain));
  };
  await fork(1);
  await fork(3);
});

test("pools that are handed over during a commit are in the market once `adopt` resolves", async () => {
  const chain = createFakeChain();
  chain.mine(POOLS.map((pool) => ({ kind: "create", pool, factory: OTHER_FACTORY })));
  let onRequest: () => void = () => undefined;
  const follower = follow(chain, { before: () => onRequest() });
  await follower.catchUp();
  const { pools, ...batch } = await readAtHead(follower);
  void follower.indexer.adopt({ ...batch, pools: pools.slice(0, 2) });
  await follower.indexer.step();
  let taken: Promise<boolean> | undefined;
  onRequest = () => {
    taken ??= follower.indexer.adopt({ ...batch, pools: pools.slice(2) });
  };
  follower.indexer.reload([POOLS[0]!]);
  await follower.indexer.step();
  await follower.indexer.step();
  expect(await taken).toBe(true);
  expect(contents(follower).offered).toEqual([...POOLS].sort());
});

test("a commit adopts waiting pools up to its bound, and a larger batch alone", async () => {
  const chain = createFakeChain();
  const all = Array.from({ length: 4 * ADOPTED_AT_ONCE }, (_, k) => poolAddress(k));
  chain.mine(all.map((pool) => ({ kind: "create", pool, factory: OTHER_FACTORY })));
  const follower = follow(chain);
  await follower.catchUp();
  const block = follower.market.head()!;
  const pools = all.map(poolOf);
  const slots = await loadStates(pools, block, registry, follower.reader.read);
  let [from, told] = [0, 0];
  const adopt = (count: number) => {
    const part = pools.slice(from, from + count);
    from += count;
    void follower.indexer.adopt({ pools: part, slots, block }).then(() => {
      told += part.length;
    });
  };
  const half = ADOPTED_AT_ONCE / 2;
  for (const count of [half, half, 1, 2 * ADOPTED_AT_ONCE, ADOPTED_AT_ONCE - 1]) adopt(count);
  for (const wanted of [2 * half, 1, 2 * ADOPTED_AT_ONCE, ADOPTED_AT_ONCE - 1]) {
    const before = contents(follower).offered.length;
    await follower.indexer.step();
    expect(contents(follower).offered.length - before).toBe(wanted);
    expect(told).toBe(before + wanted);
  }
});

test("released pools leave the market and can be adopted again", async () => {
  const { chain, follower } = started();
  await follower.catchUp();
  void follower.indexer.adopt(await readAtHead(follower));
  await follower.indexer.step();
  follower.indexer.release([POOLS[1]!]);
  await follower.indexer.step();
  expect(contents(follower).offered).toEqual([POOLS[0], POOLS[2]]);
  chain.mine([move(1, 3n)]);
  await follower.catchUp();
  void follower.indexer.adopt(await readAtHead(follower));
  await follower.indexer.step();
  expect(contents(follower)).toEqual(await fresh(chain));
});

type Deed =
  | { readonly kind: "mine"; readonly pool: number }
  | { readonly kind: "rewind"; readonly depth: number }
  | { readonly kind: "read" | "adopt" | "follow" };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant("mine" as const), pool: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ kind: fc.constant("rewind" as const), depth: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constantFrom("read" as const, "adopt" as const, "follow" as const) }),
);

test("after any order of blocks, forks, reads and adoptions the states are the chain's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 40 }), async (deeds) => {
      const { chain, follower } = started();
      await follower.catchUp();
      let batch = await readAtHead(follower);
      for (const one of deeds) {
        if (one.kind === "mine") chain.mine([move(one.pool, 3n)]);
        if (one.kind === "rewind" && chain.tip().number > one.depth + 1) {
          chain.rewind(one.depth);
          for (let k = 0; k <= one.depth; k++) chain.mine();
        }
        if (one.kind === "follow") await follower.catchUp();
        if (one.kind === "adopt") void follower.indexer.adopt(batch);
        if (one.kind === "read") {
          await follower.catchUp();
          batch = await readAtHead(follower);
        }
      }
      chain.mine();
      await follower.catchUp();
      const { states } = contents(follower);
      for (const [id, state] of states)
        expect(state, id).toMatchObject({ value: chain.tip().values.get(id as never) });
    }),
    { numRuns: 150, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true },
  );
});
