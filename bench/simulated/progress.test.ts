import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type Answer,
  faultsOf,
  isExact,
  noteAnswer,
  noteRefusal,
  ranAgain,
  readProgress,
  simulatedOf,
  writeProgress,
} from "./progress.ts";

const answer = (status: string, paid: string | null = "7"): Answer => ({
  amount_out_total: "7",
  simulation: { status, amount_out: paid, block: 5, method: "eth_simulateV1", reason: paid && null },
  simulation_reason: null,
});

test("a run that is ended goes on where it was", () => {
  const folder = mkdtempSync(join(tmpdir(), "braid-simulated-"));
  const path = join(folder, "progress.json");
  const first = readProgress(path);
  for (let k = 0; k < 3; k++) noteAnswer(first, "q", answer("exact"));
  writeProgress(path, first);
  const second = readProgress(path);
  noteAnswer(second, "q", answer("exact"));
  expect(simulatedOf(second)).toBe(4);
  expect(readdirSync(folder)).toEqual(["progress.json"]);
  rmSync(folder, { recursive: true });
});

test("every quote exact is no fault; too few, other amounts, reverts, reroutes and runs not made are", () => {
  const progress = readProgress("/nowhere");
  for (let k = 0; k < 10; k++) noteAnswer(progress, "q", answer("exact"));
  noteRefusal(progress, "NO_ROUTE");
  expect(faultsOf(progress, 10)).toEqual([]);
  expect(faultsOf(progress, 11)).toEqual(["10 quotes were simulated, 11 are wanted"]);
  progress.rerouted = 1;
  expect(faultsOf(progress, 10)).toEqual(["1 quotes were wrong before they were answered"]);
  progress.rerouted = 0;
  noteAnswer(progress, "q", { ...answer("exact"), simulation: null, simulation_reason: "none" });
  expect(faultsOf(progress, 10)).toEqual(['1 quotes were not run: {"none":1}']);
});

test.each([
  ["differs", "6"],
  ["reverted", null],
  ["exact", "6"],
])("a quote that %s with %s is told with its request", (status, paid) => {
  const progress = readProgress("/nowhere");
  noteAnswer(progress, "the request", answer(status, paid));
  expect(faultsOf(progress, 1).join()).toContain("7 quoted");
  expect(faultsOf(progress, 1).join()).toContain("the request");
});

test("a second run counts for what it comes out as, and no quote that was not run becomes exact", () => {
  const doubted = answer("differs", "6");
  expect(isExact(doubted)).toBe(false);
  expect(isExact(ranAgain(doubted, 7n))).toBe(true);
  expect([8n, undefined].map((paid) => ranAgain(doubted, paid).simulation?.status)).toEqual([
    "differs",
    "reverted",
  ]);
  expect(isExact(ranAgain({ ...doubted, simulation: null }, 7n))).toBe(false);
});
