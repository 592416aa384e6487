import { describe, expect, test } from "vitest";
import { fillTick, tickCurve, tickSqrtPrice } from "../../core/math/maverick-ticks/maverick-math.ts";
import type { Deployment, Hex, Log } from "../../core/types.ts";
import { answersTo } from "../recorded-pool.fixture.ts";
import { POOL } from "./arbitrary.ts";
import { maverick } from "./index.ts";
import { mirror, quoteFloat } from "./mirror.ts";
import { apply, discover, load, reads, topics, touches } from "./pools.ts";
import { buy, type State, sell } from "./state.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const FACTORY = "0x00000000000000000000000000000000000000fa";
const E18 = 10n ** 18n;

const deployment: Deployment = {
  id: "maverick",
  protocol: "maverick",
  name: "Maverick",
  factory: FACTORY,
  fromBlock: 0,
  trusted: false,
  facts: {},
  source: "test",
};
const created: Log = {
  address: FACTORY,
  topics: [topics[0]!],
  data: words(BigInt(POOL), E18 / 1000n, 50, -3, 3600, 0, 1, 2),
};
const pool = discover(created, deployment)!;

/** Bins by tick and kind; ids are positions in this list, from 1. */
const held = [
  { tick: -4, kind: 0, a: 5n * E18, b: 0n },
  { tick: -3, kind: 0, a: 2n * E18, b: E18 },
  { tick: -3, kind: 3, a: 4n * E18, b: 2n * E18 },
  { tick: 2, kind: 1, a: 0n, b: 7n * E18 },
];

function answer({ data }: { data: Hex }): Hex {
  const argument = (k: number) =>
    Number(BigInt.asIntN(256, BigInt(`0x${data.slice(10 + 64 * k, 74 + 64 * k)}`)));
  switch (data.slice(0, 10)) {
    case "0xddca3f43":
      return words(E18 / 1000n);
    case "0x1865c57d":
      return words(-3, 0, 4, 100);
    case "0x313ce567":
      return words(18);
    case "0xa2ba172f":
      return words(
        held.reduce((bits, { tick, kind }) => {
          const at = tick * 4 + kind - argument(0) * 256;
          return at >= 0 && at < 256 ? bits | (1n << BigInt(at)) : bits;
        }, 0n),
      );
    case "0x83f9c632":
      return words(1 + held.findIndex(({ tick, kind }) => tick === argument(0) && kind === argument(1)));
    default: {
      const bin = held[argument(0) - 1]!;
      return words(bin.a, bin.b, 0, 0, 1, bin.kind, bin.tick);
    }
  }
}

const answersOf = (): Hex[] => answersTo(reads, pool, answer);

const state = load(pool, answersOf()) as State;

describe("reading", () => {
  test("a pool and its bins, in the order of their ticks", () => {
    expect(pool).toMatchObject({ id: POOL, facts: { tickSpacing: 50 } });
    expect(discover({ ...created, address: POOL }, deployment)).toBeUndefined();
    expect(state).toEqual({
      fee: E18 / 1000n,
      protocolFeeRatio: 100n,
      tickSpacing: 50,
      activeTick: -3,
      bins: held.map(({ tick, a, b }) => ({ tick, a, b })),
      scales: [1n, 1n],
      follows: true,
      isSettled: true,
    });
  });

  test.each<[string, number, Hex]>([
    ["fee or getState failed", 1, "0x"],
    ["the fee takes everything", 0, words(E18)],
    ["decimals failed or over 18", 3, words(19)],
    ["binMap failed", 4, "0x"],
    ["binPositions or getBin failed", -1, "0x"],
  ])("refused: %s", (refusal, index, wrong) => {
    expect(load(pool, answersOf().with(index, wrong))).toEqual({ refusal });
  });

  test("where a bin may follow the price, what a swap leaves is read before it is priced again", () => {
    const first = sell(state, 0, E18)!;
    expect(sell(first.next, 1, E18)).toBeUndefined();
    expect(sell({ ...first.next, isSettled: true }, 1, E18)).toBeDefined();
    const still = sell({ ...state, follows: false }, 0, E18)!;
    expect(still.amountOut).toBe(first.amountOut);
    expect(sell(still.next, 1, E18)).toBeDefined();
    expect(still.gas).toBeLessThan(first.gas);
  });

  test("fewer decimals are scaled up to 18 digits", () => {
    expect(load(pool, answersOf().with(2, words(6)))).toMatchObject({ scales: [10n ** 12n, 1n] });
  });

  test("every log of the pool reloads", () => {
    for (const topic of topics.slice(1)) {
      const log: Log = { address: POOL, topics: [topic], data: "0x" };
      expect([touches(log), apply(state, log)]).toEqual([[POOL], "reload"]);
    }
  });
});

describe("swaps", () => {
  test("bins of one tick share by what they hold", () => {
    const next = sell(state, 0, E18 / 10n)!.next;
    expect(next.bins[2]!.b - 2n * next.bins[1]!.b).toBeLessThanOrEqual(2n);
    expect(next.bins[1]!.a + next.bins[2]!.a).toBeLessThan(6n * E18 + E18 / 10n);
    expect(next.bins[0]).toEqual(state.bins[0]);
  });

  test("empty ticks are passed, and the pool's end is no fill", () => {
    const done = sell(state, 0, 6n * E18)!;
    expect(done.next.activeTick).toBe(2);
    expect(done.next.bins[1]!.b + done.next.bins[2]!.b).toBe(0n);
    expect(sell(state, 0, 100n * E18)).toBeUndefined();
    expect(sell(state, 1, 3n * E18)).toMatchObject({ next: { activeTick: -3 } });
  });

  test("no swap ends in a tick where a bin pays nothing, the swap that goes through it fills", () => {
    const still = { ...state, follows: false };
    const empty = { tick: 2, a: 0n, b: 0n };
    const blocked = { ...still, bins: [...still.bins, empty].sort((one, other) => one.tick - other.tick) };
    expect(sell(still, 0, 6n * E18)!.next.activeTick).toBe(2);
    expect(sell(blocked, 0, 6n * E18)).toBeUndefined();
    expect(sell(blocked, 0, E18)).toEqual(
      expect.objectContaining({ amountOut: sell(still, 0, E18)!.amountOut }),
    );
    const beyond = { tick: 4, a: 0n, b: 50n * E18 };
    const [through, same] = [blocked, still].map((one) =>
      sell({ ...one, bins: [...one.bins, beyond] }, 0, 30n * E18),
    );
    expect(through!.next.activeTick).toBe(4);
    expect(through!.amountOut).toBe(same!.amountOut);
    const rows = mirror(blocked);
    expect(quoteFloat(rows, 0, 1, 6e18)).toBe(0);
    expect(quoteFloat(rows, 0, 1, 1e18)).toBeGreaterThan(0);
  });

  test("the pool's own exact output takes what selling takes to pay as much, to a few of 18 digits", () => {
    const still = { ...state, follows: false };
    for (const i of [0, 1]) {
      for (const part of [1n, 7n, 30n]) {
        const sold = sell(still, i, (part * E18) / 10n);
        const bought = sold && buy(still, i, sold.amountOut);
        if (sold === undefined) continue;
        expect(Number(bought!.amountIn - sold.amountIn)).toBeLessThan(1e4);
        expect(Number(sold.amountIn - bought!.amountIn)).toBeLessThan(1e4);
      }
    }
    expect(buy(still, 0, 10n ** 30n)).toBeUndefined();
  });

  test("six decimals pay the same, cut", () => {
    const scaled = { ...state, scales: [1n, 10n ** 12n] as const };
    expect(sell(scaled, 0, E18)!.amountOut).toBe(sell(state, 0, E18)!.amountOut / 10n ** 12n);
  });

  test("a tick's price lies within it, whatever it holds", () => {
    const [lower, upper] = [tickSqrtPrice(50, -3)!, tickSqrtPrice(50, -2)!];
    for (const [a, b] of [
      [1n, 1n],
      [E18, 1n],
      [1n, E18],
      [3n * E18, 2n * E18],
    ] as const) {
      const { sqrtPrice } = tickCurve({ a, b, lower, upper });
      expect(sqrtPrice >= lower - 1n && sqrtPrice <= upper + 1n).toBe(true);
    }
    expect(tickCurve({ a: 0n, b: E18, lower, upper }).sqrtPrice).toBe(lower);
    expect(tickCurve({ a: E18, b: 0n, lower, upper }).sqrtPrice).toBe(upper);
    expect(fillTick({ a: 0n, b: 0n, lower, upper }, true, 5n, 0n)).toMatchObject({
      amountOut: 0n,
      excess: 5n,
    });
  });

  test("prices of ticks end", () => {
    expect(Number(tickSqrtPrice(1, 20_000)) / 1e18).toBeCloseTo(1.0001 ** 10_000, 12);
    expect(tickSqrtPrice(50, 9211)).toBeUndefined();
  });
});

test("the step asks for its input in a callback", () => {
  expect(maverick.encode(pool, state, 0, 1)).toMatchObject({
    kind: 14,
    intake: "callback",
    zeroForOne: true,
  });
});
