import { setImmediate } from "node:timers/promises";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { newCursor } from "../backfill.ts";
import { createKnown } from "../known/known.ts";
import type { DiscoveryContext } from "../types.ts";
import { createAwake } from "../waking/awake.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { noteOf } from "./note.ts";
import { noRecollection } from "./recollection.ts";
import { resume } from "./resume.ts";

/** A checkpoint whose pools are still being read when `fail` is called. */
function unread() {
  const { promise, reject } = Promise.withResolvers<never>();
  const checkpoint = {
    open: async () => noteOf(newCursor(), 7, {}),
    async *awake() {},
    async *pools() {
      yield await promise;
    },
  } as unknown as Checkpoint;
  return { checkpoint, fail: () => reject(new Error("the file is closed")) };
}

/** Resumes from a checkpoint before any node has answered, as at the start of the process. */
async function resumed(checkpoint: Checkpoint, signal: AbortSignal) {
  const known = createKnown();
  const context = {
    ...{ chain: { deployments: [] }, log: pino({ level: "silent" }), signal, known },
    ...{ market: { head: () => undefined }, recollection: noRecollection(), progress: {} },
    awake: createAwake(() => undefined),
  } as unknown as DiscoveryContext;
  const asking = { recall: () => undefined };
  const parts = { checkpoint, cursor: newCursor(), base: known, asking };
  return resume(context, { ...parts, opened: new Promise(() => undefined), onFirst: () => undefined });
}

/** Unhandled rejections from now until the test has finished. */
function unmet(): unknown[] {
  const failures: unknown[] = [];
  const note = (failure: unknown) => void failures.push(failure);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  return failures;
}

test("stopping while the checkpoint is read causes no unhandled rejection", async () => {
  const failures = unmet();
  const over = new AbortController();
  const { checkpoint, fail } = unread();
  await resumed(checkpoint, over.signal);
  over.abort();
  fail();
  await setImmediate();
  expect(failures).toEqual([]);
});

test("a file that cannot be read rejects the function that reads the pools again, and nothing before", async () => {
  const failures = unmet();
  const over = new AbortController();
  const { checkpoint, fail } = unread();
  const readAgain = await resumed(checkpoint, over.signal);
  fail();
  await setImmediate();
  expect(failures).toEqual([]);
  await expect(readAgain!()).rejects.toThrow("the file is closed");
  over.abort();
});
