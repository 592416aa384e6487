import { expect, test } from "vitest";
import { createReputation } from "./reputation.ts";

const MINUTE = 60_000;

function reputation() {
  let nowMs = 0;
  const made = createReputation(() => nowMs);
  const noteAll = (fades: number, given: number) => {
    for (let k = 0; k < given; k++) made.note(false);
    for (let k = 0; k < fades; k++) made.note(true);
  };
  return { ...made, noteAll, pass: (ms: number) => (nowMs += ms) };
}

test("nobody is blocked for one fade, and for two in a row of a maker that nothing is known of", () => {
  const maker = reputation();
  maker.noteAll(1, 0);
  expect([maker.fadeRate().toFixed(3), maker.blockedForMs()]).toEqual(["0.095", 0]);
  maker.noteAll(1, 0);
  expect(maker.blockedForMs()).toBe(15 * MINUTE);
});

test("a maker that gave 200 orders may miss every eighth, not more", () => {
  const maker = reputation();
  maker.noteAll(28, 200);
  expect([maker.fadeRate() <= 0.12, maker.blockedForMs()]).toEqual([true, 0]);
  maker.noteAll(1, 0);
  expect(maker.blockedForMs()).toBe(15 * MINUTE);
});

test("blocks double up to seven times, and a clean day makes them short again", () => {
  const maker = reputation();
  const minutes = Array.from({ length: 9 }, () => {
    maker.noteAll(2, 0);
    const blocked = maker.blockedForMs();
    maker.pass(blocked);
    return blocked / MINUTE;
  });
  expect(minutes).toEqual([15, 30, 60, 120, 240, 480, 960, 1920, 1920]);
  maker.pass(24 * 60 * MINUTE);
  maker.noteAll(2, 0);
  expect(maker.blockedForMs()).toBe(15 * MINUTE);
});

test("orders count for an hour, and what comes in during a block counts for nothing", () => {
  const maker = reputation();
  maker.noteAll(1, 0);
  maker.pass(61 * MINUTE);
  expect(maker.fadeRate()).toBe(0.05);
  maker.noteAll(2, 0);
  maker.noteAll(5, 0);
  maker.pass(15 * MINUTE);
  expect([maker.blockedForMs(), maker.fadeRate()]).toEqual([0, 0.05]);
});

test("an order that was given and not honoured is a fade in the place of that order", () => {
  const maker = reputation();
  maker.noteAll(0, 9);
  maker.broke();
  expect(maker.fadeRate()).toBe((1 + 1) / (9 + 20));
  const other = reputation();
  other.broke();
  expect(other.fadeRate()).toBe((1 + 1) / (1 + 20));
  other.broke();
  expect(other.blockedForMs()).toBe(15 * MINUTE);
});
