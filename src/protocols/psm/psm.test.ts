import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Hex, Log } from "../../core/types.ts";
import { followed, poolOf } from "../recorded-pool.fixture.ts";
import { subjectOf } from "./arbitrary.ts";
import { psm } from "./index.ts";
import recorded from "./lite-psm.json" with { type: "json" };
import { payable, type State } from "./state.ts";

const at = { blockNumber: 1, timestamp: 100 };
const MAX = 2n ** 256n - 1n;
const RATE = 10n ** 12n;
const [DOLLAR, COIN] = [10n ** 18n, 10n ** 6n];
const open: State = {
  ...{ rate: RATE, isOpen: [true, true], readAt: 100 },
  ...{ gems: 5n * COIN, allowed: MAX, dai: 3n * DOLLAR },
};
const { pool } = subjectOf(open);
const module = BigInt(pool.address);

const words = (...values: readonly bigint[]): Hex[] => values.map((value): Hex => `0x${word(value)}`);

function answersOf(change: Readonly<Record<number, Hex>> = {}): Hex[] {
  const pocket = 77n;
  const all = words(1n, 2n, pocket, RATE, 0n, 0n, 3n * DOLLAR, 5n * COIN, MAX);
  return all.map((answer, k) => change[k] ?? answer);
}

describe("what is read", () => {
  test("settings, then the stock of DAI and what the pocket holds and allows", () => {
    expect(psm.reads(pool, [])).toHaveLength(6);
    const second = psm.reads(pool, answersOf().slice(0, 6));
    expect(second.map(({ to }) => to)).toEqual([pool.tokens[1], pool.tokens[0], pool.tokens[0]]);
    expect(second[2]!.data).toBe(`0xdd62ed3e${word(77n)}${word(module)}`);
    expect(psm.reads(pool, answersOf())).toEqual([]);
    expect(psm.load(pool, answersOf(), at)).toEqual(open);
  });

  test("a fee closes its direction, and so does a halt", () => {
    const isOpen = (change: Readonly<Record<number, Hex>>) =>
      (psm.load(pool, answersOf(change), at) as State).isOpen;
    expect(isOpen({ 4: words(1n)[0]! })).toEqual([false, true]);
    expect(isOpen({ 5: words(MAX)[0]! })).toEqual([true, false]);
  });

  test("what the pocket does not allow cannot be paid; a module that is its own pocket needs no allowance", () => {
    const paid = (change: Readonly<Record<number, Hex>>) =>
      payable(psm.load(pool, answersOf(change), at) as State);
    expect(paid({ 8: words(4n)[0]! })).toBe(4n);
    expect(paid({ 8: words(0n)[0]!, 2: words(module)[0]! })).toBe(5n * COIN);
  });

  test.each([
    ["another stablecoin", { 0: words(3n)[0]! }],
    ["another DAI", { 1: words(3n)[0]! }],
    ["a rate that is no power of ten", { 3: words(20n)[0]! }],
    ["a rate of 0", { 3: words(0n)[0]! }],
    ["a rate of more than 18 digits", { 3: words(10n ** 19n)[0]! }],
    ["a balance that failed", { 7: "0x" }],
  ] as readonly (readonly [string, Record<number, Hex>])[])("%s is refused", (_what, change) => {
    expect(psm.load(pool, answersOf(change), at)).toHaveProperty("refusal");
  });
});

test("the compiled contract paid what was quoted, and its logs moved its stocks", () => {
  const { quoted, state } = followed(recorded, psm, poolOf(recorded, psm, {}), {});
  expect(quoted).toBe(6);
  expect(state).toMatchObject({ rate: RATE, isOpen: [true, true] });
});

describe("what it pays", () => {
  const quoted = (state: State, i: number, amount: bigint, side: "in" | "out" = "in") => {
    const fill = psm.quote(new Map([[pool.id, state]]), pool, i, 1 - i, amount, side, at);
    return fill && [fill.amountIn, fill.amountOut];
  };

  test("the stablecoin is worth its DAI, and DAI whole units of it", () => {
    expect(quoted(open, 0, 2n * COIN)).toEqual([2n * COIN, 2n * DOLLAR]);
    expect(quoted(open, 1, 2n * DOLLAR + RATE - 1n)).toEqual([2n * DOLLAR + RATE - 1n, 2n * COIN]);
    expect(quoted(open, 1, RATE - 1n)).toBeUndefined();
    expect(quoted(open, 0, DOLLAR + 1n, "out")).toEqual([COIN + 1n, DOLLAR + 1n]);
    expect(quoted(open, 1, 7n, "out")).toEqual([7n * RATE, 7n]);
  });

  test("the stock ends it, and each trade moves the stock", () => {
    expect(quoted(open, 0, 3n * COIN)).toBeDefined();
    expect(quoted(open, 0, 3n * COIN + 1n)).toBeUndefined();
    expect(quoted(open, 1, 5n * DOLLAR + RATE - 1n)).toBeDefined();
    expect(quoted(open, 1, 5n * DOLLAR + RATE)).toBeUndefined();
    const fill = psm.quote(new Map([[pool.id, open]]), pool, 1, 0, 2n * DOLLAR, "in", at)!;
    expect(fill.writes).toEqual([[pool.id, { ...open, gems: 3n * COIN, dai: 5n * DOLLAR }]]);
  });

  test("a closed direction pays nothing, nor has a curve", () => {
    const closed: State = { ...open, isOpen: [false, true] };
    expect(quoted(closed, 0, COIN)).toBeUndefined();
    const mirror = psm.mirror(closed, pool, at, new Map());
    expect([psm.curve(mirror, 0, 1), psm.quoteFloat(mirror, 0, 1, 1e6)]).toEqual([undefined, 0]);
    expect(psm.curve(mirror, 1, 0)).toMatchObject({ m: [1e-12], end: 5e18 });
  });
});

describe("logs", () => {
  const log = (topic: Hex, ...values: readonly bigint[]): Log => ({
    address: pool.address,
    topics: [topic],
    data: `0x${values.map(word).join("")}`,
  });
  const [sellGem, buyGem, fill, trim, chug, file] = psm.topics as readonly [Hex, Hex, Hex, Hex, Hex, Hex];

  test("sales and purchases move both stocks, with the fee in DAI", () => {
    expect(psm.apply(open, log(sellGem, COIN, 5n), at)).toEqual({
      ...open,
      gems: 6n * COIN,
      dai: 2n * DOLLAR + 5n,
    });
    expect(psm.apply(open, log(buyGem, COIN, 5n), at)).toEqual({
      ...open,
      gems: 4n * COIN,
      dai: 4n * DOLLAR + 5n,
    });
  });

  test("what is sold to the module does not raise what its pocket lets it pay", () => {
    const bound: State = { ...open, allowed: 2n * COIN };
    const sold = psm.apply(bound, log(sellGem, COIN, 0n), at) as State;
    expect(payable(sold)).toBe(2n * COIN);
    expect(payable(psm.apply(sold, log(buyGem, COIN, 0n), at) as State)).toBe(COIN);
    expect(psm.apply(bound, log(buyGem, 3n * COIN, 0n), at)).toBe("reload");
    const sale = psm.quote(new Map([[pool.id, bound]]), pool, 0, 1, COIN, "in", at)!;
    const back = psm.quote(new Map(sale.writes), pool, 1, 0, 2n * DOLLAR + RATE, "in", at);
    expect(back).toBeUndefined();
  });

  test("DAI is made and burnt; a setting, or more than there was, is read again", () => {
    expect(psm.apply(open, log(fill, 9n), at)).toEqual({ ...open, dai: 3n * DOLLAR + 9n });
    for (const topic of [trim, chug])
      expect(psm.apply(open, log(topic, 9n), at)).toEqual({ ...open, dai: 3n * DOLLAR - 9n });
    expect(psm.apply(open, log(file, 1n), at)).toBe("reload");
    expect(psm.apply(open, log(trim, 3n * DOLLAR + 1n), at)).toBe("reload");
    expect(psm.touches(log(fill, 1n))).toEqual([pool.id]);
  });
});

test("stocks are read again after ten minutes", () => {
  const stale = (timestamp: number) => psm.stale(open, { blockNumber: 1, timestamp });
  expect([stale(700), stale(701)]).toEqual([false, true]);
});

test("the step says the rate", () => {
  expect(psm.encode(pool, open, 0, 1)).toMatchObject({ extra: "0x1c", zeroForOne: true });
  expect(psm.encode(pool, { ...open, rate: 1n }, 1, 0)).toMatchObject({ extra: "0x10", zeroForOne: false });
});

test("a record without a token is a bug", () => {
  const record = { ...{ id: "psm", protocol: "psm", name: "PSM", factory: pool.address }, fromBlock: 0 };
  expect(() =>
    psm.seeds({ ...record, trusted: true, facts: { gem: pool.tokens[0]! }, source: "test" }),
  ).toThrow(/dai/);
});
