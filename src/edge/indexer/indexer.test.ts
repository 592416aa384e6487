import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { counter, OTHER_FACTORY, type State } from "../../../test/faults/counter.ts";
import { type Act, createFakeChain, type FakeChain, poolAddress } from "../../../test/faults/fake-chain.ts";
import { contents, follow } from "../../../test/faults/follow.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { Address } from "../../core/types.ts";
import { loadStates } from "./load.ts";

const POOLS = 6;

const pool = fc.integer({ min: 0, max: POOLS - 1 }).map(poolAddress);
const act: fc.Arbitrary<Act> = fc.oneof(
  pool.map((address) => ({ kind: "create", pool: address }) as const),
  fc.record({
    kind: fc.constantFrom("set" as const, "move" as const, "change" as const),
    pool,
    value: fc.bigInt({ min: 0n, max: 1000n }),
  }),
);
type Move =
  | { readonly kind: "mine"; readonly blocks: readonly (readonly Act[])[] }
  | { readonly kind: "reorg"; readonly depth: number; readonly blocks: readonly (readonly Act[])[] }
  | { readonly kind: "step" };
const blocks = fc.array(fc.array(act, { maxLength: 4 }), { minLength: 1, maxLength: 6 });
const move: fc.Arbitrary<Move> = fc.oneof(
  blocks.map((mined) => ({ kind: "mine", blocks: mined }) as const),
  fc.record({ kind: fc.constant("reorg" as const), depth: fc.integer({ min: 1, max: 12 }), blocks }),
  fc.constant({ kind: "step" } as const),
);

/** Mines blocks of acts; leaves out acts on a counter that is not created yet, and repeated creations. */
function mineAll(chain: FakeChain, mined: readonly (readonly Act[])[]): void {
  for (const acts of mined) {
    const born = new Set<Address>(chain.tip().values.keys());
    chain.mine(
      acts.filter((one) => {
        if (one.kind === "create") return !born.has(one.pool) && born.add(one.pool);
        return born.has(one.pool);
      }),
    );
  }
}

function perform(chain: FakeChain, one: Exclude<Move, { kind: "step" }>): void {
  if (one.kind === "reorg") chain.rewind(one.depth);
  mineAll(chain, one.blocks);
}

async function freshly(chain: FakeChain) {
  const fresh = follow(chain);
  await fresh.catchUp();
  return contents(fresh);
}

test("after any blocks and reorgs the states equal those of a new sync and of the chain", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
      const chain = createFakeChain();
      const follower = follow(chain);
      for (const one of moves) {
        if (one.kind === "step") await follower.indexer.step();
        else perform(chain, one);
      }
      await follower.catchUp();
      expect(contents(follower)).toEqual(await freshly(chain));
      const truth = new Map([...chain.tip().values].map(([id, value]) => [id, { value, readAt: 0 }]));
      expect(contents(follower).states).toEqual(new Map([...truth].sort(([a], [b]) => (a < b ? -1 : 1))));
    }),
    { numRuns: 150 },
  );
});

test("a chain that changes while it is read leaves the same states as a new sync", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { minLength: 2, maxLength: 10 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 10 }),
      async (moves, gaps) => {
        const chain = createFakeChain();
        const waiting = moves.filter((one) => one.kind !== "step");
        let requests = 0;
        let next = gaps[0] as number;
        const follower = follow(chain, {
          before() {
            if (++requests < next) return;
            next = requests + (gaps[requests % gaps.length] as number);
            const one = waiting.shift();
            if (one !== undefined) perform(chain, one);
          },
        });
        mineAll(chain, [[{ kind: "create", pool: poolAddress(0) }]]);
        await follower.catchUp();
        for (const one of waiting.splice(0)) perform(chain, one);
        await follower.catchUp();
        expect(contents(follower)).toEqual(await freshly(chain));
      },
    ),
    { numRuns: 60 },
  );
});

test.each([1, 2, 3, 10, 100, 250])("a reorg %i deep is undone block by block", async (depth) => {
  const chain = createFakeChain();
  mineAll(chain, [[0, 1, 2].map((k) => ({ kind: "create", pool: poolAddress(k) }))]);
  const follower = follow(chain);
  await follower.catchUp();
  for (let k = 0; k < 260; k++) {
    mineAll(chain, [[{ kind: "move", pool: poolAddress(k % 3), value: BigInt(k) }]]);
    if (k % 5 === 0) await follower.catchUp();
  }
  await follower.catchUp();
  chain.rewind(depth);
  mineAll(
    chain,
    Array.from({ length: depth + 1 }, () => [{ kind: "move", pool: poolAddress(1), value: 7n }]),
  );
  await follower.catchUp();
  expect(contents(follower)).toEqual(await freshly(chain));
});

test("a fork from below the kept blocks makes the market be built anew", async () => {
  const chain = createFakeChain();
  mineAll(chain, [[], [{ kind: "create", pool: poolAddress(0) }]]);
  for (let k = 0; k < 700; k++) mineAll(chain, [[{ kind: "move", pool: poolAddress(0), value: 1n }]]);
  mineAll(chain, [[{ kind: "create", pool: poolAddress(1) }]]);
  const follower = follow(chain);
  await follower.catchUp();
  chain.rewind(702);
  mineAll(chain, [[{ kind: "create", pool: poolAddress(2) }]]);
  for (let k = 0; k < 710; k++) mineAll(chain, [[{ kind: "move", pool: poolAddress(2), value: 2n }]]);
  await follower.catchUp();
  expect(contents(follower)).toEqual(await freshly(chain));
  expect([...follower.market.book.pools.keys()]).toEqual([poolAddress(2)]);
});

test("a head of another chain is no reason to build the market anew: the nodes prove their chain first", async () => {
  const chain = createFakeChain();
  chain.mine([{ kind: "create", pool: poolAddress(0) }]);
  chain.mine([{ kind: "set", pool: poolAddress(0), value: 5n }]);
  const foreign = createFakeChain({ chainId: 1, startTime: 1_600_000_000 });
  for (let k = 0; k < 50; k++) foreign.mine();
  let asked = chain;
  const node = {
    tip: () => asked.tip(),
    answer: (...request: Parameters<FakeChain["answer"]>) => asked.answer(...request),
  };
  const distrust = vi.fn(() => {
    asked = chain;
  });
  const follower = follow(node, { distrust });
  await follower.catchUp();
  const commit = vi.spyOn(follower.market, "commit");
  for (let turn = 1; turn <= 2; turn++) {
    asked = foreign;
    await follower.indexer.step();
    expect(distrust).toHaveBeenCalledTimes(turn);
    chain.mine([{ kind: "move", pool: poolAddress(0), value: 1n }]);
    await follower.catchUp();
  }
  expect(commit.mock.calls.map(([change]) => change.reset)).toEqual([false, false]);
  expect(contents(follower)).toEqual(await freshly(chain));
});

test("the states of a new market are read by the reader of many states", async () => {
  const chain = createFakeChain();
  chain.mine([0, 1, 2].map((k) => ({ kind: "create", pool: poolAddress(k) }) as const));
  const asked: string[][] = [];
  const direct = follow(chain);
  const follower = follow(chain, {
    load(pools, block) {
      asked.push(pools.map(({ id }) => id).sort());
      return loadStates(pools, block, new Map([["counter", counter() as Protocol]]), direct.reader.read);
    },
  });
  await follower.catchUp();
  expect(asked).toEqual([[0, 1, 2].map(poolAddress).sort()]);
  expect(contents(follower)).toEqual(await freshly(chain));
});

test("a view does not change with later blocks and reorgs", async () => {
  const chain = createFakeChain();
  mineAll(chain, [
    [{ kind: "create", pool: poolAddress(0) }],
    [{ kind: "set", pool: poolAddress(0), value: 5n }],
  ]);
  const follower = follow(chain);
  await follower.catchUp();
  const view = follower.market.port.view();
  mineAll(chain, [[{ kind: "set", pool: poolAddress(0), value: 6n }]]);
  await follower.catchUp();
  chain.rewind(3);
  mineAll(chain, [[], [], [], []]);
  await follower.catchUp();
  expect(view.get(poolAddress(0))).toEqual({ value: 5n, readAt: 0 });
  expect(follower.market.port.view().get(poolAddress(0))).toBeUndefined();
});

test("a pool that an unlisted factory announces is ignored", async () => {
  const chain = createFakeChain();
  chain.mine([{ kind: "create", pool: poolAddress(0), factory: OTHER_FACTORY }]);
  chain.mine([{ kind: "create", pool: poolAddress(1) }]);
  const follower = follow(chain);
  await follower.catchUp();
  expect([...follower.market.book.pools.keys()]).toEqual([poolAddress(1)]);
});

test("what a stranger's log says of a pool has it neither changed nor read again", async () => {
  const chain = createFakeChain();
  mineAll(chain, [[0, 1].map((k) => ({ kind: "create", pool: poolAddress(k) }))]);
  const gullible: Protocol<State, number> = { ...counter(), touches: () => [poolAddress(0)] };
  const read: string[][] = [];
  const direct = follow(chain);
  const follower = follow(chain, {
    protocol: gullible,
    load(pools, block) {
      read.push(pools.map(({ id }) => id));
      return loadStates(pools, block, new Map([["counter", gullible as Protocol]]), direct.reader.read);
    },
  });
  await follower.catchUp();
  const before = contents(follower).states;
  read.length = 0;
  mineAll(chain, [
    [{ kind: "set", pool: poolAddress(1), value: 9n }],
    [{ kind: "change", pool: poolAddress(1), value: 8n }],
  ]);
  await follower.catchUp();
  expect(contents(follower).states).toEqual(before);
  expect(read.flat()).toEqual([]);
});

test("a pool on which the protocol throws is quarantined and counted; the others stay", async () => {
  const chain = createFakeChain();
  mineAll(chain, [[0, 1].map((k) => ({ kind: "create", pool: poolAddress(k) }))]);
  const follower = follow(chain, { protocol: counter({ cursed: poolAddress(0) }) });
  await follower.catchUp();
  mineAll(chain, [[0, 1].map((k) => ({ kind: "move", pool: poolAddress(k), value: 3n }))]);
  await follower.catchUp();
  expect(contents(follower).offered).toEqual([poolAddress(1)]);
  expect(follower.market.port.counts()).toEqual({
    pools: 1,
    byProtocol: { counter: 1 },
    tokens: 2,
    refused: {},
    quarantined: 1,
  });
});

test("states that become stale are read again", async () => {
  const chain = createFakeChain();
  mineAll(chain, [[{ kind: "create", pool: poolAddress(0) }]]);
  const follower = follow(chain, { protocol: counter({ agesAfter: 3 }) });
  await follower.catchUp();
  const readAt = () => (follower.market.port.view().get(poolAddress(0)) as { readAt: number }).readAt;
  const first = readAt();
  for (let k = 0; k < 10; k++) {
    mineAll(chain, [[]]);
    await follower.catchUp();
  }
  expect(readAt()).toBeGreaterThan(first + 6);
});
