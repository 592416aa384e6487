import { describe, expect, test } from "vitest";
import { stableAmountOut } from "../../core/math/pairs/solidly-math.ts";
import type { At, Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { PAIR, subjectOf } from "./arbitrary.ts";
import { solidly } from "./index.ts";
import { apply, discover, load, reads, touches } from "./pools.ts";
import type { State } from "./state.ts";

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const FACTORY = "0x00000000000000000000000000000000000000fa";
const E18 = 10n ** 18n;
const at: At = { blockNumber: 1, timestamp: 1_000_000 };

const deployment: Deployment = {
  id: "aero",
  protocol: "solidly",
  name: "Aero",
  factory: FACTORY,
  fromBlock: 0,
  trusted: false,
  facts: { solver: "nearest", feeCall: "poolAndCurve" },
  source: "test",
};

const created: Log = {
  address: FACTORY,
  topics: [
    "0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e",
    words(1),
    words(2),
    words(1),
  ],
  data: words(BigInt(PAIR), 1),
};

const older: Log = {
  address: FACTORY,
  topics: ["0xc4805696c66d7cf352fc1d6bb633ad5ee82f6cb577c453024b6e0eb8306c6fc9", words(1), words(2)],
  data: words(0, BigInt(PAIR), 1),
};

const pool = discover(created, deployment) as Pool;
const metadata = (...[stable, token1]: readonly number[]) =>
  words(E18, 1_000_000, 5n * E18, 7_000_000, stable ?? 1, 1, token1 ?? 2);

describe("discovery", () => {
  test("both forms of the event", () => {
    expect(pool).toMatchObject({
      id: PAIR,
      facts: { stable: true, feeDenominator: 10_000, factory: FACTORY },
    });
    expect(discover(older, deployment)).toMatchObject({ id: PAIR, facts: { stable: false } });
    expect(discover({ ...created, address: PAIR }, deployment)).toBeUndefined();
  });

  test.each([{ solver: "other" }, { feeCall: "toString" }, { feeDenominator: 0 }])(
    "%o is a wrong record",
    (fact) => {
      const facts = { ...deployment.facts, ...fact };
      expect(() => discover(created, { ...deployment, facts })).toThrow(/deployment aero/);
    },
  );
});

describe("reading", () => {
  test("the calls name the pool and its curve", () => {
    expect(reads(pool, []).map(({ to }) => to)).toEqual([PAIR, FACTORY, FACTORY]);
    expect(reads(pool, [])[1]!.data).toBe(`0xcc56b2c5${word(BigInt(PAIR))}${word(1)}`);
    expect(reads(pool, ["0x"])).toEqual([]);
  });

  test("a state", () => {
    expect(load(pool, [metadata(), words(5), words(0)], at)).toEqual({
      stable: true,
      reserves: [5n * E18, 7_000_000n],
      units: [E18, 1_000_000n],
      solver: "nearest",
      fee: 5n,
      feeDenominator: 10_000n,
      readAt: 1_000_000,
    });
  });

  test.each<[string, Hex[]]>([
    ["metadata or getFee failed", ["0x", words(5), words(0)]],
    ["isPaused failed", [metadata(), words(5), "0x"]],
    ["the factory is paused", [metadata(), words(5), words(1)]],
    ["the pair is of another curve than announced", [metadata(0), words(5), words(0)]],
    ["the pair's tokens are not the announced ones", [metadata(1, 3), words(5), words(0)]],
    ["the fee takes everything", [metadata(), words(10_000), words(0)]],
  ])("refused: %s", (refusal, answers) => {
    expect(load(pool, answers, at)).toEqual({ refusal });
  });
});

describe("events", () => {
  const state = load(pool, [metadata(), words(5), words(0)], at) as State;
  const sync: Log = {
    address: PAIR,
    topics: ["0xcf2aa50876cdfbb541206f89af0ee78d44a2abf8d328e37fa4917f982149848a"],
    data: words(11, 12),
  };
  const fee: Log = {
    address: FACTORY,
    topics: ["0xae468ce586f9a87660fdffc1448cee942042c16ae2f02046b134b5224f31936b", words(BigInt(PAIR))],
    data: words(9),
  };

  test("Sync carries the reserves, SetCustomFee asks for a reading", () => {
    expect([touches(sync), touches(fee)]).toEqual([[PAIR], [PAIR]]);
    expect(apply(state, sync)).toEqual({ ...state, reserves: [11n, 12n] });
    expect(apply(state, fee)).toBe("reload");
  });

  test("an hour makes the fee unfit", () => {
    expect(solidly.stale(state, { ...at, timestamp: at.timestamp + 3600 })).toBe(false);
    expect(solidly.stale(state, { ...at, timestamp: at.timestamp + 3601 })).toBe(true);
  });
});

describe("edges of the stable curve", () => {
  const units = [E18, E18] as const;

  test("reserves whose k overflows are refused, not priced", () => {
    const reserves = [10n ** 30n, 10n ** 30n] as const;
    for (const solver of ["unit", "nearest", "nearestPlain"] as const)
      expect(stableAmountOut({ reserves: [reserves[0] ** 2n, 1n], units, solver }, 0, E18)).toBeUndefined();
  });

  test("a pair that cannot move reverts in all solvers", () => {
    for (const solver of ["unit", "nearest", "nearestPlain"] as const)
      expect(stableAmountOut({ reserves: [1n, 1n], units, solver }, 0, 1n)).toBeUndefined();
  });

  test("a swap that its own check of k would refuse is not quoted", () => {
    const state: State = {
      ...(load(pool, [metadata(), words(0), words(0)], at) as State),
      reserves: [1000n * E18, 1000n * E18],
      units,
      solver: "unit",
    };
    const { states, pool: held } = subjectOf(state);
    const fills = Array.from({ length: 200 }, (_, k) =>
      solidly.quote(states, held, 0, 1, 10n ** 15n + BigInt(k), "in", at),
    );
    const k = (r: readonly bigint[]) => (r[0]! * r[1]! * (r[0]! ** 2n + r[1]! ** 2n)) / E18 ** 3n;
    for (const fill of fills.filter((one) => one !== undefined))
      expect(k((fill.writes[0]![1] as State).reserves)).toBeGreaterThanOrEqual(k(state.reserves) - 10n);
    expect(fills.some((fill) => fill !== undefined)).toBe(true);
  });
});
