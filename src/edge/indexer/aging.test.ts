import { expect, test } from "vitest";
import { counter, type State } from "../../../test/faults/counter.ts";
import { createFakeChain, poolAddress } from "../../../test/faults/fake-chain.ts";
import { follow } from "../../../test/faults/follow.ts";
import { seeded } from "../../../test/support/random.ts";
import { nextAt } from "../next-at.ts";
import { NodeFailure } from "../node/transport/failure.ts";

/** States that have become stale by time are never offered to searches, whatever blocks come and however nodes fail. */

const POOLS = 20;
const BLOCK_TIME_MS = 1_000;
const TURNS = 60;
const SHARE_OF_FAILURES = 0.1;

test.each([1, 4])(
  "no state is offered that is stale at the block expected to execute (stale after %i s)",
  async (agesAfter) => {
    const draw = seeded(agesAfter);
    const chain = createFakeChain();
    for (let k = 0; k < 3; k++) chain.mine();
    chain.mine(Array.from({ length: POOLS }, (_, k) => ({ kind: "create", pool: poolAddress(k) })));
    let failing = false;
    let failures = 0;
    const protocol = counter({ agesAfter });
    const before = () => {
      if (!failing || draw() > SHARE_OF_FAILURES) return;
      failures++;
      throw new NodeFailure("transport", "the node has a bad moment");
    };
    const { market, engine, catchUp } = follow(chain, { protocol, before });
    let commits = 0;
    const stale: string[] = [];
    market.onCommit((head) => {
      commits++;
      const at = nextAt(head, BLOCK_TIME_MS);
      const view = market.book.view();
      for (const id of engine.offered.keys())
        if (protocol.stale(view.get(id) as State, at)) stale.push(`${id} at block ${head.number}`);
    });
    await catchUp();
    expect(engine.offered.size).toBe(POOLS);
    failing = true;
    for (let turn = 0; turn < TURNS; turn++) {
      if (draw() < 0.1) chain.rewind(1 + Math.floor(draw() * 2));
      // Several blocks at once, so that a state that was fresh at an earlier block is stale at the newest.
      for (let blocks = 1 + Math.floor(draw() * 6); blocks > 0; blocks--) {
        const pool = poolAddress(Math.floor(draw() * POOLS));
        chain.mine(draw() < 0.5 ? [{ kind: "move", pool, value: BigInt(Math.floor(draw() * 100)) }] : []);
      }
      await catchUp();
    }
    expect(stale).toEqual([]);
    expect(commits).toBeGreaterThan(TURNS);
    expect(failures).toBeGreaterThan(5);
    const values = new Map([...engine.offered.keys()].map((id) => [id, market.book.view().get(id) as State]));
    for (const [id, { value }] of values) expect(value, id).toBe(chain.tip().values.get(id as `0x${string}`));
  },
);
