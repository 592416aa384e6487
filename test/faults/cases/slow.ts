import { type Case, must, pause } from "../case.ts";
import { mustBeExact, openTrial } from "../mainnet.ts";
import { freshly, shared } from "./fixture.ts";

/** Endpoints that ask for a pause, or take longer than an attempt. */

/** Longest wait for what was under way, on a busy machine too. */
const MOST_MS = 12_000;
const STILL_MS = 1_000;

/** Resolves once a count stands still, or after MOST_MS. */
async function settled(count: () => number): Promise<void> {
  const end = performance.now() + MOST_MS;
  for (let before = -1; before !== count() && performance.now() < end; ) {
    before = count();
    await pause(STILL_MS);
  }
}

/** What 429-long asks for; a machine that needs longer shows nothing. */
const PAUSE_MS = 20_000;
/** So long the endpoint is listened to after it asked for that. */
const KEPT_MS = 4_000;

const retryAfter: Case = {
  name: "a Retry-After of 20 s in the middle of following: nothing is asked meanwhile, and every block arrives",
  run: () =>
    freshly(
      shared(() => openTrial()),
      async (trial) => {
        const [node] = trial.nodes;
        const asked = node!.traffic.items;
        node!.fault = "429-long";
        trial.chain.mine();
        await trial.until(() => node!.traffic.items > asked, "a refusal");
        const refusedAt = performance.now();
        // What was under way is refused as well. On a busy machine it may take longer than the refusal.
        await settled(() => node!.traffic.items);
        node!.fault = "none";
        const { items } = node!.traffic;
        trial.chain.mine();
        await pause(KEPT_MS);
        const isOver = performance.now() - refusedAt >= PAUSE_MS;
        must(
          isOver || node!.traffic.items === items,
          `${node!.traffic.items - items} items were asked for all the same`,
        );
        await trial.arrived("the newest head");
        mustBeExact(trial);
      },
    ),
};

/** Blocks come every 12 s: logs that take longer than an attempt are waited for in a later one. */
const tooSlow: Case = {
  name: "a block whose receipts and logs take 8 s, longer than an attempt, is followed",
  run: () =>
    freshly(
      shared(() => openTrial({ settings: { attemptMs: 5000 } })),
      async (trial) => {
        const [node] = trial.nodes;
        for (const method of ["eth_getBlockReceipts", "eth_getLogs"]) node!.slow.set(method, 8000);
        trial.chain.mine();
        await trial.arrived("the block whose logs are slow");
        node!.slow.clear();
        mustBeExact(trial);
      },
    ),
};

export const slowCases: readonly Case[] = [retryAfter, tooSlow];
