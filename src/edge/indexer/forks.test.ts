import { expect, test, vi } from "vitest";
import { counter, OTHER_FACTORY, poolOf } from "../../../test/faults/counter.ts";
import { type Act, createFakeChain, type FakeChain, poolAddress } from "../../../test/faults/fake-chain.ts";
import { type Answering, type Follower, type FollowOptions, follow } from "../../../test/faults/follow.ts";
import type { EndpointHead } from "../node/node.ts";
import { loadStates } from "./load.ts";

/** Forks of a market that began empty at the newest block, as that of a chain whose pools are discovered. */

const POOLS = [0, 1, 2].map(poolAddress);
const registry = new Map([["counter", counter()]]);
const move = (pool: number, value: bigint): Act => ({ kind: "move", pool: POOLS[pool]!, value });

function chainOf(blocks: number): FakeChain {
  const chain = createFakeChain();
  chain.mine(POOLS.map((pool) => ({ kind: "create", pool, factory: OTHER_FACTORY })));
  for (let k = 0; k < blocks; k++) chain.mine([move(k % 3, BigInt(k + 1))]);
  return chain;
}

async function begun(answering: Answering, options: FollowOptions = {}) {
  const follower = follow(answering, { ...options, onOpened: () => follower.market.open() });
  await follower.indexer.step();
  return follower;
}

async function adopt({ indexer, market, reader }: Follower): Promise<void> {
  const block = market.head()!;
  const pools = POOLS.map(poolOf);
  const taken = indexer.adopt({ pools, block, slots: await loadStates(pools, block, registry, reader.read) });
  await indexer.step();
  expect(await taken).toBe(true);
}

const values = ({ market }: Follower) =>
  POOLS.map((pool) => (market.port.view().get(pool) as { value: bigint } | undefined)?.value);
const valuesOf = (chain: FakeChain) => POOLS.map((pool) => chain.tip().values.get(pool));

test.each([1, 2, 5, 30])(
  "a fork from %i blocks below the first block keeps the pools and their states",
  async (depth) => {
    const chain = chainOf(40);
    const follower = await begun(chain);
    await adopt(follower);
    const commit = vi.spyOn(follower.market, "commit");
    const fork = async (blocks: number, value: bigint) => {
      chain.rewind(blocks);
      for (let k = 0; k <= blocks; k++) chain.mine(k === 0 ? [move(1, value)] : []);
      await follower.catchUp();
      expect(values(follower)).toEqual(valuesOf(chain));
    };
    await fork(depth, 1_000n);
    chain.mine([move(2, 7n)]);
    await follower.catchUp();
    await fork(2, 2_000n);
    await fork(depth + 3, 3_000n);
    expect(commit.mock.calls.filter(([change]) => change.reset)).toEqual([]);
  },
);

/** An endpoint that may name a newest block far ahead, which it does not know. */
function jumping(chain: FakeChain) {
  const node = { ...chain, isAhead: false };
  node.answer = (method, params, head) => {
    const answer = chain.answer(method, params, head) as { number: string };
    if (!node.isAhead || params[0] !== "latest") return answer;
    return { ...answer, number: "0xffffff", hash: `0x${"ab".repeat(32)}` };
  };
  return node;
}

test("a market that began at a block of the future, which nobody has, begins again", async () => {
  const chain = chainOf(3);
  const node = jumping(chain);
  node.isAhead = true;
  const follower = await begun(node);
  expect(follower.market.head()).toMatchObject({ number: 0xffffff });
  node.isAhead = false;
  chain.mine();
  await follower.catchUp();
  await adopt(follower);
  expect(values(follower)).toEqual(valuesOf(chain));
});

test("the same where that endpoint goes on to say so, beside another one", async () => {
  const chain = chainOf(3);
  const node = jumping(chain);
  node.isAhead = true;
  const disbelieved: string[] = [];
  const heads = (bad: EndpointHead): EndpointHead[] => {
    const good = { ...bad, label: "good", head: { ...bad.head, ...chain.tip() } };
    return [
      { ...bad, isBelieved: disbelieved.length === 0 },
      { ...good, highest: chain.tip().number },
    ];
  };
  const follower = await begun(node, { heads, disbelieve: (label) => void disbelieved.push(label) });
  expect(follower.market.head()).toMatchObject({ number: 0xffffff });
  chain.mine();
  await follower.catchUp();
  expect(disbelieved).toEqual(["direct"]);
  await adopt(follower);
  expect(values(follower)).toEqual(valuesOf(chain));
});

test("a fork that leaves all kept blocks is not followed while another endpoint has these", async () => {
  const chain = chainOf(60);
  const kept = chain.tip();
  const disbelieved: string[] = [];
  let own: EndpointHead | undefined;
  let others: readonly EndpointHead[] = [];
  const follower = await begun(chain, {
    heads(newest) {
      own = newest;
      return [{ ...newest, isBelieved: disbelieved.length === 0 }, ...others];
    },
    disbelieve: (label) => void disbelieved.push(label),
  });
  others = [{ ...own!, label: "other", highest: kept.number }];
  chain.rewind(50);
  for (let k = 0; k < 60; k++) chain.mine();
  for (let k = 0; k < 5; k++) await follower.indexer.step();
  expect(disbelieved).toEqual(["direct"]);
  expect(follower.market.head()).toMatchObject({ hash: kept.hash });
  others = [];
  await follower.catchUp();
});
