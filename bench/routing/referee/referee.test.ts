import { beforeAll, describe, expect, test } from "vitest";
import type { Protocol, Registry } from "../../../src/core/protocol.ts";
import { benchRegistry } from "../market/gas.ts";
import type { Market } from "../market/market.ts";
import { makeBoard } from "../orders/board.ts";
import { bracket } from "./bracket.ts";
import { refereeCase } from "./cases.ts";
import { makePrograms, type Program } from "./program.ts";
import { refereeAll, refereeFaults, refereeTable } from "./report.ts";
import { referee } from "./verdict.ts";

const COUNT = 6;
const LOWERED = 1 - 1e-5;
const RANDOM = Math.floor(Math.random() * 2 ** 32);

let newProgram: () => Program;
beforeAll(async () => {
  newProgram = await makePrograms();
});

describe.each([1, 2, 3, RANDOM])("seed %i", (seed) => {
  test("answers and bounds are within what the referee brackets", async () => {
    const verdicts = await refereeAll([seed], COUNT);
    expect(refereeFaults(verdicts)).toEqual([]);
    // The solver errs in about one case of a hundred; two of six are no chance.
    expect(verdicts.filter(({ undecided }) => undecided !== undefined).length).toBeLessThanOrEqual(1);
    for (const { bracket, undecided } of verdicts) {
      if (undecided === undefined) expect(bracket.widthBp).toBeLessThanOrEqual(0.01);
      expect(bracket.edges).toBeLessThanOrEqual(25);
      expect(bracket.edges).toBeGreaterThan(15);
    }
    expect(refereeTable(verdicts)).toMatch(/\| all +\| +6 \|/);
  });
});

test("a program that the solver cannot solve leaves a case undecided, and is no fault", () => {
  const unsolved = (): Program => ({ ...newProgram(), solve: () => undefined });
  const { undecided, faults } = referee({ newProgram: unsolved }, refereeCase(1, 0));
  expect({ undecided, faults }).toEqual({ undecided: "the bracket is Infinity bp wide", faults: [] });
});

test("a circle of pools that the order does not reach is no route, and its gain no fault of a bound on routes", () => {
  const { faults, undecided, bracket, result } = referee({ newProgram }, refereeCase(70064, 7));
  expect(bracket.inner).toBeGreaterThan(Number(result.netBound));
  expect({ faults, undecided }).toEqual({ faults: [], undecided: undefined });
});

/** What the search sees of every pool is a little less than it pays. */
function lowered(market: Market): Registry {
  return new Map(
    [...benchRegistry(market)].map(([name, design]): [string, Protocol] => [
      name,
      {
        ...design,
        curve: (mirror, i, j) => {
          const curve = design.curve(mirror, i, j);
          const lower = (values: Iterable<number>) => Array.from(values, (value) => value * LOWERED);
          return curve && { ...curve, y: lower(curve.y), m: lower(curve.m) };
        },
        quoteFloat: (mirror, i, j, x) => design.quoteFloat(mirror, i, j, x) * LOWERED,
      },
    ]),
  );
}

/** Cases in which the engine proves its answer to within less than the faults that are planted. */
const TIGHT = [11, 13, 16, 19];

describe("a planted fault is caught:", () => {
  test.each(TIGHT)("curves that are lower by 1e-5, case %i", (n) => {
    expect(referee({ newProgram }, refereeCase(1, n)).faults).toEqual([]);
    const { faults } = referee({ newProgram, registryOf: lowered }, refereeCase(1, n));
    expect(faults.join("\n")).toMatch(/withdrew a bound|can be netted|can be paid/);
  });

  test.each(TIGHT)("bounds that are lower by 1e-5, case %i", (n) => {
    const lower = (bound: string) => String((BigInt(bound) * 99_999n) / 100_000n);
    const { faults } = referee(
      {
        newProgram,
        change: (result) => ({ ...result, bound: lower(result.bound!), netBound: lower(result.netBound!) }),
      },
      refereeCase(1, n),
    );
    expect(faults.join("\n")).toMatch(/can be netted/);
  });

  test("an answer that nets more than is possible", () => {
    const more = (amount: string) => String((BigInt(amount) * 100_001n) / 100_000n + 2n);
    const { faults } = referee(
      {
        newProgram,
        change: (result) => ({ ...result, amountOut: more(result.amountOut!), bound: more(result.bound!) }),
      },
      refereeCase(1, 16),
    );
    expect(faults.join("\n")).toMatch(/is possible/);
  });

  test("an order that proves nothing", () => {
    const { faults } = referee(
      { newProgram, change: (result) => ({ ...result, bound: null, reason: "planted" }) },
      refereeCase(1, 16),
    );
    expect(faults).toEqual(["nothing is proved: planted"]);
  });
});

test("the best of two parallel pools is what their formula says", () => {
  const address = (n: number) => `0x${n.toString(16).padStart(40, "0")}` as const;
  const { market } = refereeCase(1, 0);
  const reserves = [1000n, 3000n].map((depth) => [depth * 10n ** 18n, depth * 10n ** 18n]);
  const tokens = [address(1), address(2)];
  const pools = reserves.map((_, k) => ({
    ...market.pools[0]!,
    id: address(9 + k),
    tokens,
    protocol: "uniswap-v2",
  }));
  const states = new Map(pools.map(({ id }, k) => [id, { reserves: reserves[k], feePpm: 0 }]));
  const board = makeBoard({ ...market, pools: pools as never, states });
  const order = { from: 0, to: 1, amount: 400e18, maxLegs: 16, gasOut: 0 };
  const both = (400 * 4000) / 4400;
  const { outer, inner } = bracket(newProgram, board, order);
  expect(outer / 1e18).toBeGreaterThanOrEqual(both);
  expect(inner / 1e18).toBeLessThanOrEqual(both);
  expect((outer - inner) / 1e18).toBeLessThan(400 * 1e-6);
  const one = bracket(newProgram, board, { ...order, maxLegs: 1 });
  expect(one.outer / 1e18).toBeCloseTo((400 * 3000) / 3400, 3);
  // A leg of 60,000 gas that costs 30 tokens is worth more than what the second pool adds.
  const gas = bracket(newProgram, board, { ...order, gasOut: 30e18 / 60_000 });
  expect(gas.inner / 1e18).toBeCloseTo((400 * 3000) / 3400 - 30, 3);
});
