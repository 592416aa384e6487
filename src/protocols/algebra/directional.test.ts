import { describe, expect, test } from "vitest";
import type { Hex } from "../../core/types.ts";
import { followed, loaded, poolOf } from "../recorded-pool.fixture.ts";
import recorded from "./directional.json" with { type: "json" };
import { algebra } from "./index.ts";
import { feesIn } from "./past.ts";
import { type State, stateAt } from "./state.ts";

const pool = poolOf(recorded, algebra, { version: "v1.9-directional" });
const CONFIGS = /^0x(824e8e87|90577ef6)/;

const wordsOf = (data: string) =>
  data
    .slice(2)
    .match(/.{64}/g)!
    .map((word) => BigInt(`0x${word}`));

describe("v1.9 with a fee for each direction, as its contract answered", () => {
  test("every swap is quoted to the unit at fees known before it, or is not quoted", () => {
    const { quoted, state } = followed(recorded, algebra, pool, {
      isKnown: (before, time) => stateAt(before, time) !== undefined,
      onLog: (after, { topics, data }) => {
        // The log Fee(uint16,uint16) states the fees that the contract has set.
        if (topics[0]!.startsWith("0x8a89de70")) expect(feesIn(after)).toEqual(wordsOf(data).map(Number));
      },
    });
    expect(quoted).toBe(11);
    expect(state.feePpm).not.toBe(state.feeOneToZeroPpm);
  });

  test("each direction has its parameters; neither may be missing", () => {
    const state = loaded(recorded, algebra, pool) as State;
    expect(state.past?.configs.map(({ baseFee }) => baseFee)).toEqual([27, 301]);
    for (const selector of ["0x824e8e87", "0x90577ef6"])
      expect(
        loaded(recorded, algebra, pool, ({ data }, answer) => (data === selector ? "0x" : answer)),
      ).toEqual({ refusal: "feeConfig failed" });
  });

  test("one direction with a constant fee does not make the other's constant", () => {
    const flat: Hex = `0x${[0, 0, 1, 1, 1, 1, 1, 1, 77].map((n) => n.toString(16).padStart(64, "0")).join("")}`;
    const withFlat = (which: RegExp) =>
      loaded(recorded, algebra, pool, ({ data }, answer) => (which.test(data) ? flat : answer)) as State;
    expect(withFlat(/^0x824e8e87/).past?.configs[0].baseFee).toBe(77);
    const both = withFlat(CONFIGS);
    expect([both.past, feesIn(both)]).toEqual([undefined, [77, 77]]);
  });
});
