import { describe, expect, test } from "vitest";
import type { Pool } from "../types.ts";
import { ask, at, expectBalanced, market, NINE, poolOf, token } from "./market.fixture.ts";
import type { RouteResult } from "./types.ts";

const E18 = 10n ** 18n;
const [A, B, C, D] = [1, 2, 3, 4].map(token) as [
  Pool["address"],
  Pool["address"],
  Pool["address"],
  Pool["address"],
];
const RESERVES = { reserves: [1000n * E18, 1000n * E18], feePpm: 3000n };

function paid(result: RouteResult): bigint {
  if (result.kind !== "found") throw new Error(`no route: ${result.reason}`);
  expectBalanced(result.route);
  return result.route.amountOut;
}

describe("pools that come and go", () => {
  const { engine, states, view } = market(NINE);
  /** A round of pools, each of a token of its own, that enter the market together and leave it together. */
  const round = (number: number) => {
    const pools = Array.from({ length: 400 }, (_, k) => {
      const n = 1000 + 400 * number + k;
      const pool = poolOf({ tokens: [A, token(n)], reserves: RESERVES.reserves }, n);
      states.set(pool.id, RESERVES);
      return pool;
    });
    engine.patch({ pools, removed: [] }, view, at);
    const newest = pools[0]!;
    expect(paid(engine.find(ask(A, newest.tokens[1]!, E18)))).toBeGreaterThan(0n);
    engine.patch({ pools: [], removed: pools.map(({ id }) => id) }, view, at);
    return newest;
  };

  test("leave no more memory behind after many rounds than after a few, and the answers as they were", () => {
    const order = () => engine.find(ask(A, B, 100n * E18));
    const before = paid(order());
    for (let k = 0; k < 8; k++) round(k);
    const bytes = engine.graphBytes();
    for (let k = 8; k < 40; k++) round(k);
    expect(engine.graphBytes()).toBeLessThanOrEqual(bytes);
    expect(paid(order())).toBe(before);
    const { searches } = engine.counters();
    expect(searches).toBeGreaterThanOrEqual(42);
  });

  test("are in the market again when they return", () => {
    const pool = round(50);
    engine.patch({ pools: [pool], removed: [] }, view, at);
    expect(paid(engine.find(ask(A, pool.tokens[1]!, E18)))).toBeGreaterThan(0n);
  });
});

test("a pool whose address another one has after a reorganisation trades the tokens of that one", () => {
  const { engine, pools, states, view } = market([
    { tokens: [A, B], reserves: RESERVES.reserves },
    { tokens: [A, D], reserves: RESERVES.reserves },
  ]);
  const old = pools[1]!;
  const other: Pool = { ...old, tokens: [A, C] };
  states.set(old.id, RESERVES);
  engine.patch({ pools: [other], removed: [old.id] }, view, at);
  expect(paid(engine.find(ask(A, C, E18)))).toBeGreaterThan(0n);
  expect(engine.find(ask(A, B, E18)).kind).toBe("missing");
  const wider: Pool = { ...old, tokens: [A, B, C] };
  states.set(old.id, { ...RESERVES, reserves: [1000n * E18, 1000n * E18, 1000n * E18] });
  engine.patch({ pools: [wider], removed: [] }, view, at);
  for (const token of [B, C, D]) expect(paid(engine.find(ask(A, token, E18)))).toBeGreaterThan(0n);
});
