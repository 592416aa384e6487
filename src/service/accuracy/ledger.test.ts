import { expect, test } from "vitest";
import type { Hex } from "../../core/types.ts";
import { createSeries } from "./figures.ts";
import { createLedger } from "./ledger.ts";
import { lossBps } from "./sample.ts";

const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, "0")}`;

test("a series summarises its newest numbers and counts all numbers ever added", () => {
  const series = createSeries(100);
  for (let n = 1; n <= 1_000; n++) series.add(n);
  expect(series.count()).toBe(1_000);
  expect(series.summary()).toEqual({ mean: 950.5, p50: 951, p95: 996, p99: 1_000, most: 1_000 });
  expect(createSeries(3).summary()).toBeUndefined();
});

test("a loss is in basis points: a gain is negative, and an unfilled route is a loss of 10,000", () => {
  expect([lossBps(10_000n, 9_999n), lossBps(10_000n, 10_001n), lossBps(7n, undefined)]).toEqual([
    1, -1, 10_000,
  ]);
});

test("calldata that pays another amount on its own block is counted, with the largest difference", () => {
  const ledger = createLedger();
  for (const paid of [100_000n, 100_000n, 99_990n, undefined]) ledger.ran("reference", 100_000n, paid);
  ledger.ran("unvetted", 100n, 1n);
  const { sameState } = ledger.report();
  expect(sameState.reference).toEqual({ exact: 2, differs: 1, reverted: 1, mostBps: 1 });
  expect(sameState.callers).toEqual({ exact: 0, differs: 0, reverted: 0, mostBps: 0 });
});

const at = (number: number) => ({ blockNumber: number, timestamp: 12 * number });
const quoted = (n: number, amountOut = 10_000n) => {
  const head = { number: 1, hash: hash(1_001), parentHash: hash(1_000), timestamp: 12 };
  return { chainId: 1, calldataHash: hash(n), amountOut, head, at: at(2), taker: undefined };
};

test("a transaction is matched by its calldata and counted once; one whose calldata was never quoted is ignored", () => {
  const ledger = createLedger();
  ledger.quoted(quoted(1));
  const succeeded = {
    hash: hash(7),
    calldataHash: hash(1),
    succeeded: true,
    received: 9_990n,
    isVetted: true,
  };
  ledger.executed(succeeded);
  ledger.executed(succeeded);
  ledger.executed({ ...succeeded, hash: hash(8), succeeded: false, received: undefined });
  ledger.executed({ ...succeeded, hash: hash(9), calldataHash: hash(2), received: 1n });
  ledger.executed({ ...succeeded, hash: hash(10), received: undefined });
  const { executed } = ledger.report();
  expect(executed).toMatchObject({ succeeded: 2, untold: 1, reverted: 1, found: 0, loss: { most: 10 } });
});

test("a transaction that a client asked about and that is then found in its block counts once, with its place there", () => {
  const ledger = createLedger();
  ledger.quoted(quoted(1));
  const asked = { hash: hash(7), calldataHash: hash(1), succeeded: true, received: 9_999n, isVetted: true };
  const placed = { isNextBlock: true, isSameState: true };
  for (const swap of [asked, { ...asked, placed }, { ...asked, placed }]) ledger.executed(swap);
  ledger.executed({ ...asked, hash: hash(8), received: 9_000n, placed: { ...placed, isSameState: false } });
  const other = { isNextBlock: false, isSameState: false };
  ledger.executed({ ...asked, hash: hash(9), received: 1n, placed: other });
  const { executed, sameState } = ledger.report();
  expect(executed).toMatchObject({ succeeded: 3, found: 2, nextBlockLoss: { p50: 1_000, most: 1_000 } });
  expect(executed.loss?.most).toBe(9_999);
  expect(sameState.executed).toEqual({ exact: 0, differs: 1, reverted: 0, mostBps: 1 });
});

test("swaps of unvetted tokens, which may log any amount, are counted and add nothing to the losses", () => {
  const ledger = createLedger();
  ledger.quoted(quoted(1));
  const placed = { isNextBlock: true, isSameState: true };
  const swap = { hash: hash(7), calldataHash: hash(1), succeeded: true, received: 10n ** 60n, placed };
  ledger.executed({ ...swap, isVetted: false });
  const { executed, sameState } = ledger.report();
  expect([sameState.executed.differs, sameState.unvetted.differs]).toEqual([0, 1]);
  expect(executed).toMatchObject({ succeeded: 1, untold: 0, loss: undefined, nextBlockLoss: undefined });
});
