import { describe, expect, test } from "vitest";
import type { Call, Hex, Pool } from "../../core/types.ts";
import recorded from "./directional.json" with { type: "json" };
import { apply } from "./events.ts";
import { feesIn } from "./past.ts";
import { load, reads } from "./reads.ts";
import { type State, stateAt, trade } from "./state.ts";

type Row = {
  readonly time: number;
  readonly logs: readonly { readonly topics: readonly string[]; readonly data: string }[];
  /** Absent in rows whose logs are those of a position. */
  readonly side?: string;
  readonly i?: number;
  readonly amount?: string;
  readonly amountIn?: string;
  readonly amountOut?: string;
};

const rows: readonly Row[] = recorded.rows;
const answers: Readonly<Record<string, Readonly<Record<string, string>>>> = recorded.answers;
const ZERO: Hex = `0x${"0".repeat(64)}`;
const ZERO_TIMEPOINT: Hex = `0x${"0".repeat(64 * 7)}`;
const TIMEPOINTS = "0x74eceae6";

const address = recorded.pool as Hex;
const pool: Pool = {
  id: address,
  address,
  protocol: "algebra",
  deployment: "camelot",
  tokens: recorded.tokens as [Hex, Hex],
  stateIds: [address],
  facts: { version: "v1.9-directional" },
};

/** Answers that are zero are left out of the file. */
function answerOf({ to, data }: Call): Hex {
  const given = answers[to]?.[data] as Hex | undefined;
  return given ?? (data.startsWith(TIMEPOINTS) ? ZERO_TIMEPOINT : ZERO);
}

function loaded(change: (call: Call, answer: Hex) => Hex = (_call, answer) => answer) {
  const given: Hex[] = [];
  for (let calls = reads(pool, given); calls.length > 0; calls = reads(pool, given))
    given.push(...calls.map((call) => change(call, answerOf(call))));
  return load(pool, given, { blockNumber: 1, timestamp: rows[0]!.time - 1 });
}

const wordsOf = (data: string) =>
  data
    .slice(2)
    .match(/.{64}/g)!
    .map((word) => BigInt(`0x${word}`));

describe("v1.9 with a fee for each direction, as its contract answered", () => {
  test("every swap is quoted to the unit at fees known before it, or is not quoted", () => {
    let state = loaded() as State;
    const quoted: number[] = [];
    for (const [k, { time, logs, side, i, amount, amountIn, amountOut }] of rows.entries()) {
      const at = { blockNumber: k + 2, timestamp: time };
      if (side !== undefined && stateAt(state, time) !== undefined) {
        const order = { i: i!, j: 1 - i!, amount: BigInt(amount!), side: side as "in" | "out", at };
        const fill = trade(state, order)!;
        expect([fill.amountIn, fill.amountOut]).toEqual([BigInt(amountIn!), BigInt(amountOut!)]);
        quoted.push(k);
      }
      for (const log of logs) {
        const after = apply(state, { address, topics: log.topics as Hex[], data: log.data as Hex }, at);
        expect(after).not.toBe("reload");
        state = after as State;
        // Fee(uint16,uint16) comes first, and tells what the contract has set.
        if (log === logs[0]) expect(feesIn(state)).toEqual(wordsOf(log.data).map(Number));
      }
    }
    expect(quoted).toHaveLength(11);
    expect(state.feePpm).not.toBe(state.feeOneToZeroPpm);
  });

  test("each direction has its parameters; neither may be missing", () => {
    expect((loaded() as State).past?.configs.map(({ baseFee }) => baseFee)).toEqual([27, 301]);
    for (const selector of ["0x824e8e87", "0x90577ef6"])
      expect(loaded(({ data }, answer) => (data === selector ? "0x" : answer))).toEqual({
        refusal: "feeConfig failed",
      });
  });

  test("one direction with a constant fee does not make the other's constant", () => {
    const flat: Hex = `0x${[0, 0, 1, 1, 1, 1, 1, 1, 77].map((n) => n.toString(16).padStart(64, "0")).join("")}`;
    const one = loaded(({ data }, answer) => (data === "0x824e8e87" ? flat : answer)) as State;
    expect(one.past?.configs[0].baseFee).toBe(77);
    const both = loaded(({ data }, answer) => (/^0x(824e8e87|90577ef6)/.test(data) ? flat : answer)) as State;
    expect([both.past, feesIn(both)]).toEqual([undefined, [77, 77]]);
  });
});
