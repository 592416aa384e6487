import { keccak256 } from "viem/utils";
import { expect, test } from "vitest";
import type { Hex, Log } from "../../src/core/types.ts";
import { readPartial } from "../../src/edge/flashblocks/partial.ts";
import { createPreview } from "../../src/edge/flashblocks/preview.ts";
import { createDispatch } from "../../src/edge/indexer/dispatch.ts";
import { seeded } from "../support/random.ts";
import { CHANGED, counter, counterChain, SET, type State } from "./counter.ts";
import { type Act, type Block, createFakeChain, type FakeChain, poolAddress } from "./fake-chain.ts";
import { type Follower, follow, silent } from "./follow.ts";

/** Partial blocks beside a follower of the chain: in order, and dropped, doubled, out of turn or of other blocks. */

const POOLS = 12;
const PIECES = 6;

let transactions = 0;

/** The message that a sequencer's stream has for a piece of a block, each log by a transaction of its own. */
function messageOf(block: Block, index: number, logs: readonly Log[]): string {
  const raw = logs.map((): Hex => `0x02${(++transactions).toString(16).padStart(12, "0")}`);
  const receipts = raw.map((bytes, k) => {
    return [keccak256(bytes), { type: "0x2", status: "0x1", cumulativeGasUsed: "0x1", logs: [logs[k]] }];
  });
  const base = {
    parent_hash: block.parentHash,
    block_number: `0x${block.number.toString(16)}`,
    timestamp: `0x${block.timestamp.toString(16)}`,
  };
  return JSON.stringify({
    ...{ payload_id: block.hash.slice(0, 18), index, ...(index === 0 ? { base } : {}) },
    diff: { transactions: raw, block_hash: block.hash },
    metadata: { block_number: block.number, receipts: Object.fromEntries(receipts) },
  });
}

/** All messages of a block; the first has no logs, as the sequencer's own transactions come first. */
function messagesOf(block: Block): string[] {
  const size = Math.ceil(block.logs.length / (PIECES - 1));
  return Array.from({ length: PIECES }, (_, k) =>
    messageOf(block, k, k === 0 ? [] : block.logs.slice((k - 1) * size, k * size)),
  );
}

type Scene = Follower & {
  readonly chain: FakeChain;
  readonly take: (message: string) => void;
  readonly resets: () => number;
  /** What is priced: values by pool, and whether they are those of a block that is not sealed. */
  readonly priced: () => Promise<{ readonly values: readonly bigint[]; readonly isPreconfirmed: boolean }>;
  readonly sealed: () => readonly bigint[];
};

async function scene(): Promise<Scene> {
  const chain = createFakeChain();
  chain.mine(Array.from({ length: POOLS }, (_, k) => ({ kind: "create", pool: poolAddress(k) })));
  for (let k = 0; k < 3; k++) chain.mine();
  const follower = follow(chain);
  let resets = 0;
  follower.market.onChange(({ reset }) => {
    if (reset) resets++;
  });
  await follower.catchUp();
  const registry = new Map([["counter", counter()]]);
  const dispatch = createDispatch(counterChain(), registry, silent);
  const preview = createPreview({ market: follower.market, dispatch });
  const ids = Array.from({ length: POOLS }, (_, k) => poolAddress(k));
  const valuesIn = (view: { get(id: string): unknown }) => ids.map((id) => (view.get(id) as State).value);
  return {
    ...{ ...follower, chain },
    take: (message) => {
      const partial = readPartial(message);
      if (partial === undefined) throw new Error("the message is none");
      preview.take(partial);
    },
    resets: () => resets,
    priced: () =>
      follower.market.port.session("", async ({ view, isPreconfirmed }) => {
        return { values: valuesIn(view), isPreconfirmed };
      }),
    sealed: () => valuesIn(follower.market.book.view()),
  };
}

const valuesOf = (block: Block) => Array.from({ length: POOLS }, (_, k) => block.values.get(poolAddress(k)));

function actsOf(draw: () => number, kinds: readonly ("set" | "move" | "change")[]): Act[] {
  return Array.from({ length: 1 + Math.floor(draw() * 10) }, () => ({
    kind: kinds[Math.floor(draw() * kinds.length)] as (typeof kinds)[number],
    pool: poolAddress(Math.floor(draw() * POOLS)),
    value: BigInt(Math.floor(draw() * 1_000)),
  }));
}

test("pieces in order price the block that is being built, the sealed states stay, and sealing drops them", async () => {
  const { chain, take, priced, sealed, catchUp } = await scene();
  const draw = seeded(1);
  for (let k = 0; k < 100; k++) {
    const parent = chain.tip();
    const block = chain.mine(actsOf(draw, ["set", "move"]));
    for (const message of messagesOf(block)) take(message);
    expect(await priced()).toEqual({ values: valuesOf(block), isPreconfirmed: true });
    expect(sealed()).toEqual(valuesOf(parent));
    await catchUp();
    expect(await priced()).toEqual({ values: valuesOf(block), isPreconfirmed: false });
    expect(sealed()).toEqual(valuesOf(block));
  }
});

test("pieces that come before their parent is committed wait for it", async () => {
  const { chain, take, priced, catchUp } = await scene();
  const parent = chain.mine([{ kind: "move", pool: poolAddress(0), value: 5n }]);
  const messages = messagesOf(createChild(chain, [{ kind: "move", pool: poolAddress(0), value: 7n }]));
  for (const message of messages) take(message);
  expect((await priced()).values[0]).toBe(0n);
  await catchUp();
  const { values, isPreconfirmed } = await priced();
  expect([values[0], isPreconfirmed]).toEqual([12n, true]);
  expect(valuesOf(parent)[0]).toBe(5n);
});

/** The block that would be mined next. */
function createChild(chain: FakeChain, acts: readonly Act[]): Block {
  const block = chain.mine(acts);
  chain.rewind(1);
  return block;
}

test("a log that does not say the state leaves the pool as its parent left it, and other pools are priced", async () => {
  const { chain, take, priced } = await scene();
  const block = chain.mine([
    { kind: "move", pool: poolAddress(0), value: 5n },
    { kind: "change", pool: poolAddress(0), value: 9n },
    { kind: "move", pool: poolAddress(0), value: 1n },
    { kind: "move", pool: poolAddress(1), value: 3n },
  ]);
  expect(block.logs.some(({ topics }) => topics[0] === CHANGED)).toBe(true);
  for (const message of messagesOf(block)) take(message);
  const { values, isPreconfirmed } = await priced();
  expect([...values.slice(0, 2), isPreconfirmed]).toEqual([0n, 3n, true]);
});

test("a state that is read again while pieces are there has them laid over it anew", async () => {
  const { chain, take, priced, market, indexer } = await scene();
  const block = createChild(chain, [{ kind: "move", pool: poolAddress(0), value: 5n }]);
  for (const message of messagesOf(block)) take(message);
  indexer.reload([poolAddress(0)]);
  await indexer.step();
  expect(market.head()?.hash).toBe(chain.tip().hash);
  expect(await priced()).toMatchObject({ isPreconfirmed: true, values: valuesOf(block) });
});

test("a transaction with more logs than any block has drops the block, and the next one is followed", async () => {
  const { chain, take, priced, catchUp } = await scene();
  const block = createChild(chain, [{ kind: "move", pool: poolAddress(0), value: 5n }]);
  const log = { address: poolAddress(0), topics: [], data: "0x" };
  const [first, ...rest] = messagesOf(block) as [string, ...string[]];
  take(first);
  take(
    messageOf(block, 1, block.logs).replace(
      '"logs":[',
      `"logs":[${`${JSON.stringify(log)},`.repeat(200_000)}`,
    ),
  );
  for (const message of rest) take(message);
  expect((await priced()).isPreconfirmed).toBe(false);
  chain.mine([{ kind: "move", pool: poolAddress(0), value: 5n }]);
  await catchUp();
  const next = createChild(chain, [{ kind: "move", pool: poolAddress(0), value: 7n }]);
  for (const message of messagesOf(next)) take(message);
  expect(await priced()).toEqual({ values: valuesOf(next), isPreconfirmed: true });
});

/** What may be priced while pieces of a block come: its parent's values, and those after each of its pieces. */
function prefixes(parent: readonly bigint[], block: Block): Set<string> {
  const values = [...parent];
  const size = Math.ceil(block.logs.length / (PIECES - 1));
  const all = [values.join()];
  for (const [k, { address, topics, data }] of block.logs.entries()) {
    const pool = Number(BigInt(address)) - 1;
    const before = values[pool] as bigint;
    values[pool] = topics[0] === SET ? BigInt(data) : before + BigInt(data);
    if ((k + 1) % size === 0 || k + 1 === block.logs.length) all.push(values.join());
  }
  return new Set(all);
}

test("10,000 pieces dropped, doubled, out of turn or of other blocks: no state is read anew and none is other than sealed", async () => {
  const { chain, take, priced, sealed, catchUp, resets } = await scene();
  const draw = seeded(7);
  let faults = 0;
  let previews = 0;
  while (faults < 10_000) {
    if (draw() < 0.02) chain.rewind(1);
    const before = sealed();
    const block = chain.mine(actsOf(draw, ["set", "move"]));
    const allowed = prefixes(before, block);
    const spoilt = spoil(messagesOf(block), draw);
    faults += spoilt.faults;
    for (const message of spoilt.messages) {
      take(message);
      expect(sealed()).toEqual(before);
      const { values, isPreconfirmed } = await priced();
      expect(allowed).toContain(values.join());
      if (isPreconfirmed) previews++;
    }
    await catchUp();
    expect(sealed()).toEqual(valuesOf(block));
    expect(await priced()).toEqual({ values: valuesOf(block), isPreconfirmed: false });
  }
  expect(previews).toBeGreaterThan(100);
  expect(resets()).toBe(1);
}, 120_000);

/** Pieces of a block, some five in twelve with something wrong. */
function spoil(messages: readonly string[], draw: () => number) {
  const out: string[] = [];
  let faults = 0;
  for (const message of messages) {
    const fault = Math.floor(draw() * 12);
    const place = Math.floor(draw() * (out.length + 1));
    const before = out.join();
    if (fault === 0) faults++;
    else if (fault === 1) out.push(message, message);
    else if (fault === 2) out.splice(place, 0, message);
    else if (fault === 3) out.push(message.replace(/"parent_hash":"0x../, '"parent_hash":"0xff'));
    else if (fault === 4) out.push(message.replace(/"receipts":\{/, '"other":{'));
    else out.push(message);
    if (fault > 0 && out.join() !== [...(before === "" ? [] : [before]), message].join()) faults++;
  }
  return { messages: out, faults };
}
