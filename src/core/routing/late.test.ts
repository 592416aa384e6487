import { describe, expect, test } from "vitest";
import type { Protocol, Registry } from "../protocol.ts";
import {
  ask,
  constantProduct,
  fixtureRegistry,
  market,
  type PairSpec,
  token,
  WRAPPED,
} from "./market.fixture.ts";
import type { Engine, RouteResult } from "./types.ts";

/** Work of a search after its deadline: readings of the clock, quotes, and first calls of `allows` for a pool. */
type After = { readings: number; quotes: number; asked: number };

const after: After = { readings: 0, quotes: 0, asked: 0 };
let isLate = false;

/** A constant product that counts quotes after the deadline. */
const counted: Protocol = {
  ...(constantProduct as Protocol),
  quote: (...order) => {
    if (isLate) after.quotes++;
    return (constantProduct as Protocol).quote(...order);
  },
};
const registry: Registry = new Map([...fixtureRegistry, [counted.name, counted]]);

const TOKENS = 12;
const DEEP = 10n ** 21n;
const CAP = 8;

/** Three pools between any two tokens, of very different depths. */
function wide(): PairSpec[] {
  const specs: PairSpec[] = [];
  for (let a = 1; a < TOKENS; a++) {
    for (let k = 0; k < 3 * a; k++) {
      const held = (DEEP * BigInt(1 + ((a * 7 + (k % a) * 13 + Math.floor(k / a + 1) * 5) % 17))) / 4n;
      specs.push({ tokens: [token(a), token(k % a)], reserves: [held, held] });
    }
  }
  return specs;
}

test("a search reports how much of its time was spent on settling in integers", () => {
  const { engine } = market(wide(), registry);
  let ticks = 0;
  const found = engine.find(ask(token(1), token(2), DEEP / 10n, { now: () => ticks++ / 1_000 }));
  if (found.kind === "missing") throw new Error(found.reason);
  const { ms, settleMs } = found.search;
  expect(settleMs).toBeGreaterThan(0);
  expect(settleMs).toBeLessThan(ms);
});

function sellWithin(
  most: number,
  engine: Engine,
  gasPriceWei: bigint | undefined,
  amount = DEEP / 2n,
): RouteResult {
  return findWithin(most, engine, { gasPriceWei, amount });
}

type Asked = { gasPriceWei?: bigint | undefined; amount: bigint; side?: "in" | "out" };

/** Finds a route with a clock that passes the deadline after `most` readings. */
function findWithin(most: number, engine: Engine, { amount, ...more }: Asked): RouteResult {
  Object.assign(after, { readings: 0, quotes: 0, asked: 0 });
  isLate = false;
  let readings = 0;
  const now = () => {
    isLate = ++readings > most;
    if (isLate) after.readings++;
    return isLate ? 1e9 : 0;
  };
  const allows = () => {
    if (isLate) after.asked++;
    return true;
  };
  return engine.find(ask(WRAPPED, token(1), amount, { maxLegs: CAP, timeoutMs: 10, ...more, now, allows }));
}

/**
 * Work allowed after the deadline: routes settled, calls of `allows` by paths and the proof, and readings of the clock.
 */
const SETTLED = 2;
const ASKED = 198;
const READINGS = 40;

describe.each([undefined, 10n ** 9n])("a search after its deadline, with gas at %s", (gasPriceWei) => {
  const { engine } = market(wide(), registry);

  test("settles some split at once, at any point of the search", () => {
    for (let most = 1; most <= 60; most++) {
      const found = sellWithin(most, engine, gasPriceWei);
      expect(found.kind === "found" && found.route.steps.length).toBeGreaterThan(1);
      expect(after.quotes).toBeLessThanOrEqual(SETTLED * CAP);
      expect(after.asked).toBeLessThanOrEqual(ASKED);
      expect(after.readings).toBeLessThanOrEqual(READINGS);
    }
  });

  test("says that dust is too small, not too deep", () => {
    for (let most = 1; most <= 60; most++)
      expect(sellWithin(most, engine, gasPriceWei, 1n)).toMatchObject({ reason: "too-small" });
  });
});

test("an amount bought after the deadline costs little more than without one, or is not offered", () => {
  const { engine } = market(wide(), registry);
  let offered = 0;
  for (const [times, part] of [
    [1n, 1_000n],
    [1n, 1n],
    [10n, 3n],
    [3n, 1n],
  ] as const) {
    const of = { amount: (DEEP * times) / part, side: "out" } as const;
    const whole = findWithin(Number.POSITIVE_INFINITY, engine, of);
    if (whole.kind === "missing") throw new Error(whole.reason);
    for (let most = 1; most <= 1_000; most += 1 + Math.floor(most / 20)) {
      const found = findWithin(most, engine, of);
      if (found.kind === "missing") {
        expect(found.reason).toBe("out-of-time");
        continue;
      }
      offered++;
      expect(Number(found.route.amountIn) / Number(whole.route.amountIn)).toBeLessThan(1.02);
    }
  }
  expect(offered).toBeGreaterThan(200);
});

test("an amount beyond what all pools can pay is too deep at once, and with more time the largest amount is found", () => {
  const { engine } = market(wide(), registry);
  const beyond = { amount: DEEP * BigInt(4 * TOKENS * TOKENS), side: "out" } as const;
  for (let most = 1; most <= 60; most++)
    expect(findWithin(most, engine, beyond)).toMatchObject({ reason: "too-deep" });
  const found = findWithin(Number.POSITIVE_INFINITY, engine, beyond);
  if (found.kind === "found" || found.largestAmount === undefined) throw new Error("no largest amount");
  expect(found.largestAmount).toBeGreaterThan(DEEP);
  const nearly = { amount: (found.largestAmount * 9n) / 10n, side: "out" } as const;
  expect(findWithin(Number.POSITIVE_INFINITY, engine, nearly).kind).toBe("found");
});
