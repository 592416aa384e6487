import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address, Chain, Deployment, Pool, Route, Step } from "../../core/types.ts";
import { ALL_Q32, NATIVE } from "../../core/types.ts";
import { hopWeights } from "./flow.ts";
import { summarize, wholePercents } from "./route-summary.ts";

const token = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;

function chainOf(names: readonly string[]): Chain {
  const deployment = (name: string): Deployment => ({
    id: name.toLowerCase(),
    protocol: name === "WETH" ? "wrapped-native" : "uniswap-v2",
    name,
    factory: token(1),
    fromBlock: 0,
    trusted: true,
    facts: {},
    source: "test",
  });
  return {
    id: 1,
    name: "Test",
    shortname: "test",
    native: { symbol: "ETH", name: "Ether", decimals: 18, gasUnit: "gwei" },
    wrappedNative: token(99),
    multicall: token(98),
    blockTimeMs: 1000,
    deployments: names.map(deployment),
  };
}

let serial = 0;
function step(name: string, sold: Address, bought: Address, amounts: readonly [number, number]): Step {
  serial += 1;
  const pool: Pool = {
    id: `pool-${serial}`,
    address: token(1000 + serial),
    protocol: name === "WETH" ? "wrapped-native" : "uniswap-v2",
    deployment: name.toLowerCase(),
    tokens: [sold, bought],
    stateIds: [`pool-${serial}`],
    facts: {},
  };
  const [amountIn, amountOut] = amounts;
  return {
    pool,
    i: 0,
    j: 1,
    shareQ32: ALL_Q32,
    amountIn: BigInt(amountIn),
    amountOut: BigInt(amountOut),
    gas: 1,
  };
}

function routeOf(steps: readonly Step[], amountIn: number): Route {
  const first = steps[0]!;
  const last = steps.at(-1)!;
  return {
    tokenIn: first.pool.tokens[0]!,
    tokenOut: last.pool.tokens[1]!,
    amountIn: BigInt(amountIn),
    amountOut: last.amountOut,
    steps,
  };
}

const [A, B, C, D] = [token(10), token(11), token(12), token(13)];
const shown = (names: readonly string[], route: Route) =>
  summarize(chainOf(names), route).map((entry) => [entry.protocolName, entry.percent]);

describe("summary of a route", () => {
  test("one pool is one entry of 100", () => {
    expect(summarize(chainOf(["Uniswap_V2"]), routeOf([step("Uniswap_V2", A, B, [10, 9])], 10))).toEqual([
      { type: "dex", protocolName: "Uniswap_V2", percent: 100, pools: [expect.any(String)] },
    ]);
  });

  test("a path's share is divided equally among its hops", () => {
    const steps = [step("X", A, B, [10, 9]), step("Y", B, C, [9, 8])];
    expect(shown(["X", "Y"], routeOf(steps, 10))).toEqual([
      ["X", 50],
      ["Y", 50],
    ]);
  });

  test("shares of one DEX are added over paths, ordered by percent", () => {
    const steps = [step("Y", A, C, [25, 20]), step("X", A, B, [75, 70]), step("Y", B, C, [70, 60])];
    expect(shown(["X", "Y"], routeOf(steps, 100))).toEqual([
      ["Y", 63],
      ["X", 37],
    ]);
  });

  test("a token with two inflows mixes them in the paths that leave it", () => {
    // Into B: half by X, half by Y. Out of B: a quarter by Z, the rest by W. Four paths of two hops.
    const steps = [
      step("X", A, B, [50, 50]),
      step("Y", A, B, [50, 50]),
      step("Z", B, C, [25, 25]),
      step("W", B, C, [75, 75]),
    ];
    expect(shown(["X", "Y", "Z", "W"], routeOf(steps, 100))).toEqual([
      ["W", 38],
      ["X", 25],
      ["Y", 25],
      ["Z", 12],
    ]);
  });

  test("paths of unequal length keep the share of the path, not of the hop count", () => {
    const steps = [
      step("X", A, D, [50, 50]),
      step("Y", A, B, [50, 50]),
      step("Z", B, C, [50, 50]),
      step("V", C, D, [50, 50]),
    ];
    expect(shown(["V", "X", "Y", "Z"], routeOf(steps, 100))).toEqual([
      ["X", 50],
      ["V", 17],
      ["Y", 17],
      ["Z", 16],
    ]);
  });

  test("wraps do not count beside a pool, and are the whole route without one", () => {
    const wrap = step("WETH", NATIVE, A, [100, 100]);
    expect(shown(["WETH", "X"], routeOf([wrap, step("X", A, B, [100, 90])], 100))).toEqual([["X", 100]]);
    expect(shown(["WETH"], routeOf([wrap], 100))).toEqual([["WETH", 100]]);
  });

  test("a very small share is shown as 1, which is taken from the largest", () => {
    const steps = [step("Big", A, B, [999_999, 9]), step("Small", A, B, [1, 1])];
    expect(shown(["Big", "Small"], routeOf(steps, 1_000_000))).toEqual([
      ["Big", 99],
      ["Small", 1],
    ]);
  });

  test("ties go by name", () => {
    const steps = ["C", "A", "B"].map((name) => step(name, A, B, [10, 9]));
    expect(shown(["A", "B", "C"], routeOf(steps, 30))).toEqual([
      ["A", 34],
      ["B", 33],
      ["C", 33],
    ]);
  });

  test("more DEXs than percents: the hundred largest are shown", () => {
    const names = Array.from({ length: 130 }, (_, n) => `Dex_${n}`);
    const steps = names.map((name, n) => step(name, A, B, [1000 - n, 1]));
    const total = steps.reduce((sum, each) => sum + Number(each.amountIn), 0);
    const entries = summarize(chainOf(names), routeOf(steps, total));
    expect(entries.length).toBe(100);
    expect(entries.every((entry) => entry.percent === 1)).toBe(true);
  });

  test("a pool of a deployment that the chain does not list throws", () => {
    expect(() => shown(["X"], routeOf([step("Y", A, B, [1, 1])], 1))).toThrow(/unknown deployment/);
  });
});

describe("properties", () => {
  const weights = fc
    .array(fc.nat({ max: 1_000_000_000 }), { minLength: 1, maxLength: 100 })
    .filter((values) => values.some((value) => value > 0));

  test("whole percents: integers ≥ 1 that sum to exactly 100, in the order of the weights", () => {
    fc.assert(
      fc.property(weights, (values) => {
        const percents = wholePercents(values);
        expect(percents.length).toBe(values.length);
        expect(percents.every((percent) => Number.isInteger(percent) && percent >= 1)).toBe(true);
        expect(percents.reduce((sum, percent) => sum + percent, 0)).toBe(100);
      }),
    );
  });

  /** Layers of tokens; each layer's register is emptied by random shares into later layers. */
  const layered = fc.array(
    fc.record({
      ahead: fc.integer({ min: 1, max: 3 }),
      parts: fc.integer({ min: 1, max: 4 }),
      dex: fc.nat(4),
    }),
    { minLength: 1, maxLength: 7 },
  );

  test("any route: every step's weight is ≥ 0, they sum to 1, and the summary sums to 100", () => {
    const names = ["V", "W", "X", "Y", "Z"];
    fc.assert(
      fc.property(layered, (layers) => {
        const route = layeredRoute(layers, names);
        const sum = hopWeights(route, () => true).reduce((total, weight) => total + weight, 0);
        expect(sum).toBeCloseTo(1, 9);
        const entries = summarize(chainOf(names), route);
        expect(entries.length).toBeGreaterThan(0);
        expect(entries.reduce((total, entry) => total + entry.percent, 0)).toBe(100);
        expect(entries.every((entry) => Number.isInteger(entry.percent) && entry.percent >= 1)).toBe(true);
      }),
    );
  });
});

type Layer = { ahead: number; parts: number; dex: number };

function layeredRoute(layers: readonly Layer[], names: readonly string[]): Route {
  const last = layers.length;
  const registers = [1_000_000, ...layers.map(() => 0)];
  const steps: Step[] = [];
  for (const [index, layer] of layers.entries()) {
    for (let part = 0; part < layer.parts; part++) {
      const left = registers[index]!;
      const amount = part === layer.parts - 1 ? left : Math.floor(left / 2);
      if (amount === 0) continue;
      const target = Math.min(last, index + 1 + ((layer.ahead + part) % 3));
      registers[index] = left - amount;
      registers[target]! += amount;
      steps.push(
        step(names[(layer.dex + part) % 5]!, token(10 + index), token(10 + target), [amount, amount]),
      );
    }
  }
  return { ...routeOf(steps, 1_000_000), tokenIn: token(10), tokenOut: token(10 + last) };
}
