import { expect, test } from "vitest";
import { counter, counterChain } from "../../../../test/faults/counter.ts";
import { createFakeChain, poolAddress } from "../../../../test/faults/fake-chain.ts";
import { contents, follow, silent } from "../../../../test/faults/follow.ts";
import { loadStates } from "../load.ts";
import { createAudit } from "./audit.ts";
import { createRanks } from "./ranks.ts";

const POOLS = [0, 1, 2].map(poolAddress);

/**
 * @param isAhead whether the node answers a read with states of a later block, as it may while it imports the next
 * block
 */
async function started(deaf: boolean, isAhead: (newest: number) => boolean = () => false) {
  const chain = createFakeChain();
  chain.mine(POOLS.map((pool) => ({ kind: "create", pool })));
  const protocol = counter({ deaf });
  const follower = follow(chain, { protocol });
  await follower.catchUp();
  const reloads: string[] = [];
  const registry = new Map([["counter", protocol]]);
  const { market, reader } = follower;
  const check = createAudit({
    market,
    registry,
    ranks: createRanks({ market, registry }),
    load: async (pools, block) => {
      const slots = await loadStates(pools, block, registry, reader.read);
      if (!isAhead(chain.tip().number)) return slots;
      return new Map([...slots.keys()].map((id) => [id, { state: { value: 77n } }]));
    },
    blockTimeMs: counterChain().blockTimeMs,
    deepest: 2,
    blocks: 2,
    unproven: () => [],
    onWrong: follower.indexer.doubtLogs,
    reload(pools) {
      reloads.push(...pools);
      follower.indexer.reload(pools);
    },
    log: silent,
  });
  return { chain, follower, check, reloads };
}

const move = { kind: "move", pool: POOLS[1] as `0x${string}`, value: 5n } as const;

test("states that are right stay in the market", async () => {
  const { chain, follower, check } = await started(false);
  chain.mine([move]);
  await follower.catchUp();
  expect(await check()).toEqual([]);
  expect(await check()).toEqual([]);
  expect(contents(follower).offered).toEqual(POOLS);
});

test("states of a later block quarantine no pool if the next block clears the difference, and do if it stays", async () => {
  const CREATED_IN = 1;
  const once = await started(false, (newest) => newest === CREATED_IN);
  const [found] = await Promise.all([once.check(), nextBlock(once)]);
  expect(found).toEqual([]);
  expect(contents(once.follower).offered).toEqual(POOLS);
  const always = await started(false, () => true);
  expect((await Promise.all([always.check(), nextBlock(always)]))[0]).not.toEqual([]);
});

/** Mines a block after 20 ms and follows it. */
async function nextBlock({ chain, follower }: Awaited<ReturnType<typeof started>>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  chain.mine();
  await follower.catchUp();
}

test("a pool with a wrong state is found within its turn, quarantined, read again, and priced again after a while", async () => {
  const { chain, follower, check, reloads } = await started(true);
  chain.mine([move]);
  await follower.catchUp();
  expect([...(await check()), ...(await check())]).toEqual([POOLS[1]]);
  expect(reloads).toEqual([POOLS[1]]);
  expect(contents(follower).offered).toEqual([POOLS[0], POOLS[2]]);
  expect(follower.market.port.counts()).toMatchObject({ pools: 3, quarantined: 1 });

  await follower.indexer.step();
  expect(follower.market.port.view().get(POOLS[1] as string)).toMatchObject({ value: 5n });
  expect(contents(follower).offered).toEqual([POOLS[0], POOLS[2]]);
  for (let k = 0; k < 33; k++) {
    chain.mine();
    await follower.catchUp();
  }
  expect(contents(follower).offered).toEqual(POOLS);
  expect(follower.market.port.counts()).toMatchObject({ quarantined: 0 });
});

test("each quarantine of the same pool lasts twice as long as the one before", async () => {
  const { chain, follower } = await started(false);
  const away: number[] = [];
  for (let round = 0; round < 3; round++) {
    follower.market.quarantine(POOLS[0] as string, "execution disagreed");
    let blocks = 0;
    while (!follower.engine.offered.has(POOLS[0] as string) && blocks < 500) {
      chain.mine();
      await follower.catchUp();
      blocks++;
    }
    away.push(blocks);
  }
  expect(away).toEqual([32, 64, 128]);
});

test("a reorg does not restore a wrong state that was read again", async () => {
  const { chain, follower, check } = await started(true);
  for (let k = 0; k < 2; k++) {
    chain.mine([move]);
    await follower.catchUp();
  }
  await check();
  await check();
  await follower.indexer.step();
  expect(follower.market.port.view().get(POOLS[1] as string)).toMatchObject({ value: 10n });
  chain.rewind(1);
  chain.mine();
  chain.mine();
  await follower.catchUp();
  expect(follower.market.port.view().get(POOLS[1] as string)).toMatchObject({ value: 5n });
});
