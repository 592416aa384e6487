import { describe, expect, test } from "vitest";
import { extraBytes } from "../../core/encoding/kinds.ts";
import { writeNamed } from "../../core/named-addresses.ts";
import type { Hex } from "../../core/types.ts";
import { parseVectors } from "../swapvec.ts";
import { runVector } from "../vectors.ts";
import { ASSET, at, poolsOf, subjectOf, VAULT, WRAPPER } from "./arbitrary.ts";
import { balancerV3Buffer } from "./index.ts";
import type { State } from "./state.ts";
import { swapBuffer, trade } from "./swap.ts";
import buffers from "./vectors.json" with { type: "json" };

const RAY = 10n ** 27n;
const [pool] = poolsOf(`${WRAPPER}=${ASSET}`);
const words = (...values: readonly bigint[]): Hex =>
  `0x${values.map((value) => value.toString(16).padStart(64, "0")).join("")}`;

/** One share is worth 1.5 assets. */
const state: State = {
  assets: 3000n * 10n ** 18n,
  shares: 2000n * 10n ** 18n,
  moves: true,
  underlying: 30_000n,
  wrapped: 20_000n,
  room: 10n ** 18n,
  redeemable: 10n ** 18n,
  least: 1000n,
  readFor: 1,
};
const sell = (i: number, amount: bigint, from: State = state) =>
  trade(from, { i, j: 1 - i, amount, side: "in", at });

describe("what the vault answers", () => {
  const even = { assets: 1n, shares: 1n };
  test.each([
    ["wrap", "in", 100n, 98n],
    ["wrap", "out", 100n, 102n],
    ["unwrap", "in", 100n, 98n],
    ["unwrap", "out", 100n, 102n],
    ["wrap", "in", 2n, undefined],
  ] as const)("%s, side %s: %s at even value is %s", (direction, side, amount, answer) => {
    expect(swapBuffer(even, { direction, amount, side })).toBe(answer);
  });

  test("round against the trader where the value has decimals", () => {
    const conversion = { assets: 3n, shares: 2n };
    expect(swapBuffer(conversion, { direction: "wrap", amount: 100n, side: "in" })).toBe(65n);
    expect(swapBuffer(conversion, { direction: "unwrap", amount: 100n, side: "out" })).toBe(69n);
  });

  test("recorded swaps pass within the digits of their rate, and no further", () => {
    const vectors = parseVectors(JSON.stringify(buffers));
    for (const vector of vectors) {
      expect(runVector(vector)!.map(({ wrong }) => wrong)).toEqual(vector.swaps.map(() => undefined));
      const off = vector.swaps.map((one) => ({
        ...one,
        amountIn: (one.amountIn! * (one.kind === "exactIn" ? 100_000n : 100_001n)) / 100_000n,
        amountOut: (one.amountOut! * (one.kind === "exactIn" ? 100_001n : 100_000n)) / 100_000n,
      }));
      for (const { wrong } of runVector({ ...vector, swaps: off })!) expect(wrong).toMatch(/^expected/);
    }
  });
});

describe("stocks", () => {
  test("pay while they last, at any imbalance", () => {
    const wrapped = sell(0, 30_002n)!;
    expect(wrapped.amountOut).toBe(19_999n);
    expect(wrapped.next).toEqual({
      ...state,
      underlying: 60_002n,
      wrapped: 1n,
      redeemable: state.redeemable - 19_999n,
    });
    const unwrapped = sell(1, 20_000n)!;
    expect(unwrapped.amountOut).toBe(29_997n);
    expect(unwrapped.next).toEqual({ ...state, underlying: 3n, wrapped: 40_000n });
  });

  /** As in the vault's model: the whole input is deposited, and half of the excess. */
  test("that are short are filled by the wrapper, to halves of the same worth", () => {
    const { amountOut, next, gas } = sell(0, 90_000n, { ...state, underlying: 60_000n })!;
    expect(amountOut).toBe(59_998n);
    expect(next).toEqual({
      ...state,
      underlying: 45_000n,
      wrapped: 30_002n,
      assets: state.assets + 105_000n,
      shares: state.shares + 70_000n,
      room: state.room - 105_000n,
    });
    expect(gas).toBeGreaterThan(sell(0, 2000n)!.gas);
  });

  test("and back, where half of what is missing is kept", () => {
    const { amountOut, next } = sell(1, 60_000n, { ...state, underlying: 60_000n })!;
    expect(amountOut).toBe(89_997n);
    // 20,000 shares are 20,000 fewer than the worth of 60,000 assets, so 10,000 less than the input are redeemed.
    expect(next).toEqual({
      ...state,
      underlying: 45_003n,
      wrapped: 30_000n,
      assets: state.assets - 75_000n,
      shares: state.shares - 50_000n,
      redeemable: state.redeemable - 50_000n,
    });
  });

  test("a rate stays where it is, whatever is deposited", () => {
    const rated = { ...state, assets: (RAY * 3n) / 2n, shares: RAY, moves: false };
    expect(sell(0, 90_000n, rated)!.next).toMatchObject({ assets: rated.assets, shares: RAY });
  });

  test.each([
    ["less than the least is sold", 0, 999n, {}],
    ["less than the least is bought", 0, 1502n, {}],
    ["the wrapper has no room", 0, 90_000n, { room: 89_999n }],
    ["the wrapper redeems less", 1, 60_000n, { redeemable: 59_999n }],
    ["more is redeemed than there is", 1, 60_000n, { shares: 60_000n, assets: 90_000n }],
    ["more than a stock can be", 0, 2n ** 128n, { room: 2n ** 256n - 1n }],
  ])("nothing where %s", (_, i, amount, change) => {
    expect(sell(i as 0 | 1, amount, { ...state, ...change })).toBeUndefined();
  });

  test("a given output costs the least that sells for it", () => {
    for (const i of [0, 1])
      for (const amount of [1000n, 1001n, 20_001n, 54_321n]) {
        const { amountIn } = trade(state, { i, j: 1 - i, amount, side: "out", at })!;
        expect(sell(i, amountIn)!.amountOut >= amount).toBe(true);
        expect((sell(i, amountIn - 1n)?.amountOut ?? 0n) < amount).toBe(true);
      }
  });
});

/** Answers of the vault, and of a wrapper whose previews follow `price`. */
function answers(price: { assets: bigint; shares: bigint }, totals: readonly [bigint, bigint]): Hex[] {
  const calls = balancerV3Buffer.reads(pool!, []);
  const given = (call: { data: Hex }) => BigInt(`0x${call.data.slice(10) || "0"}`);
  return calls.map((call, k) => {
    const fixed = [
      words(BigInt(ASSET)),
      words(30_000n, 20_000n),
      words(0n),
      words(1000n),
      words(BigInt(ASSET)),
      ...totals.map((total) => words(total)),
      words(7n),
      words(8n),
    ];
    if (k < fixed.length) return fixed[k]!;
    const deposits = call.data.startsWith("0xef8b30f7");
    const [times, by] = deposits ? [price.shares, price.assets] : [price.assets, price.shares];
    return words((given(call) * times) / by);
  });
}

describe("reading", () => {
  const totals = [10n ** 25n + 7n, 9n * 10n ** 24n] as const;

  test("totals with virtual units, and a rate that is none of the totals'", () => {
    const virtual = { assets: totals[0] + 1n, shares: totals[1] + 1n };
    const stocks = {
      underlying: 30_000n,
      wrapped: 20_000n,
      room: 7n,
      redeemable: 8n,
      least: 1000n,
      readFor: 1,
    };
    expect(balancerV3Buffer.load(pool!, answers(virtual, totals), at)).toEqual({
      ...virtual,
      ...stocks,
      moves: true,
    });
    const rate = { assets: 1_084_512_345_678_901_234_567_890_123n, shares: RAY };
    expect(balancerV3Buffer.load(pool!, answers(rate, totals), at)).toEqual({
      ...rate,
      ...stocks,
      moves: false,
    });
  });

  test.each([
    ["the vault has no buffer", 0, words(0n)],
    ["a paused vault", 2, words(1n)],
    ["another asset", 4, words(9n)],
    ["a wrapper that does not answer", 5, "0x"],
    ["half of the stocks", 1, words(1n)],
    ["a preview that follows no formula", 12, words(5n)],
  ] as const)("%s is refused", (_, index, answer) => {
    const given = answers({ assets: totals[0] + 1n, shares: totals[1] + 1n }, totals);
    given[index] = answer;
    expect(balancerV3Buffer.load(pool!, given, at)).toHaveProperty("refusal");
  });

  test("a buffer of which any one read fails is refused", () => {
    const given = answers({ assets: totals[0] + 1n, shares: totals[1] + 1n }, totals);
    expect(balancerV3Buffer.load(pool!, given, at)).not.toHaveProperty("refusal");
    for (const index of given.keys())
      expect(balancerV3Buffer.load(pool!, given.with(index, "0x"), at), `${index}`).toHaveProperty("refusal");
  });

  test("a log of the vault about the wrapper asks for it anew, and so does every block", () => {
    const topic = balancerV3Buffer.topics[0]!;
    const log = { address: VAULT, topics: [topic, words(BigInt(WRAPPER))], data: words(1n, 1n, 1n) };
    expect(balancerV3Buffer.touches(log)).toEqual([pool!.id]);
    expect(balancerV3Buffer.apply(state, log, at)).toBe("reload");
    expect(balancerV3Buffer.touches({ ...log, topics: [topic] })).toEqual([]);
    expect(balancerV3Buffer.apply(state, { ...log, topics: [words(1n), words(2n)] }, at)).toBe(state);
    expect([0, 1].map((later) => balancerV3Buffer.stale(state, { ...at, blockNumber: 1 + later }))).toEqual([
      false,
      true,
    ]);
  });
});

test("a list that names no wrappers is a bug", () => {
  expect(() => poolsOf("")).toThrow(/buffers/);
  expect(poolsOf(writeNamed({ [WRAPPER]: ASSET, [ASSET]: WRAPPER })).map(({ tokens }) => tokens)).toEqual([
    [ASSET, WRAPPER],
    [WRAPPER, ASSET],
  ]);
});

test("the step names the wrapper where a pool's names the pool", () => {
  const { subject } = { subject: subjectOf(state) };
  const step = balancerV3Buffer.encode(subject.pool, state, 0, 1);
  expect(step).toMatchObject({ target: VAULT, extra: WRAPPER, intake: "callback" });
  expect(step.extra).toHaveLength(2 + 2 * extraBytes[step.kind]!);
});
