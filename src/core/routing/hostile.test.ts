import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Protocol } from "../protocol.ts";
import { type Address, NATIVE } from "../types.ts";
import {
  ask,
  constantProduct,
  expectBalanced,
  fixtureRegistry,
  market,
  type PairSpec,
  token,
  WRAPPED,
} from "./market.fixture.ts";

const tokens = fc.integer({ min: 0, max: 6 }).map((n) => (n === 6 ? NATIVE : token(n)));
const magnitude = fc.integer({ min: 0, max: 120 }).map((bits) => 2n ** BigInt(bits));
const reserve = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(magnitude, fc.bigInt({ min: 1n, max: 1000n })).map(([m, k]) => m * k) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n ** 255n) },
);
const pool: fc.Arbitrary<PairSpec> = fc.uniqueArray(tokens, { minLength: 2, maxLength: 4 }).chain((list) =>
  fc.record({
    tokens: fc.constant(list),
    reserves: fc.array(reserve, { minLength: list.length, maxLength: list.length }),
    feePpm: fc.constantFrom(0n, 100n, 3000n, 999_999n, 1_000_000n),
    protocol: fc.constantFrom("constant-product", "sampled-product", "broken", "unknown"),
  }),
);

/** A design with answers that no honest pool gives: not a number, infinite, negative, rising prices, exceptions. */
const broken: Protocol = {
  ...constantProduct,
  name: "broken",
  quote: (...[view, p, i, j, amount, side, when]) => {
    if (amount % 3n === 0n) throw new Error("broken pool");
    if (amount % 3n === 1n) return undefined;
    return constantProduct.quote(view, p, i, j, amount, side, when);
  },
  mirror: (...[state, p, when, view]) => {
    const honest = constantProduct.mirror(state as never, p, when, view) as { reserves: number[] };
    if (honest.reserves[0]! % 5 === 0) throw new Error("no mirror");
    return { ...honest, reserves: honest.reserves.map((r) => (r % 7 === 0 ? Number.NaN : r)) };
  },
  curve: (mirror, i, j) => {
    const honest = constantProduct.curve(mirror as never, i, j)!;
    if (i > j) return { ...honest, m: Float64Array.of(Number.POSITIVE_INFINITY), end: -1 };
    return {
      ...honest,
      x: Float64Array.of(0, 1),
      y: Float64Array.of(0, 0),
      m: Float64Array.of(1, 9),
      c: Float64Array.of(0, 0),
    };
  },
  gas: () => Number.NaN,
} as Protocol;

const registry = new Map([...fixtureRegistry, ["broken", broken]]);
const amount = fc.oneof(magnitude, fc.constantFrom(1n, 2n, 10n ** 18n, 2n ** 255n, 2n ** 256n - 1n));

describe("a hostile market", () => {
  const cases = fc.record({
    specs: fc.array(pool, { maxLength: 12 }),
    from: tokens,
    to: tokens,
    amount,
    side: fc.constantFrom("in" as const, "out" as const),
    gasPriceWei: fc.constantFrom(undefined, 0n, 10n ** 9n, 2n ** 200n),
    maxLegs: fc.constantFrom(0, 1, 3, 16),
    maxHops: fc.integer({ min: 1, max: 4 }),
  });

  /** A pool whose sampled curve ends below the order's amount; its output must still be unwrapped. */
  const unwrapped = {
    specs: [
      {
        tokens: [`0x${"3".padStart(40, "0")}`, `0x${"0".repeat(40)}`] as [Address, Address],
        reserves: [1n, 1048576n] as [bigint, bigint],
        feePpm: 0n,
        protocol: "sampled-product",
      },
    ],
    from: `0x${"3".padStart(40, "0")}` as Address,
    to: NATIVE,
    amount: 524288n,
    side: "in" as const,
    gasPriceWei: undefined,
    maxLegs: 0 as const,
    maxHops: 1,
  };

  /** A pool of the native coin and its wrapped form that is not the wrapper. */
  const noWrapper = {
    ...unwrapped,
    specs: [
      {
        tokens: [NATIVE, WRAPPED] as [Address, Address],
        reserves: [2n, 1n] as [bigint, bigint],
        feePpm: 0n,
        protocol: "constant-product",
      },
    ],
    from: WRAPPED,
    to: NATIVE,
    amount: 2n,
    side: "out" as const,
  };

  test("is answered without an exception, with amounts that balance and sell no more than the request", () => {
    fc.assert(
      fc.property(cases, ({ specs, from, to, amount: size, ...more }) => {
        const { engine } = market(specs, registry);
        const result = engine.find(ask(from, to, size, more));
        if (result.kind === "missing") return;
        expectBalanced(result.route);
        const { amountIn, amountOut, steps } = result.route;
        if (more.side === "in") expect(amountIn).toBe(size);
        else expect(amountOut >= size).toBe(true);
        expect(amountOut > 0n).toBe(true);
        if (more.maxLegs > 0) expect(steps.length).toBeLessThanOrEqual(more.maxLegs);
      }),
      { numRuns: 120, examples: [[unwrapped], [noWrapper]] },
    );
  });

  test("gives equal answers to equal requests", () => {
    fc.assert(
      fc.property(cases, ({ specs, from, to, amount: size, ...more }) => {
        const first = market(specs, registry).engine.find(ask(from, to, size, more));
        const again = market(specs, registry).engine.find(ask(from, to, size, more));
        expect(again).toEqual(first);
      }),
      { numRuns: 40 },
    );
  });
});

test("a pool that throws on an amount is left out of that search only, and counted", () => {
  const [a, b] = [token(1), token(2)];
  const { engine, pools } = market(
    [
      { tokens: [a, b], reserves: [10n ** 20n + 1n, 10n ** 20n + 1n], protocol: "throws" },
      { tokens: [a, b], reserves: [10n ** 18n, 10n ** 18n] },
    ],
    new Map([
      ...fixtureRegistry,
      [
        "throws",
        {
          ...constantProduct,
          quote(...asked: Parameters<Protocol["quote"]>) {
            if (asked[4] > 10n ** 14n) throw new Error("a bug");
            return (constantProduct as Protocol).quote(...asked);
          },
        } as Protocol,
      ],
    ]),
  );
  const crossed = (amount: bigint) => {
    const result = engine.find(ask(a, b, amount));
    return result.kind === "found" ? result.route.steps.map(({ pool }) => pool.id) : [];
  };
  const before = crossed(10n ** 12n);
  expect(before).toContain(pools[1]!.id);
  expect(crossed(10n ** 15n)).toEqual([pools[2]!.id]);
  expect(engine.counters().threw).toBeGreaterThan(0);
  expect([...engine.quarantined()]).toEqual([]);
  expect(crossed(10n ** 12n)).toEqual(before);
});

test("the search stops at its deadline with the best so far", () => {
  const { engine } = market([
    { tokens: [token(1), token(2)], reserves: [10n ** 20n, 10n ** 20n] },
    { tokens: [token(1), token(2)], reserves: [10n ** 20n, 10n ** 20n] },
  ]);
  let clock = 0;
  const request = ask(token(1), token(2), 10n ** 19n, { timeoutMs: 5, now: () => clock++ });
  expect(engine.find(request).kind).toBe("found");
  expect(clock).toBeLessThan(40);
});
