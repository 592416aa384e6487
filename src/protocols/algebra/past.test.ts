import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Call, Hex } from "../../core/types.ts";
import { feesOfV1 } from "./adaptive-fee.ts";
import { CONFIG, historyOf, type Move, moves, pastOf } from "./arbitrary.ts";
import recorded from "./fees-v1.json" with { type: "json" };
import { averages, type History, isOld, last, RING, type Timepoint, WINDOW, written } from "./history.ts";
import { ANY_VOLUME, feesIn, isStale, type Past, settled, told, traded } from "./past.ts";
import { progressOf, readFeeSource } from "./past-reads.ts";

const limits = { numRuns: 100 };
const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const START = 1_700_000_000;

describe("what v1's own contract answered", () => {
  test.each(recorded.histories.map((history, k) => [k, history] as const))(
    "fees of history %i",
    (_k, told) => {
      const { config, firstTick } = told;
      const first = { ...pastOf(historyOf("v1", firstTick, [])).history.newest[0]!, tick: 0 };
      let history: History = {
        ...{ generation: "v1", lastIndex: 0, newest: [first], windowIndex: 0, window: [first] },
      };
      for (const [seconds, tick, volume, fee] of told.rows as [number, number, string, number][]) {
        const time = last(history).timestamp + seconds;
        history = written(history, { time, tick, volume: BigInt(volume) })!;
        const found = averages(history)!;
        expect(feesOfV1(config, found.volatility)(found.volume >> 57n)).toBe(fee);
      }
    },
  );

  test("volume over liquidity", () => {
    const past = pastOf(historyOf("v1", 0, []));
    for (const [liquidity, a, b, volume] of recorded.volumes as [string, string, string, string][])
      expect(traded(past, [BigInt(a), BigInt(b)], BigInt(liquidity)).pending).toBe(BigInt(volume));
  });
});

test("a history is old from the block on whose window it was there for", () => {
  const after = (seconds: number) => isOld(historyOf("v1", 0, [{ seconds, by: 1, volume: 0n }]));
  expect([after(WINDOW - 1), after(WINDOW)]).toEqual([false, true]);
  expect(isOld(historyOf("v1", 0, []))).toBe(false);
});

/** Answers of a contract with these timepoints in its ring, the newest at `lastIndex`. */
function ringOf(points: readonly Timepoint[], lastIndex: number): (call: Call) => Hex {
  const at = new Map(points.map((point, k) => [(lastIndex - points.length + 1 + k + RING) % RING, point]));
  return ({ data }) => {
    if (data === "0x1e5eb1d0") return words(2900, 12_000, 360, 60_000, 59, 8500, 100);
    if (data === "0x0f28c97d") return words(points.at(-1)!.timestamp + 5);
    const point = at.get(Number(BigInt(`0x${data.slice(10)}`)));
    if (point === undefined) return words(0, 1, 0, 0, 0, 0, 0);
    const { timestamp, tickCumulative, volatilityCumulative, tick, averageTick } = point;
    return words(1, timestamp, tickCumulative, volatilityCumulative, tick, averageTick, 0);
  };
}

function readOf(answer: (call: Call) => Hex, lastIndex: number) {
  const answers: Hex[] = [];
  for (let rounds = 0; ; rounds++) {
    const operator = { address: "0x01", generation: "v2", directional: false, lastIndex } as const;
    const progress = progressOf(readFeeSource(operator), answers);
    if ("value" in progress) return { value: progress.value, rounds };
    answers.push(...progress.calls.map(answer));
  }
}

/** `count` timepoints, `apart` seconds from each other; their contents do not matter to the search. */
function pointsOf(count: number, apart: number): Timepoint[] {
  return Array.from({ length: count }, (_, k) => ({
    ...{ timestamp: START + k * apart + (k % 3), tick: k % 7, averageTick: 0 },
    ...{ tickCumulative: BigInt(k), volatilityCumulative: BigInt(k), volumeCumulative: 0n },
  }));
}

describe("reading", () => {
  const rings = fc.record({
    count: fc.oneof(
      { arbitrary: fc.integer({ min: 1, max: 300 }), weight: 5 },
      { arbitrary: fc.constant(RING), weight: 1 },
    ),
    apart: fc.integer({ min: 4, max: 5000 }),
    shift: fc.nat({ max: RING - 1 }),
  });

  test("the window begins with the last timepoint that is a day old, wherever the ring begins", () => {
    fc.assert(
      fc.property(rings, ({ count, apart, shift }) => {
        const points = pointsOf(count, apart);
        // A ring that is not full starts at 0.
        const lastIndex = count < RING ? count - 1 : shift;
        const { value, rounds } = readOf(ringOf(points, lastIndex), lastIndex);
        if (!("history" in value)) throw new Error(JSON.stringify(value));
        const { window, windowIndex, newest } = value.history;
        const target = points.at(-1)!.timestamp + 5 - WINDOW;
        const start = Math.max(
          0,
          points.findLastIndex(({ timestamp }) => timestamp <= target),
        );
        const ahead = [64, 192, 448].find((n) => (points[start + n - 1]?.timestamp ?? 0) > target + 3600);
        expect(window).toEqual(points.slice(start, start + (start + 64 >= count ? 64 : (ahead ?? 448))));
        expect(windowIndex).toBe((lastIndex - count + 1 + start + RING) % RING);
        expect(newest).toEqual(points.slice(-2));
        expect(rounds).toBeLessThanOrEqual(8);
      }),
      { ...limits, numRuns: 30 },
    );
  });

  test("a configuration without height needs no history, one timepoint that fails refuses the pool", () => {
    const answer = ringOf(pointsOf(200, 900), 199);
    const flat = (call: Call) => (call.data === "0x1e5eb1d0" ? words(0, 0, 1, 1, 1, 1, 250) : answer(call));
    expect(readOf(flat, 199).value).toEqual({ fees: [250, 250] });
    const broken = (index: number) => (call: Call) =>
      call.data.endsWith(word(index)) && call.data.startsWith("0x74eceae6") ? "0x" : answer(call);
    for (const index of [199, 120, 104])
      expect(readOf(broken(index), 199).value).toEqual({ refusal: "timepoints failed" });
    const timeless = (call: Call): Hex => (call.data === "0x0f28c97d" ? "0x" : answer(call));
    expect(readOf(timeless, 199).value).toEqual({ refusal: "the time of the reading is not known" });
  });
});

type Pool = {
  readonly tick: number;
  readonly feePpm: number;
  readonly feeOneToZeroPpm: number;
  readonly past: Past;
};

const poolOf = (past: Past, tick: number): Pool => ({ tick, feePpm: 0, feeOneToZeroPpm: 0, past });

describe("v1's volume, which no call reads", () => {
  /** The same pool with full knowledge, and as read with the volume of its last block unknown. */
  function twins(before: readonly Move[], unread: bigint) {
    const past = pastOf(historyOf("v1", 0, before));
    return {
      real: poolOf({ ...past, pending: unread }, 0),
      seen: poolOf({ ...past, slack: ANY_VOLUME }, 0),
    };
  }

  const cases = fc.tuple(
    moves,
    fc.bigInt(0n, 2n ** 62n),
    fc.array(
      fc.record({ seconds: fc.integer({ min: 1, max: 9000 }), by: fc.integer({ min: -900, max: 900 }) }),
      { minLength: 3, maxLength: 40 },
    ),
  );

  test("is narrowed by the fees that follow: a fee is either right or not told", () => {
    let known = 0;
    fc.assert(
      fc.property(cases, ([before, unread, after]) => {
        let { real, seen } = twins(before, unread);
        for (const { seconds, by } of after) {
          const time = last(real.past.history).timestamp + seconds;
          real = settled(real, time)!;
          const guess = settled(seen, time);
          if (guess !== undefined) expect(guess.feePpm).toBe(real.feePpm);
          if (guess !== undefined && real.feePpm > 100) known++;
          seen = told(seen, feesIn(real), time) as Pool;
          expect(seen).not.toBe("reload");
          const amounts = [10n ** 17n, 10n ** 17n] as const;
          const liquidity = 10n ** 18n;
          real = { ...real, tick: by, past: traded(real.past, amounts, liquidity) };
          seen = { ...seen, tick: by, past: traded(seen.past, amounts, liquidity) };
        }
      }),
      limits,
    );
    expect(known).toBeGreaterThan(100);
  });

  test("a fee that no volume explains is of another configuration", () => {
    const { seen } = twins([{ seconds: 60, by: 500, volume: 0n }], 0n);
    const time = last(seen.past.history).timestamp + 60;
    expect(told(seen, [20_000, 20_000], time)).toBe("reload");
    expect(told(seen, [99, 99], time)).toBe("reload");
  });
});

test("v2: a fee is what follows, and the same block keeps it", () => {
  const past = pastOf(historyOf("v2", 0, [{ seconds: 3600, by: 700, volume: 0n }]));
  const time = last(past.history).timestamp;
  const moved = settled(poolOf(past, 1500), time + 60)!;
  expect(moved.feePpm).toBeGreaterThan(CONFIG.baseFee);
  const another = [moved.feePpm + 1, moved.feePpm + 1] as const;
  expect(told(poolOf(past, 1500), feesIn(moved), time + 60)).toEqual(moved);
  expect(told(poolOf(past, 1500), another, time + 60)).toBe("reload");
  expect(settled({ ...moved, tick: -9 }, time + 60)).toEqual({ ...moved, tick: -9 });
  expect(told(moved, feesIn(moved), time + 60)).toBe(moved);
  expect(told(moved, another, time + 60)).toBe("reload");
});

test("what was read of the window's start runs out, and a configuration may be another after an hour", () => {
  const points = pointsOf(200, 900);
  const { value } = readOf(ringOf(points, 199), 199);
  if (!("history" in value)) throw new Error("not read");
  const past: Past = { ...pastOf(value.history), configs: value.configs };
  const end = value.history.window.at(-1)!.timestamp + WINDOW;
  expect([isStale({ ...past, readAt: end }, end), isStale({ ...past, readAt: end }, end + 1)]).toEqual([
    false,
    true,
  ]);
  expect(settled(poolOf(past, 3), end)).toBeDefined();
  expect(settled(poolOf(past, 3), end + 1)).toBeUndefined();
  const { timestamp } = last(value.history);
  const idle = timestamp + WINDOW;
  // After a day without a change only the newest timepoint matters.
  expect([idle - 1, idle].map((time) => settled(poolOf(past, 3), time) !== undefined)).toEqual([false, true]);
  expect(isStale({ ...past, readAt: idle }, idle)).toBe(false);
  const fresh = { ...past, readAt: timestamp };
  expect([isStale(fresh, timestamp + 3600), isStale(fresh, timestamp + 3601)]).toEqual([false, true]);
});
