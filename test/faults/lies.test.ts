import { expect, test } from "vitest";
import type { Protocol, Registry } from "../../src/core/protocol.ts";
import { createAudit } from "../../src/edge/indexer/audit/audit.ts";
import { createRanks } from "../../src/edge/indexer/audit/ranks.ts";
import { loadStates } from "../../src/edge/indexer/load.ts";
import { protocols } from "../../src/protocols/index.ts";
import { createChain } from "../chain/blocks/chain.ts";
import { createBackend } from "../chain/node/backend.ts";
import { profileOf } from "../chain/node/profiles.ts";
import { bent, type Fault } from "../chain/node/spoil.ts";
import { follow, silent } from "./follow.ts";
import { compareStates, recordOf } from "./mainnet.ts";

/** The only endpoint lies about logs, and says the truth about states. */

const BLOCKS = 6;
const TRAFFIC = { swaps: 12, positions: 4, creationEvery: 0 };

/** @returns by block: states that are priced and wrong when the next block comes */
async function wrongWhile(fault: Fault, profile: string): Promise<number[]> {
  const sizes = { v2: 80, v3: 30, v4: 20 };
  const chain = createChain({ seed: 11, sizes, built: 20, busyHistory: false, traffic: TRAFFIC });
  const backend = createBackend(chain, profileOf(profile));
  let now: Fault = "none";
  const liar = {
    tip: backend.tip,
    answer: (method: string, params: readonly unknown[]) => bent(now, method, backend.answer(method, params)),
  };
  const record = recordOf(chain);
  const follower = follow(liar, { chain: record, beside: [...protocols.values()], firstWindow: 100_000 });
  await follower.catchUp();
  chain.mine();
  await follower.catchUp();
  const { market, reader, indexer, engine } = follower;
  const registry: Registry = new Map([...protocols.values()].map((one) => [one.name, one as Protocol]));
  const audit = createAudit({
    ...{ market, registry, ranks: createRanks({ market, registry }), blockTimeMs: record.blockTimeMs },
    ...{ deepest: 100, blocks: 32, log: silent },
    load: (pools, block) => loadStates(pools, block, registry, reader.read),
    unproven: indexer.unproven,
    reload: indexer.reload,
    onWrong: indexer.doubtLogs,
  });
  now = fault;
  const wrong: number[] = [];
  for (let k = 0; k < BLOCKS; k++) {
    chain.mine();
    await follower.catchUp();
    await audit();
    await indexer.step();
    const priced = [...market.book.pools.values()].filter(({ id }) => engine.offered.has(id));
    const { head } = { head: market.head()!.hash };
    wrong.push(compareStates(chain, { head, view: market.book.view(), pools: priced }).wrong.length);
  }
  return wrong;
}

test.each(["dropped-logs", "forged-logs", "empty-logs", "dropped-receipts", "forged-receipts"] as const)(
  "%s of an endpoint that shows receipts are never priced",
  { timeout: 1_200_000 },
  async (fault) => {
    expect(await wrongWhile(fault, "local")).toEqual(Array(BLOCKS).fill(0));
  },
);

test.each(["dropped-logs", "forged-logs"] as const)(
  "%s of an endpoint without receipts are noticed within three blocks, and nothing wrong is priced after",
  { timeout: 1_200_000 },
  async (fault) => {
    const wrong = await wrongWhile(fault, "no-receipts");
    expect(wrong.slice(3)).toEqual(Array(BLOCKS - 3).fill(0));
  },
);
