import { expect, test } from "vitest";
import type { Hex } from "../../core/types.ts";
import { createSeries } from "./figures.ts";
import { createLedger } from "./ledger.ts";
import { lossBps } from "./sample.ts";

const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, "0")}`;

test("a series tells of its newest numbers, and how many there ever were", () => {
  const series = createSeries(100);
  for (let n = 1; n <= 1_000; n++) series.add(n);
  expect(series.count()).toBe(1_000);
  expect(series.summary()).toEqual({ mean: 950.5, p50: 951, p95: 996, p99: 1_000, most: 1_000 });
  expect(createSeries(3).summary()).toBeUndefined();
});

test("a loss counts in basis points: a gain is below 0, and nothing left is all", () => {
  expect([lossBps(10_000n, 9_999n), lossBps(10_000n, 10_001n), lossBps(7n, undefined)]).toEqual([
    1, -1, 10_000,
  ]);
});

test("calldata that pays another amount on its own block is counted, with by how much", () => {
  const ledger = createLedger();
  for (const paid of [100_000n, 100_000n, 99_990n, undefined]) ledger.ran("reference", 100_000n, paid);
  ledger.ran("unvetted", 100n, 1n);
  const { sameState } = ledger.report();
  expect(sameState.reference).toEqual({ exact: 2, differs: 1, reverted: 1, mostBps: 1 });
  expect(sameState.callers).toEqual({ exact: 0, differs: 0, reverted: 0, mostBps: 0 });
});

test("a transaction is matched by its calldata and counted once; one that nobody was quoted is none", () => {
  const ledger = createLedger();
  ledger.quoted({ chainId: 1, calldataHash: hash(1), amountOut: 10_000n });
  ledger.executed({ hash: hash(7), calldataHash: hash(1), received: 9_990n });
  ledger.executed({ hash: hash(7), calldataHash: hash(1), received: 9_990n });
  ledger.executed({ hash: hash(8), calldataHash: hash(1), received: undefined });
  ledger.executed({ hash: hash(9), calldataHash: hash(2), received: 1n });
  expect(ledger.report().executed).toMatchObject({ succeeded: 1, reverted: 1, loss: { most: 10 } });
});
