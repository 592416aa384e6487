import { performance } from "node:perf_hooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { silent } from "../../../test/faults/follow.ts";
import type { Answer } from "../node/endpoint.ts";
import { failureOf } from "../node/transport/failure.ts";
import { createForms } from "./forms.ts";

const block = { number: 16, hash: `0x${"ab".repeat(32)}` } as const;
const RESULT = `0x${"01".repeat(96)}` as const;
const TIMEOUT = { code: -32_000, message: "execution aborted (timeout = 5s)" };
const UNKNOWN = { code: -32_602, message: "too many arguments, want at most 2" };

/** @param answerOf called with the name of the form, for each request */
function run(answerOf: (form: "override" | "creation") => Answer) {
  let now = 1_000_000;
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  const asked: string[] = [];
  const forms = createForms(async ([call]) => {
    const form = call!.overrides === undefined ? "creation" : "override";
    asked.push(form);
    return [answerOf(form)];
  }, silent);
  const pass = (ms: number) => {
    now += ms;
  };
  return { ...forms, asked, pass };
}

const failed = (error: object): Answer => ({ ok: false, failure: failureOf(error) });

test("a node that was busy for four requests runs the lens again a minute later", async () => {
  let isBusy = true;
  const { ask, isUsable, pass } = run(() => (isBusy ? failed(TIMEOUT) : { ok: true, result: RESULT }));
  await expect(ask("0x", block)).rejects.toMatchObject({ kind: "unsupported" });
  expect(isUsable()).toBe(false);
  isBusy = false;
  await expect(ask("0x", block)).rejects.toMatchObject({ kind: "unsupported" });
  pass(60_000);
  expect(isUsable()).toBe(true);
  expect(await ask("0x", block)).toBe(RESULT);
});

test("one odd answer leaves the form in use", async () => {
  const answers = [failed(TIMEOUT)];
  const { ask, asked } = run(() => answers.pop() ?? { ok: true, result: RESULT });
  expect(await ask("0x", block)).toBe(RESULT);
  expect(asked).toEqual(["override", "override"]);
});

test("a node that knows no form is asked once more in each per minute", async () => {
  const { ask, asked, pass } = run(() => failed(UNKNOWN));
  for (let k = 0; k < 3; k++) await expect(ask("0x", block)).rejects.toThrow("no endpoint runs the lens");
  expect(asked).toEqual(["override", "override", "creation", "creation"]);
  pass(60_000);
  for (let k = 0; k < 3; k++) await expect(ask("0x", block)).rejects.toThrow("no endpoint runs the lens");
  expect(asked.slice(4)).toEqual(["override", "creation"]);
});

test("a node without state overrides runs the lens by creation, and is tried for overrides once per minute", async () => {
  const reverted = { code: 3, message: "execution reverted", data: RESULT };
  const { ask, asked, pass } = run((form) => failed(form === "override" ? UNKNOWN : reverted));
  for (let k = 0; k < 2; k++) expect(await ask("0x", block)).toBe(RESULT);
  expect(asked).toEqual(["override", "override", "creation", "creation"]);
  pass(60_000);
  expect(await ask("0x", block)).toBe(RESULT);
  expect(asked.slice(4)).toEqual(["override", "creation"]);
});
