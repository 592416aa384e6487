import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Hex } from "../../core/types.ts";
import { subjectOf } from "./arbitrary.ts";
import { converter } from "./index.ts";

const at = { blockNumber: 1, timestamp: 1 };
const words = (...values: readonly bigint[]): Hex[] => values.map((value): Hex => `0x${word(value)}`);
const fixed = subjectOf({ rate: 24_000n });
const parity = subjectOf({ rate: 1n });

describe("what is read", () => {
  const [tokens, rate, right] = [words(1n, 2n), words(24_000n), words(1n)];

  test("a converter at parity is asked for its tokens only", () => {
    expect(converter.reads(parity.pool, [])).toHaveLength(2);
    expect(converter.load(parity.pool, tokens, at)).toEqual({ rate: 1n });
    expect(converter.load(parity.pool, words(1n, 3n), at)).toHaveProperty("refusal");
    expect(converter.load(parity.pool, ["0x", ...words(2n)], at)).toHaveProperty("refusal");
  });

  test("the other for its rate, a fee and its right to make the token", () => {
    const calls = converter.reads(fixed.pool, []);
    expect(calls).toHaveLength(5);
    expect(calls[4]).toMatchObject({ to: fixed.pool.tokens[1] });
    expect(converter.load(fixed.pool, [...tokens, ...rate, "0x", ...right], at)).toEqual({ rate: 24_000n });
  });

  test("a fee, a rate of 0 and a right withdrawn are refused", () => {
    for (const answers of [
      [...tokens, ...rate, ...words(0n), ...right],
      [...tokens, ...words(0n), "0x", ...right],
      [...tokens, "0x", "0x", ...right],
      [...tokens, ...rate, "0x", ...words(0n)],
    ] as Hex[][])
      expect(converter.load(fixed.pool, answers, at)).toHaveProperty("refusal");
  });
});

test("what is not a multiple of the rate is lost on the way back", () => {
  const sell = (i: number, amount: bigint) =>
    converter.quote(fixed.states, fixed.pool, i, 1 - i, amount, "in", at)?.amountOut;
  expect([sell(0, 1n), sell(1, 24_000n), sell(1, 47_999n), sell(1, 23_999n)]).toEqual([
    24_000n,
    1n,
    1n,
    undefined,
  ]);
  expect([sell(0, 2n ** 241n), sell(0, 2n ** 242n)].map(Boolean)).toEqual([true, false]);
});

test("the step names its functions", () => {
  expect(converter.encode(parity.pool, { rate: 1n }, 0, 1)).toMatchObject({
    extra: "0x00",
    zeroForOne: true,
  });
  expect(converter.encode(fixed.pool, { rate: 24_000n }, 1, 0)).toMatchObject({
    extra: "0x01",
    zeroForOne: false,
  });
});

test("a record without tokens or of no known kind is a bug", () => {
  const [token0, token1] = fixed.pool.tokens as [Hex, Hex];
  const record = {
    id: "converter",
    protocol: "converter",
    name: "Converter",
    factory: fixed.pool.address,
    fromBlock: 0,
    trusted: true,
    source: "test",
  };
  expect(() => converter.seeds({ ...record, facts: { kind: "mkrSky", token0 } })).toThrow(/token1/);
  expect(() => converter.seeds({ ...record, facts: { kind: "toString", token0, token1 } })).toThrow(/kind/);
});
