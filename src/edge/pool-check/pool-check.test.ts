import { expect, test } from "vitest";
import { counter, counterChain, WRAPPED } from "../../../test/faults/counter.ts";
import { createFakeChain, poolAddress } from "../../../test/faults/fake-chain.ts";
import { follow, silent } from "../../../test/faults/follow.ts";
import { vetting } from "../../core/vetted.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { Rpc } from "../node/transport/rpc.ts";
import { createPoolCheck, MOST_WAITING } from "./pool-check.ts";

const POOLS = Array.from({ length: MOST_WAITING + 10 }, (_, k) => poolAddress(k));
const tokenOf = (pool: string) => `0x77${pool.slice(4)}` as const;

/** A node that knows neither overrides nor simulations. */
const plainNode: Rpc = {
  batch: async (requests) =>
    requests.map(() => ({ ok: false, failure: new NodeFailure("unsupported", "no such method") })),
  request: () => Promise.reject(new NodeFailure("unsupported", "no such method")),
};

async function started({ deaf = false, vetted = POOLS.map(tokenOf) } = {}) {
  const chain = createFakeChain();
  chain.mine(POOLS.map((pool) => ({ kind: "create", pool })));
  const protocol = counter({ deaf });
  const follower = follow(chain, { protocol });
  await follower.catchUp();
  const check = createPoolCheck({
    market: follower.market,
    registry: new Map([["counter", protocol]]),
    reader: follower.reader,
    rpc: plainNode,
    router: WRAPPED,
    blockTimeMs: 1000,
    deadlineMs: 100,
    isVetted: vetting(counterChain(), vetted),
    reload: follower.indexer.reload,
    log: silent,
  });
  return { chain, follower, check };
}

const none = { sound: 0, wrong: 0, inconclusive: 0, unvetted: 0, dropped: 0 };
const [FIRST] = POOLS as [`0x${string}`];

test("a report alone quarantines no pool where the state is right and no exchange can be run", async () => {
  const { follower, check } = await started();
  check.report([FIRST]);
  await check.idle();
  expect(check.counts()).toEqual({ ...none, inconclusive: 1 });
  expect(follower.market.port.counts()).toMatchObject({ quarantined: 0 });
});

test("a pool is checked once a block, however often it is reported", async () => {
  const { chain, follower, check } = await started();
  for (let k = 0; k < 5; k++) {
    check.report([FIRST, FIRST]);
    await check.idle();
  }
  expect(check.counts()).toEqual({ ...none, inconclusive: 1 });
  chain.mine();
  await follower.catchUp();
  check.report([FIRST]);
  await check.idle();
  expect(check.counts()).toEqual({ ...none, inconclusive: 2 });
});

test("reports beyond what may wait are dropped and counted", async () => {
  const { check } = await started();
  check.report(POOLS);
  await check.idle();
  const { inconclusive, dropped } = check.counts();
  expect(inconclusive + dropped).toBe(POOLS.length);
  expect(dropped).toBeGreaterThanOrEqual(9);
});

test("a pool whose state the chain contradicts is quarantined and read afresh", async () => {
  const { chain, follower, check } = await started({ deaf: true });
  chain.mine([{ kind: "move", pool: FIRST, value: 5n }]);
  await follower.catchUp();
  check.report([FIRST, POOLS[1]!]);
  await check.idle();
  expect(check.counts()).toEqual({ ...none, wrong: 1, inconclusive: 1 });
  expect(follower.market.port.counts()).toMatchObject({ quarantined: 1 });
  expect(follower.engine.offered.has(FIRST)).toBe(false);
  await follower.indexer.step();
  expect(follower.market.port.view().get(FIRST)).toMatchObject({ value: 5n });
});

test("a pool with a token that is not vetted is not checked, and a pool that no longer exists is inconclusive", async () => {
  const { check } = await started({ vetted: [] });
  check.report([FIRST, "0xnowhere"]);
  await check.idle();
  expect(check.counts()).toEqual({ ...none, unvetted: 1, inconclusive: 1 });
});
