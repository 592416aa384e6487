import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMakerMemory } from "./memory.ts";
import { createReputation } from "./reputation.ts";

const MINUTE = 60_000;

let folder: string;
let warnings: unknown[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "braid-makers-"));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const log = { warn: (...given: unknown[]) => void warnings.push(given) };

/** A process that starts at a Unix time; its monotonic clock starts at an unrelated value. */
function started(unixMs: number) {
  let [wall, monotonic] = [unixMs, unixMs % 9_973];
  const memory = openMakerMemory(folder, () => wall, log);
  const reputation = createReputation(() => monotonic, memory.of("1 Alpha"));
  memory.follow("1 Alpha", reputation.standing);
  const pass = (ms: number) => {
    wall += ms;
    monotonic += ms;
  };
  const note = (fades: number, given: number) => {
    for (let k = 0; k < given; k++) reputation.note(false);
    for (let k = 0; k < fades; k++) reputation.note(true);
  };
  return { memory, reputation, pass, note };
}

describe("the standing of a maker after a restart", () => {
  test("is what it was, and orders leave the hour when they would have left it", () => {
    const first = started(1e12);
    first.note(3, 30);
    first.pass(20 * MINUTE);
    first.note(1, 10);
    const rate = first.reputation.fadeRate();
    first.memory.close();
    const second = started(1e12 + 25 * MINUTE);
    expect(second.reputation.fadeRate()).toBe(rate);
    second.pass(36 * MINUTE);
    expect(second.reputation.fadeRate()).toBe((1 + 1) / (11 + 20));
    second.memory.close();
    expect(warnings).toEqual([]);
  });

  test("a block goes on through a restart, is saved as it begins, and the next one is twice as long", () => {
    const first = started(1e12);
    first.note(2, 0);
    expect(first.reputation.blockedForMs()).toBe(15 * MINUTE);
    // Nothing is closed, as after kill -9.
    first.memory.save();
    const second = started(1e12 + 5 * MINUTE);
    expect(second.reputation.blockedForMs()).toBe(10 * MINUTE);
    second.pass(11 * MINUTE);
    expect(second.reputation.blockedForMs()).toBe(0);
    second.note(2, 0);
    expect(second.reputation.blockedForMs()).toBe(30 * MINUTE);
    second.memory.close();
    first.memory.close();
  });

  test("a maker that is not on the list for a while is remembered; a file that is none counts as empty", () => {
    const first = started(1e12);
    first.note(2, 0);
    first.memory.close();
    const without = openMakerMemory(folder, () => 1e12, log);
    without.follow("1 Beta", createReputation(() => 0).standing);
    without.close();
    const back = started(1e12);
    expect(back.reputation.blockedForMs()).toBe(15 * MINUTE);
    back.memory.close();
    writeFileSync(join(folder, "makers.json"), '{"version":1,"makers":[]}');
    const anew = started(1e12);
    expect([anew.reputation.blockedForMs(), warnings.length]).toEqual([0, 1]);
    anew.memory.close();
  });
});
