import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { counter } from "../../../../test/faults/counter.ts";
import { createFakeChain, poolAddress } from "../../../../test/faults/fake-chain.ts";
import { follow, silent } from "../../../../test/faults/follow.ts";
import type { PoolId } from "../../../core/types.ts";
import { defaultEdgeSettings } from "../../settings.ts";
import { loadStates } from "../load.ts";
import { createAudit } from "./audit.ts";
import { takeTurns } from "./turns.ts";

const { selfCheckPools, selfCheckBlocks } = defaultEdgeSettings;
const POOLS = Array.from({ length: selfCheckPools + 300 }, (_, k) => poolAddress(k));
/** The deepest pools: neither the first nor the last ones in the market. */
const DEEPEST = POOLS.slice(150, 150 + selfCheckPools);
/** Turns of the event loop that a comparison of the most pools at once needs. */
const TURNS_OF_THE_LOOP = 100;

type Seen = {
  /** The largest number of blocks between two comparisons of any of the deepest pools, the first reading of its state included. */
  readonly longestGap: number;
  /** Pools that were compared when the market was just built. */
  readonly atStart: number;
};

/** Follows a chain for four periods. */
async function compared(isProven: (block: number) => boolean): Promise<Seen> {
  const chain = createFakeChain();
  chain.mine(POOLS.map((pool) => ({ kind: "create", pool })));
  const protocol = counter({});
  const registry = new Map([["counter", protocol]]);
  const { market, reader, indexer, catchUp } = follow(chain, { protocol });
  const seen = new Map<PoolId, number>(DEEPEST.map((pool) => [pool, chain.tip().number]));
  let [longest, loaded] = [0, 0];
  const deepest = () => DEEPEST.map((id) => market.book.pools.get(id)!);
  const audit = createAudit({
    ...{
      market,
      registry,
      deepest: selfCheckPools,
      blocks: selfCheckBlocks,
      blockTimeMs: 12_000,
      log: silent,
    },
    ranks: { step: () => undefined, deepest, sorted: (pools) => [...pools] },
    async load(pools, block) {
      const slots = await loadStates(pools, block, registry, reader.read);
      loaded += pools.length;
      for (const { id } of pools) {
        longest = Math.max(longest, block.number - (seen.get(id) ?? block.number));
        if (seen.has(id)) seen.set(id, block.number);
      }
      return slots;
    },
    unproven: () => [],
    reload: indexer.reload,
    onWrong: indexer.doubtLogs,
  });
  const turns = { selfCheckBlocks, turn: 1, isProven: () => isProven(chain.tip().number), log: silent };
  market.onCommit(takeTurns(turns, audit));
  const step = async () => {
    await catchUp();
    for (let n = 0; n < TURNS_OF_THE_LOOP; n++) await setImmediate();
  };
  await step();
  const atStart = loaded;
  for (let k = 0; k < 4 * selfCheckBlocks; k++) {
    chain.mine();
    await step();
  }
  const last = [...seen.values()].map((block) => chain.tip().number - block);
  return { longestGap: Math.max(longest, ...last), atStart };
}

test.each([true, false])(
  "each of the deepest pools is compared within `selfCheckBlocks` blocks, logs proven: %s",
  async (are) => {
    expect((await compared(() => are)).longestGap).toBeLessThanOrEqual(selfCheckBlocks);
  },
);

test("a market that was just read is not compared with the chain at once", async () => {
  expect((await compared(() => false)).atStart).toBe(0);
});

test("a mix of proven and unproven blocks delays no comparison by more than one turn", async () => {
  const { longestGap } = await compared((block) => block % 5 !== 0);
  expect(longestGap).toBeLessThanOrEqual(selfCheckBlocks + 8);
});
