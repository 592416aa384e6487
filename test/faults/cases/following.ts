import { profileOf } from "../../chain/node/profiles.ts";
import type { Fault } from "../../chain/node/spoil.ts";
import { type Case, must, pause } from "../case.ts";
import { compare, headOf, mustBeExact, openTrial, type Trial } from "../mainnet.ts";
import { freshly, shared } from "./fixture.ts";
import { slowCases } from "./slow.ts";

/** Faults while the head is followed, one after the other on the same running edges. */

const local = profileOf("local");
const alone = shared(() => openTrial());
const both = shared(() => openTrial({ profiles: [local, local] }));
const socket = shared(() => openTrial({ sockets: true }));
const pruned = shared(() => openTrial({ chain: { built: 60 } }));

export const closeFixtures = () => Promise.all([alone, both, socket, pruned].map((one) => one.close()));

/** Every state in memory, asked again and again while blocks come: nothing wrong may be seen at any time. */
async function watched(trial: Trial, work: () => Promise<void>): Promise<void> {
  const wrong: string[] = [];
  let isOver = false;
  let times = 0;
  const watch = async () => {
    while (!isOver) {
      const start = performance.now();
      wrong.push(...compare(trial).wrong);
      times++;
      // A third of the time at most: where comparing takes long, as on a busy machine, following must go on.
      await pause(Math.max(100, 2 * (performance.now() - start)));
    }
  };
  const watching = watch();
  await work().finally(() => {
    isOver = true;
  });
  await watching;
  must(times > 0, "nothing was compared");
  must(wrong.length === 0, `${wrong.length} states were wrong meanwhile: ${wrong[0]}`);
}

const withoutReceipts = profileOf("no-receipts");

/** An endpoint whose receipts are shown cannot price anything wrong for one moment. */
function lies(fault: Fault): Case {
  return {
    name: `${fault} of the only endpoint are never priced, and every block arrives`,
    run: () =>
      freshly(
        shared(() => openTrial()),
        async (trial) => {
          const [node] = trial.nodes;
          await watched(trial, async () => {
            node!.fault = fault;
            for (let k = 0; k < 4; k++) {
              trial.chain.mine();
              await trial.arrived("the block whose logs are wrong");
            }
          }).finally(() => {
            node!.fault = "none";
          });
          trial.chain.mine();
          await trial.arrived("the head after the fault");
          mustBeExact(trial);
        },
      ),
  };
}

/**
 * Blocks in which a lie that nothing proves may be believed. A sample of the pools that a block changed is compared with the
 * chain, and what differs is read once more after the next block: the first false states are in the sample of the third block
 * or earlier in most runs, and in that of the sixth in some.
 */
const NOTICED_WITHIN = 9;
const LYING = 12;

/** Without receipts a lie is noticed by reading states. */
function noticed(fault: Fault): Case {
  return {
    name: `${fault} of the only endpoint, which shows no receipts, are noticed within ${NOTICED_WITHIN} blocks`,
    run: () =>
      freshly(
        shared(() => openTrial({ profiles: [withoutReceipts], settings: { selfCheckBlocks: 32 } })),
        async (trial) => {
          const [node] = trial.nodes;
          const wrong: number[] = [];
          node!.fault = fault;
          const before = trial.lines.length;
          // Logs that contradict the header's bloom are refused, and the block waits until somebody tells others.
          const isHeld = () =>
            trial.lines.slice(before).some((line) => line.includes("cannot follow the chain"));
          for (let k = 0; k < LYING; k++) {
            trial.chain.mine();
            const arrives = () => headOf(trial.served) === trial.chain.head().hash;
            await trial.until(() => arrives() || isHeld(), "the block whose logs are wrong");
            await pause(500);
            wrong.push(compare(trial).wrong.length);
          }
          node!.fault = "none";
          console.log(`        states that are wrong, block by block: ${wrong.join(" ")}`);
          must(
            wrong.slice(NOTICED_WITHIN).every((count) => count === 0),
            `states stay wrong: ${wrong.join(" ")}`,
          );
          trial.chain.mine();
          await trial.arrived("the head after the fault");
          await trial.until(() => compare(trial).wrong.length === 0, "every state is right again");
          mustBeExact(trial);
        },
      ),
  };
}

/** @param which the endpoint with the fault */
function disagrees(fault: Fault, which: 0 | 1): Case {
  return {
    name: `of two endpoints, number ${which + 1} with ${fault}: every block arrives, nothing wrong is priced`,
    run: () =>
      freshly(
        shared(() => openTrial({ profiles: [local, local] })),
        async (trial) => {
          const node = trial.nodes[which];
          await watched(trial, async () => {
            node!.fault = fault;
            for (let k = 0; k < 4; k++) {
              trial.chain.mine();
              await trial.arrived("the next head, by the other endpoint");
            }
          }).finally(() => {
            node!.fault = "none";
          });
          mustBeExact(trial);
        },
      ),
  };
}

function reorg(depth: number, fixture = alone): Case {
  return {
    name: `a reorg of ${depth} blocks leaves the state of a fresh read`,
    async run() {
      const trial = await fixture.open();
      while (trial.chain.head().number < 23_500_000 + depth) trial.chain.mine({ swaps: 5, positions: 2 });
      await trial.arrived("the old fork");
      const before = headOf(trial.served);
      trial.chain.reorg(depth);
      await trial.arrived("the new fork");
      must(headOf(trial.served) !== before, "the head did not change");
      mustBeExact(trial);
    },
  };
}

const lagging: Case = {
  name: "an endpoint 20 blocks behind is not believed while another is fresh",
  async run() {
    const trial = await both.open();
    const [late] = trial.nodes;
    for (let k = 0; k < 20; k++) trial.chain.mine();
    late!.lag = 15;
    await watched(trial, async () => {
      for (let k = 0; k < 3; k++) {
        trial.chain.mine();
        await trial.arrived("the fresh head");
      }
    }).finally(() => {
      late!.lag = 0;
    });
    mustBeExact(trial);
  },
};

const silence: Case = {
  name: "a subscription that falls silent, then a cut socket, miss no block",
  async run() {
    const trial = await socket.open();
    const [node] = trial.nodes;
    node!.pushes = false;
    trial.chain.mine();
    await trial.arrived("the head that nobody pushed");
    node!.pushes = true;
    node!.cut();
    trial.chain.mine();
    trial.chain.mine();
    await trial.arrived("the heads of the gap");
    mustBeExact(trial);
  },
};

function comesBack(fault: Fault): Case {
  return {
    name: `${fault} of the only endpoint for 1.5 s: every block of the gap arrives`,
    async run() {
      const trial = await alone.open();
      const [node] = trial.nodes;
      node!.fault = fault;
      for (let k = 0; k < 3; k++) {
        trial.chain.mine();
        await pause(500);
      }
      node!.fault = "none";
      await trial.arrived("the newest head");
      mustBeExact(trial);
    },
  };
}

export const followingCases: readonly Case[] = [
  ...(["reset", "http-500", "html", "429-text", "429-json", "hang", "garbage"] as const).map(comesBack),
  ...(["empty-logs", "dropped-logs", "forged-logs", "dropped-receipts", "forged-receipts"] as const).map(
    lies,
  ),
  ...(["empty-logs", "dropped-logs", "forged-logs"] as const).map(noticed),
  ...([0, 1] as const).flatMap((which) =>
    (["reset", "hang", "dropped-logs", "forged-logs", "wrong-chain"] as const).map((fault) =>
      disagrees(fault, which),
    ),
  ),
  ...slowCases,
  lagging,
  silence,
  ...[1, 2, 3, 7, 32].map((depth) => reorg(depth)),
  reorg(160, pruned),
];
