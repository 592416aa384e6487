import { describe, expect, test } from "vitest";
import type { Deployment, Hex, Log } from "../../core/types.ts";
import { answersTo } from "../recorded-pool.fixture.ts";
import { POOL } from "./arbitrary.ts";
import bytecode from "./bytecode-swaps.json" with { type: "json" };
import { iziswap } from "./index.ts";
import { curve, mirror, quoteFloat } from "./mirror.ts";
import { load, reads } from "./reads.ts";
import type { Mark, State } from "./state.ts";
import { swap } from "./swap.ts";
import { limitOf, trade } from "./trade.ts";

const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
const words = (...values: readonly (bigint | number)[]): Hex => `0x${values.map(word).join("")}`;
const FACTORY = "0x00000000000000000000000000000000000000fa";
const E18 = 10n ** 18n;
const at = { blockNumber: 1, timestamp: 1 };

const deployment: Deployment = {
  ...{ id: "iziswap", protocol: "iziswap", name: "IZiSwap", factory: FACTORY, fromBlock: 0, trusted: false },
  ...{ facts: {}, source: "test" },
};
const [NEW_POOL, SWAP, ...otherTopics] = iziswap.topics as readonly [Hex, Hex, ...Hex[]];
const created: Log = {
  address: FACTORY,
  topics: [NEW_POOL, words(1), words(2), words(400)],
  data: words(8, BigInt(POOL)),
};
const pool = iziswap.discover(created, deployment)!;

const order = (point: number, sellsX: bigint, sellsY: bigint): Mark => ({
  ...{ point, isEndpoint: false, delta: 0n, sellsX, sellsY },
});
const end = (point: number, delta: bigint): Mark => ({
  point,
  isEndpoint: true,
  delta,
  sellsX: 0n,
  sellsY: 0n,
});

/** Price 1 at point 0, liquidity from -80 to 80, orders of Y at -40 and of X at 40, and an order of Y far below. */
const state: State = {
  ...{ feePpm: 400, spacing: 8, point: 0, liquidity: E18, liquidityX: E18 / 4n },
  ...{ lowest: -887_272, highest: 887_272 },
  marks: [
    order(-8_000, 0n, 5n * E18),
    end(-80, E18),
    order(-40, 0n, 3n * E18),
    order(40, 2n * E18, 0n),
    end(80, -E18),
  ],
};

function answer({ data }: { data: Hex }): Hex {
  const argument = Number(BigInt.asIntN(256, BigInt(`0x${data.slice(10, 74) || "0"}`)));
  const mark = state.marks.find(({ point }) => point === argument);
  switch (data.slice(0, 10)) {
    case "0xc19d93fb":
      return words(2n ** 96n, 0, 0, 1, 1, 0, state.liquidity, state.liquidityX);
    case "0xddca3f43":
      return words(400);
    case "0x58c51ce6":
      return words(8);
    case "0x98a0f72e": {
      const bits = state.marks.filter(({ point }) => Math.floor(point / 8) >> 8 === argument);
      return words(bits.reduce((sum, { point }) => sum | (1n << BigInt((point / 8) & 255)), 0n));
    }
    case "0x75c0e0d5":
      return words(E18, mark!.delta, 0, 0, mark!.isEndpoint ? 1 : 0);
    default:
      return words(mark!.sellsX, 0, 0, 0, 0, mark!.sellsY, 0, 0, 0, 0);
  }
}

const answersOf = (): Hex[] => answersTo(reads, pool, answer);

describe("reading", () => {
  test("a pool, its bitmap, and liquidity and orders of the points whose bits are set", () => {
    expect(pool).toMatchObject({ id: POOL, facts: { feePpm: 400, spacing: 8 } });
    expect(iziswap.discover({ ...created, address: POOL }, deployment)).toBeUndefined();
    expect(load(pool, answersOf())).toEqual(state);
  });

  test("by pair, with the spacing that the pool states", () => {
    const source = iziswap.byPair(deployment)!;
    const [x, y] = pool.tokens as readonly [Hex, Hex];
    expect(source.keys).toContain(400);
    expect(source.details(words(BigInt(POOL)))).toEqual([{ to: POOL, data: "0x58c51ce6" }]);
    expect(source.poolOf([x, y], words(BigInt(POOL)), 400, [words(8)])).toEqual(pool);
    expect(source.poolOf([x, y], words(BigInt(POOL)), 400, ["0x"])).toBeUndefined();
  });

  test.each<[string, number, Hex]>([
    ["state, fee or pointDelta failed", 0, "0x"],
    ["state, fee or pointDelta failed", 2, "0x"],
    ["the pool states another fee or spacing than its factory", 1, words(500)],
    ["price, point and liquidity disagree", 0, words(2n ** 96n + 1n, 0, 0, 1, 1, 0, E18, 0)],
    ["liquidity is not its points' sum", 0, words(2n ** 96n, 0, 0, 1, 1, 0, 2n * E18, 0)],
    ["the point bitmap failed", 3, "0x"],
    ["points failed", -1, "0x"],
    ["points failed", -1, words(0, 0, 0, 0, 0, 0, 0)],
  ])("refused: %s", (refusal, index, wrong) => {
    const answers = answersOf();
    // The last point of the table is an endpoint, so its orders may be nothing; that before it is an order alone.
    const place = index < 0 && wrong !== "0x" ? answers.length - 3 : index;
    expect(load(pool, answers.with(place, wrong))).toEqual({ refusal });
  });
});

describe("following", () => {
  const swapLog = (sellsX: boolean, x: bigint, y: bigint, point: number): Log => ({
    address: POOL,
    topics: [SWAP, words(1), words(2), words(400)],
    data: words(sellsX ? 1 : 0, x, y, point),
  });

  test.each([true, false])(
    "a swap's log leads where the swap does, whichever amount was asked for (sells X: %s)",
    (sellsX) => {
      for (const isOutput of [false, true]) {
        const done = swap(state, { sellsX, isOutput, amount: 2n * E18, limit: limitOf(state, sellsX) })!;
        const [x, y] = sellsX ? [done.taken, done.paid] : [done.paid, done.taken];
        const log = swapLog(sellsX, x, y, done.next.point);
        expect(iziswap.touches(log)).toEqual([POOL]);
        expect(iziswap.apply(state, log, at)).toEqual(done.next);
        expect(iziswap.apply(state, swapLog(sellsX, x, y, done.next.point + 1), at)).toBe("reload");
        expect(iziswap.apply(state, swapLog(sellsX, x + 10n ** 9n, y, done.next.point), at)).toBe("reload");
      }
    },
  );

  test("every other log is read again", () => {
    expect(otherTopics.length).toBe(5);
    for (const topic of otherTopics)
      expect(iziswap.apply(state, { address: POOL, topics: [topic], data: "0x" }, at)).toBe("reload");
  });
});

describe("swaps", () => {
  const sell = (i: 0 | 1, amount: bigint, from = state) =>
    trade(from, { i, j: 1 - i, amount, side: "in", at });

  test("within a point the price does not change", () => {
    const [half, whole] = [sell(0, E18 / 8n)!, sell(0, E18 / 4n)!];
    expect(Number(whole.amountOut) / Number(half.amountOut)).toBeCloseTo(2, 15);
    expect(whole.next.point).toBe(0);
    expect(Number(whole.amountOut) / Number(E18 / 4n)).toBeCloseTo(0.9996, 15);
  });

  test("limit orders of a point are filled before its liquidity, and vanish when they are sold", () => {
    const before = swap(state, { sellsX: true, isOutput: false, amount: 45n * E18, limit: -40 })!;
    expect(before.isDone).toBe(false);
    const { next, amountOut } = sell(0, before.taken + 2n * E18)!;
    expect(next.point).toBe(-40);
    expect(next.liquidityX).toBe(E18);
    expect(next.marks.find(({ point }) => point === -40)!.sellsY).toBeLessThan(3n * E18);
    expect(amountOut).toBeGreaterThan(before.paid);
    const beyond = sell(0, before.taken + 6n * E18)!;
    expect(beyond.next.marks.map(({ point }) => point)).toEqual([-8_000, -80, 40, 80]);
  });

  test("what lies beyond gaps is sold too, and nothing beyond the last point", () => {
    const all = swap(state, {
      sellsX: true,
      isOutput: false,
      amount: 10n ** 24n,
      limit: limitOf(state, true),
    })!;
    expect(all.isDone).toBe(false);
    expect(all.next).toMatchObject({ point: -8_001, liquidity: 0n });
    expect(sell(0, all.taken)).toBeDefined();
    expect(sell(0, 10n ** 24n)).toBeUndefined();
    expect([limitOf(state, true), limitOf(state, false)]).toEqual([-8_001, 81]);
  });

  test("grains that buy nothing are left unasked; an input of which they are more than a thousandth is refused", () => {
    // A unit of liquidity is 10 units of Y.
    const dear: State = { ...state, point: 46_056, marks: [end(46_056, E18), end(46_064, -E18)] };
    const taken = (amount: bigint) =>
      swap(dear, { sellsX: false, isOutput: false, amount, limit: limitOf(dear, false) })!.taken;
    expect([taken(205n), taken(50_004n)]).toEqual([202n, 49_995n]);
    expect(sell(1, 205n, dear)).toBeUndefined();
    expect(sell(1, 50_004n, dear)).toMatchObject({ amountIn: 50_004n });
  });

  test("amounts of more than 128 bits are refused", () => {
    expect(sell(0, 2n ** 128n)).toBeUndefined();
    expect(sell(0, 0n)).toBeUndefined();
  });

  test("as the package's bytecode, with limits, outputs and orders", () => {
    let count = 0;
    for (const { swaps, marks, liquidity, liquidityX, ...facts } of bytecode.pools) {
      let current: State = {
        ...facts,
        ...{
          liquidity: BigInt(liquidity),
          liquidityX: BigInt(liquidityX),
          lowest: -887_272,
          highest: 887_272,
        },
        marks: marks.map(([point, isEndpoint, delta, sellsX, sellsY]) => ({
          ...{ point: Number(point), isEndpoint: isEndpoint === 1, delta: BigInt(delta!) },
          ...{ sellsX: BigInt(sellsX!), sellsY: BigInt(sellsY!) },
        })),
      };
      for (const { amount, taken, paid, sent, ...asked } of swaps) {
        const done = swap(current, { ...asked, amount: BigInt(amount) });
        expect([done?.taken, done?.paid]).toEqual([BigInt(taken), BigInt(paid)]);
        if (sent) current = done!.next;
        count++;
      }
    }
    expect(count).toBe(95);
  });
});

test("a curve passes through the ends of points and is nowhere below the pool", () => {
  const doubles = mirror(state);
  for (const [i, j] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { x, y, m, c } = curve(doubles, i, j);
    expect(x.length).toBeGreaterThan(3);
    for (let k = 0; k + 1 < x.length; k++) {
      const length = x[k + 1]! - x[k]!;
      expect(y[k]! + (m[k]! * length) / (1 + c[k]! * length)).toBeCloseTo(y[k + 1]!, -8);
      for (const part of [0.01, 0.3, 0.77]) {
        const h = part * length;
        const [along, float] = [y[k]! + (m[k]! * h) / (1 + c[k]! * h), quoteFloat(doubles, i, j, x[k]! + h)];
        expect(along / float).toBeGreaterThan(1 - 1e-12);
        expect(along / float).toBeLessThan(1 + 5.1e-5);
      }
    }
  }
});
