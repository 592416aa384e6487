import { expect, test } from "vitest";
import {
  CREATED,
  counter,
  deployment,
  FACTORY,
  OTHER_FACTORY,
  poolOf,
  type State,
} from "../../../test/faults/counter.ts";
import { createFakeChain, type FakeChain, poolAddress } from "../../../test/faults/fake-chain.ts";
import { follow } from "../../../test/faults/follow.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { Address, Pool } from "../../core/types.ts";
import { loadStates } from "./load.ts";

/** Counters inside of a factory, each creation of which pauses all of them. */
const inside = (pool: Pool): Pool => ({ ...pool, address: FACTORY });
const paused: Protocol<State, number> = {
  ...counter(),
  pauses: [CREATED],
  discover: (log) => inside(counter().discover(log, deployment) as Pool),
  reads: ({ id }, answers) => counter().reads(poolOf(id as Address), answers),
};
const registry = new Map([["counter", paused as Protocol]]);

function followed(chain: FakeChain) {
  const read: string[] = [];
  const direct = follow(chain);
  const follower = follow(chain, {
    protocol: paused,
    load(pools, block) {
      read.push(...pools.map(({ id }) => id).sort());
      return loadStates(pools, block, registry, direct.reader.read);
    },
  });
  return { follower, read, reader: direct.reader };
}

test("where a factory pauses its pools, every one of them is read again", async () => {
  const chain = createFakeChain();
  chain.mine([0, 1].map((k) => ({ kind: "create", pool: poolAddress(k) })));
  const { follower, read } = followed(chain);
  await follower.catchUp();
  read.length = 0;
  chain.mine([{ kind: "create", pool: poolAddress(2) }]);
  await follower.catchUp();
  expect(read).toEqual([0, 1, 2].map(poolAddress));
});

test("a pool that was read before the pause and enters the market after it is read again", async () => {
  const chain = createFakeChain();
  chain.mine([{ kind: "create", pool: poolAddress(0), factory: OTHER_FACTORY }]);
  const { follower, read, reader } = followed(chain);
  await follower.catchUp();
  const [pools, block] = [[inside(poolOf(poolAddress(0)))], follower.market.head()!];
  const slots = await loadStates(pools, block, registry, reader.read);
  chain.mine([{ kind: "create", pool: poolAddress(1) }]);
  await follower.catchUp();
  read.length = 0;
  const taken = follower.indexer.adopt({ pools, slots, block });
  await follower.indexer.step();
  expect(await taken).toBe(true);
  expect(read).toEqual([poolAddress(0)]);
});
