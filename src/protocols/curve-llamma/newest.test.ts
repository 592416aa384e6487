import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { lnWad } from "../../core/math/curve/llamma-math.ts";
import type { Hex } from "../../core/types.ts";
import { subjectOf } from "./arbitrary.ts";
import { exchange } from "./exchange.ts";
import { market } from "./market.fixture.ts";
import { load, reads } from "./reads.ts";
import type { State } from "./state.ts";

const E18 = 10n ** 18n;
const at = { blockNumber: 22_110_210, timestamp: 1_742_700_000 };
const answer = (value: bigint | number): Hex => `0x${word(value)}`;
const none: Hex = "0x";
const { pool } = subjectOf(market);
const bands = [...market.x, ...market.y].map(answer);

describe("a market of 2026 does not tell its dynamic fee, nor an admin's", () => {
  const newest: State = { ...market, generation: 2026 };
  const terms: readonly Hex[] = [
    ...[answer(market.a), none, answer(market.basePrice), answer(market.price), none],
    ...[market.activeBand, market.minBand, market.maxBand, 18, 18, market.fee].map(answer),
  ];
  const probes = reads(pool, [...terms, ...bands]).map(({ data }) => BigInt(`0x${data.slice(-64)}`));
  const answers = (state: State) => [
    ...terms,
    ...bands,
    ...probes.map((amount, i) => answer(exchange(state, { i, amount })?.amountOut ?? 0n)),
  ];

  test("its own fee is taken where it explains the amounts", () => {
    expect(reads(pool, terms)).toHaveLength(12);
    expect(load(pool, answers(newest), at)).toEqual({ ...newest, readAt: at.blockNumber });
  });

  test("or else the largest fee that does", () => {
    const changed = { ...newest, fee: 12_345_678_901_234_567n };
    const loaded = load(pool, answers(changed), at) as State;
    expect(loaded).toEqual({ ...changed, fee: loaded.fee, readAt: at.blockNumber });
    expect(loaded.fee - changed.fee).toBeLessThan(10n);
    expect(loaded.fee >= changed.fee).toBe(true);
  });

  test("what no fee explains, and a market that tells no fee at all, are refused", () => {
    const lower = answers({ ...newest, fee: 1n });
    expect(load(pool, lower, at)).toEqual({ refusal: "it reckons otherwise" });
    const mute = answers(newest).with(10, none);
    expect(load(pool, mute, at)).toEqual({ refusal: "a read failed" });
  });

  test("its price ranges follow another logarithm", () => {
    // Values of snekmate's _wad_ln for A of 41, 70 and 285; the first is less than the logarithm floored.
    const ratio = (a: bigint) => lnWad((E18 * a) / (a - 1n));
    expect([41n, 70n, 285n].map(ratio)).toEqual([24692612590371500n, 14388737452099606n, 3514942107444485n]);
  });
});
