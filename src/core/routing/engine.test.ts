import { describe, expect, test } from "vitest";
import type { Protocol } from "../protocol.ts";
import { NATIVE, type Pool } from "../types.ts";
import { createEngine } from "./engine.ts";
import {
  ask,
  at,
  constantProduct,
  expectBalanced,
  fixtureRegistry,
  market,
  NINE,
  token,
  WRAPPED,
} from "./market.fixture.ts";
import type { RouteFound, RouteResult } from "./types.ts";

const E18 = 10n ** 18n;
const A = token(1);
const B = token(2);
const C = token(3);

function found(result: RouteResult): RouteFound {
  if (result.kind !== "found") throw new Error(`no route: ${result.reason}`);
  return result;
}

describe("a single pool", () => {
  const { engine } = market([{ tokens: [A, B], reserves: [1000n * E18, 2000n * E18] }]);

  test("pays what the contract's formula says", () => {
    const { route, gas, spotPrice } = found(engine.find(ask(A, B, E18)));
    expect(route.amountOut).toBe(
      (E18 * 997_000n * 2000n * E18) / (1000n * E18 * 1_000_000n + E18 * 997_000n),
    );
    expect(route.steps).toHaveLength(1);
    expect(gas).toBe(60_000);
    expect(spotPrice).toBeCloseTo(1.994, 9);
  });

  test("buys an exact amount for the least that is enough", () => {
    const { route } = found(engine.find(ask(A, B, E18, { side: "out" })));
    expect(route.amountOut).toBeGreaterThanOrEqual(E18);
    const less = found(engine.find(ask(A, B, route.amountIn - 1n)));
    expect(less.route.amountOut).toBeLessThan(E18);
  });

  test("says why an exact amount out cannot be bought, and the largest that can", () => {
    const result = engine.find(ask(A, B, 2001n * E18, { side: "out" }));
    expect(result).toMatchObject({ kind: "missing", reason: "too-deep" });
    const largest = result.kind === "missing" ? result.largestAmount : undefined;
    expect(largest).toBeGreaterThan(1999n * E18);
    expect(largest).toBeLessThan(2000n * E18);
  });
});

describe("a pool of four coins", () => {
  const four = [A, B, C, token(4)];
  const specs = [
    { tokens: four, reserves: [1000n * E18, 1000n * E18, 1000n * E18, 1000n * E18] },
    { tokens: [A, B], reserves: [20_000n * E18, 20_000n * E18] },
    { tokens: [A, C], reserves: [20_000n * E18, 20_000n * E18] },
  ];
  const { engine } = market(specs);

  test("is sold three coins for the fourth as a joint node, and the bound is tight", () => {
    const { route, optimality } = found(engine.find(ask(A, token(4), 600n * E18)));
    expect(route.steps.filter(({ pool }) => pool.tokens.length === 4)).toHaveLength(3);
    expect(optimality.upperBound).not.toBeNull();
    expect("gapBps" in optimality && optimality.gapBps).toBeLessThan(0.2);
    expectBalanced(route);
  });

  test("has a joint node for one search only: repeated searches use no more memory and answer alike", () => {
    const order = () => found(engine.find(ask(A, token(4), 600n * E18))).route.amountOut;
    const first = order();
    const bytes = engine.graphBytes();
    for (let k = 0; k < 100; k++) expect(order()).toBe(first);
    expect(engine.graphBytes()).toBe(bytes);
  });

  test.each([1, 2, 3])("is left out of the search if its joint throws from call %i on", (time) => {
    let drawn = 0;
    const failing: Protocol = {
      ...(constantProduct as Protocol),
      name: "failing",
      joint(...asked) {
        if (++drawn >= time) throw new Error("no joint");
        return (constantProduct as Protocol).joint(...asked);
      },
    };
    const others = [...specs.slice(1), { tokens: [A, token(4)], reserves: [10n * E18, 10n * E18] }];
    const partly = market(
      [{ ...specs[0]!, protocol: failing.name }, ...others],
      new Map([...fixtureRegistry, [failing.name, failing]]),
    );
    expectBalanced(found(partly.engine.find(ask(A, token(4), 600n * E18))).route);
    expect(partly.engine.counters().threw).toBeGreaterThan(0);
    expect(partly.engine.quarantined().size).toBe(0);
  });
});

describe("splits", () => {
  const { engine } = market([
    { tokens: [A, B], reserves: [1000n * E18, 1000n * E18] },
    { tokens: [A, B], reserves: [3000n * E18, 3000n * E18] },
    { tokens: [A, C], reserves: [2000n * E18, 2000n * E18] },
    { tokens: [C, B], reserves: [2000n * E18, 2000n * E18] },
  ]);

  test("a large amount is split over all pools, and nothing is left over", () => {
    const { route } = found(engine.find(ask(A, B, 500n * E18)));
    expect(route.steps).toHaveLength(4);
    const sold = route.steps.filter((step) => step.pool.tokens[step.i] === A);
    expect(sold.reduce((sum, step) => sum + step.amountIn, 0n)).toBe(500n * E18);
    const single = found(engine.find(ask(A, B, 500n * E18, { maxLegs: 1 })));
    expect(route.amountOut).toBeGreaterThan(single.route.amountOut);
  });

  test("with gas a small amount crosses one pool only", () => {
    const priced = market([
      { tokens: [A, B], reserves: [1000n * E18, 1000n * E18] },
      { tokens: [A, B], reserves: [3000n * E18, 3000n * E18] },
      { tokens: [WRAPPED, B], reserves: [1000n * E18, 1000n * E18] },
    ]);
    const request = ask(A, B, E18, { gasPriceWei: 1_000_000_000_000n });
    expect(found(priced.engine.find(request)).route.steps).toHaveLength(1);
    const free = found(priced.engine.find(ask(A, B, E18)));
    expect(free.route.steps.length).toBeGreaterThan(1);
  });

  test("a fork whose crossings need more gas than its design says pays for it", () => {
    const { pools, view } = market([
      { tokens: [A, B], reserves: [1000n * E18, 1000n * E18] },
      { tokens: [A, B], reserves: [1000n * E18, 1001n * E18] },
      { tokens: [WRAPPED, B], reserves: [1000n * E18, 1000n * E18] },
    ]);
    const [, plain, fork] = pools.map((pool) => pool.id);
    const pool = { ...pools[2]!, deployment: "fork" };
    const routed = (gasPermille: number, allows: (id: string) => boolean) => {
      const chain = { wrappedNative: WRAPPED, deployments: [{ id: "fork", gasPermille }] };
      const engine = createEngine(fixtureRegistry, chain);
      engine.patch({ pools: pools.with(2, pool), removed: [] }, view, at);
      const gasPriceWei = 50_000_000_000n;
      const request = ask(A, B, E18, { gasPriceWei, maxLegs: 1, allows: ({ id }) => allows(id) });
      const { route, gas, optimality } = found(engine.find(request));
      expect(optimality).toMatchObject({ gasCost: BigInt(gas) * gasPriceWei });
      return { ids: route.steps.map((step) => step.pool.id), gas, sum: route.steps[0]!.gas };
    };
    expect(routed(1000, () => true)).toEqual({ ids: [fork], gas: 60_000, sum: 60_000 });
    expect(routed(2500, () => true)).toEqual({ ids: [plain], gas: 60_000, sum: 60_000 });
    expect(routed(2500, (id) => id === fork)).toEqual({ ids: [fork], gas: 150_000, sum: 150_000 });
  });

  test("an amount worth less than its gas is still answered", () => {
    const priced = market([
      { tokens: [A, B], reserves: [1000n * E18, 1000n * E18] },
      { tokens: [WRAPPED, B], reserves: [1000n * E18, 1000n * E18] },
    ]);
    const request = ask(A, B, 1_000n, { gasPriceWei: 1_000_000_000n });
    expect(found(priced.engine.find(request)).route.amountOut).toBeGreaterThan(0n);
  });
});

test("a route crosses allowed pools only, for every subset of allowed pools", () => {
  const { engine, pools } = market(NINE);
  let routed = 0;
  for (let open = 1; open < 2 ** NINE.length; open++) {
    const allows = (pool: Pool) => ((open >> (pools.indexOf(pool) - 1)) & 1) === 1;
    const result = engine.find(ask(A, B, 200n * E18, { allows }));
    if (result.kind === "missing") continue;
    routed++;
    expect(result.route.steps.filter(({ pool }) => !allows(pool))).toEqual([]);
  }
  expect(routed).toBeGreaterThan(300);
});

describe("the native coin", () => {
  const { engine } = market([
    { tokens: [WRAPPED, A], reserves: [1000n * E18, 1000n * E18] },
    { tokens: [NATIVE, A], reserves: [2000n * E18, 2000n * E18] },
    { tokens: [A, B], reserves: [1000n * E18, 1000n * E18] },
    { tokens: [NATIVE, B], reserves: [10n * E18, 10n * E18] },
  ]);

  test("wraps and unwraps unit for unit", () => {
    expect(found(engine.find(ask(NATIVE, WRAPPED, 5n))).route.amountOut).toBe(5n);
    expect(found(engine.find(ask(WRAPPED, NATIVE, 5n))).route.steps).toHaveLength(1);
  });

  test.each([
    [NATIVE, A],
    [WRAPPED, A],
    [A, NATIVE],
    [A, WRAPPED],
    [B, A],
    [WRAPPED, B],
  ])("%s to %s uses pools of both forms, with one wrap at most", (from, to) => {
    const { route } = found(engine.find(ask(from, to, 100n * E18)));
    const wraps = route.steps.filter((step) => step.pool.protocol === "wrapper");
    expect(wraps.length).toBeLessThanOrEqual(1);
    expectBalanced(route);
  });
});

test("a token is priced along its widest chain of pools", () => {
  const { engine } = market([
    { tokens: [WRAPPED, A], reserves: [1000n * E18, 2000n * E18] },
    { tokens: [A, B], reserves: [1000n * E18, 4000n * E18] },
    { tokens: [WRAPPED, B], reserves: [E18, 1000n * E18] },
  ]);
  expect(engine.nativePer(NATIVE)).toBe(1);
  expect(engine.nativePer(A)).toBeCloseTo(0.5, 12);
  expect(engine.nativePer(B)).toBeCloseTo(0.125, 12);
  expect(engine.nativePer(C)).toBeUndefined();
  expect(engine.depthNative(A) / 1e21).toBeCloseTo(1, 9);
});

test("gives the reason why nothing routes", () => {
  const { engine } = market([
    { tokens: [A, B], reserves: [1000n * E18, 1000n * E18] },
    { tokens: [C, token(4)], reserves: [1000n * E18, 1000n * E18] },
  ]);
  expect(engine.find(ask(A, token(9), E18))).toMatchObject({ reason: "unknown-token" });
  expect(engine.find(ask(A, C, E18))).toMatchObject({ reason: "no-path" });
  expect(engine.find(ask(A, B, E18, { allows: () => false }))).toMatchObject({ reason: "excluded" });
  expect(engine.find(ask(A, B, 1n))).toMatchObject({ reason: "too-small" });
  expect(engine.find(ask(A, B, 2n ** 255n))).toMatchObject({ reason: "too-deep" });
});

test("a patched pool is priced by its new state, a removed one not at all", () => {
  const { engine, pools, states, view } = market([{ tokens: [A, B], reserves: [E18, E18] }]);
  const before = found(engine.find(ask(A, B, 10n ** 15n))).route.amountOut;
  const pool = pools[1]!;
  states.set(pool.id, { reserves: [E18, 2n * E18], feePpm: 3000n });
  engine.patch({ pools: [pool], removed: [] }, view, at);
  expect(found(engine.find(ask(A, B, 10n ** 15n))).route.amountOut).toBeGreaterThan(before);
  engine.patch({ pools: [], removed: [pool.id] }, view, at);
  expect(engine.find(ask(A, B, 10n ** 15n))).toMatchObject({ kind: "missing", reason: "no-path" });
});
