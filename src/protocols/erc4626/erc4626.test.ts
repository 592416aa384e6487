import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { extraBytes } from "../../core/encoding/kinds.ts";
import { RAY, rayPower } from "../../core/math/ray.ts";
import type { Hex } from "../../core/types.ts";
import { poolOf, subjectOf } from "./arbitrary.ts";
import { erc4626 } from "./index.ts";
import type { State } from "./state.ts";

const at = { blockNumber: 9, timestamp: 1_700_000_000 };
const asset = 1n;
const words = (...values: readonly bigint[]): Hex[] => values.map((value): Hex => `0x${word(value)}`);

type Formula = { assets: bigint; shares: bigint };

/** Answers of a vault with this formula to all reads. */
function answers(total: Formula, formula: Formula, feeOf = (paid: bigint) => paid): Hex[] {
  const previews = erc4626.reads(poolOf("shares"), []).slice(4);
  const probes = previews.slice(0, previews.length / 2);
  const amounts = probes.map(({ data }) => BigInt(`0x${data.slice(10)}`));
  return words(
    asset,
    total.assets,
    total.shares,
    10n ** 30n,
    ...amounts.map((x) => feeOf((x * formula.shares) / formula.assets)),
    ...amounts.map((x) => feeOf((x * formula.assets) / formula.shares)),
  );
}

describe("a vault's formula is proven by its previews", () => {
  const total = { assets: 1_234_567_890_123n, shares: 1_111_111_111_111n };

  test("shares without virtual units", () => {
    expect(erc4626.load(poolOf("shares"), answers(total, total), at)).toMatchObject(total);
  });

  test.each([0, 6, 12])("virtual shares with an offset of %d", (offset) => {
    const formula = { assets: total.assets + 1n, shares: total.shares + 10n ** BigInt(offset) };
    expect(erc4626.load(poolOf("shares"), answers(total, formula), at)).toMatchObject(formula);
  });

  test("one virtual unit is told from none in a vault of millions, where it moves few amounts", () => {
    const millions = { assets: 10n ** 25n + 7n, shares: 99n * 10n ** 23n };
    const formula = { assets: millions.assets + 1n, shares: millions.shares + 1n };
    const state = erc4626.load(poolOf("shares"), answers(millions, formula), at) as State;
    const { pool, states } = subjectOf(state);
    const sold = 6_268_029_043_150_473_465_228_766n;
    const paid = erc4626.quote(states, pool, 0, 1, sold, "in", at)?.amountOut;
    expect(paid).toBe((sold * formula.shares) / formula.assets);
    expect(paid).toBe((sold * millions.shares) / millions.assets + 1n);
  });

  test("at a price of one, all formulas are the same", () => {
    const even = { assets: 10n ** 24n, shares: 10n ** 24n };
    expect(erc4626.load(poolOf("shares"), answers(even, even), at)).toMatchObject(even);
  });

  test("a vault too near to a price of one to tell is refused", () => {
    const near = { assets: 10n ** 30n + 1n, shares: 10n ** 30n };
    expect(erc4626.load(poolOf("shares"), answers(near, near), at)).toHaveProperty("refusal");
  });

  test("a fee is no formula that is known", () => {
    const taxed = answers(total, total, (paid) => paid - paid / 1000n);
    expect(erc4626.load(poolOf("shares"), taxed, at)).toHaveProperty("refusal");
  });

  test("another asset than the record's is refused, and so is a read that reverts", () => {
    const [, ...rest] = answers(total, total);
    expect(erc4626.load(poolOf("shares"), [...words(2n), ...rest], at)).toHaveProperty("refusal");
    expect(erc4626.load(poolOf("shares"), ["0x", ...rest], at)).toHaveProperty("refusal");
  });
});

test.each([0, 1])("a step from token %d carries its variant, as the router reads it", (i) => {
  const { pool, states } = subjectOf({ kind: "shares", assets: 9n, shares: 9n, room: 9n, readFor: 1 });
  const step = erc4626.encode(pool, states.get(pool.id) as State, i, 1 - i);
  expect(step.extra).toBe("0x00");
  expect(step.extra).toHaveLength(2 + 2 * extraBytes[step.kind]!);
});

describe("savings", () => {
  const state: State = {
    kind: "savings",
    chi: 1_050_000_000_123_456_789_012_345_678n,
    rate: 1_000_000_001_547_125_957_863_212_448n,
    rho: at.timestamp - 86_400,
    readFor: at.blockNumber,
  };

  test("a year at 5 % grows by 5 %", () => {
    const grown = rayPower(1_000_000_001_547_125_957_863_212_448n, 31_536_000);
    expect(Number(grown) / 1e27).toBeCloseTo(1.05, 9);
  });

  test("the power is the product of its parts, within the rounding of each step", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (n, m) => {
        const parts = (rayPower(state.rate, n) * rayPower(state.rate, m)) / RAY;
        const difference = rayPower(state.rate, n + m) - parts;
        expect(difference < 10n ** 8n && difference > -(10n ** 8n)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("a share is worth more each second", () => {
    const subject = subjectOf(state);
    const sold = 10n ** 24n;
    const assets = [0, 1, 2].map((seconds) => {
      const later = { ...at, timestamp: at.timestamp + seconds };
      return erc4626.quote(subject.states, subject.pool, 1, 0, sold, "in", later)!.amountOut;
    });
    expect(assets[0]! < assets[1]! && assets[1]! < assets[2]!).toBe(true);
  });

  test("read from the vault or, where the record names one, from its pot", () => {
    const pot = "0x00000000000000000000000000000000000000dd";
    expect(
      erc4626
        .reads(poolOf("savings"), [])
        .map(({ to }) => to)
        .slice(1),
    ).toEqual(Array(3).fill(poolOf("savings").address));
    expect(
      erc4626
        .reads(poolOf("savings", pot), [])
        .map(({ to }) => to)
        .slice(1),
    ).toEqual(Array(3).fill(pot));
    const loaded = erc4626.load(poolOf("savings"), words(asset, RAY, 5n, RAY), at);
    expect(loaded).toMatchObject({ chi: RAY, rho: 5, rate: RAY });
    expect(erc4626.load(poolOf("savings"), words(asset, RAY, 5n, 2n * RAY), at)).toHaveProperty("refusal");
  });
});

test("a deposit over the limit, and all shares and one more, are refused", () => {
  const { pool, states } = subjectOf({ kind: "shares", assets: 1000n, shares: 500n, room: 10n, readFor: 1 });
  const sell = (i: number, amount: bigint) =>
    erc4626.quote(states, pool, i, 1 - i, amount, "in", at)?.amountOut;
  expect([sell(0, 10n), sell(0, 11n)]).toEqual([5n, undefined]);
  expect([sell(1, 499n), sell(1, 500n), sell(1, 501n)]).toEqual([998n, undefined, undefined]);
});

test("a deposit or withdrawal asks for the state anew, and so does every block", () => {
  const { pool, states } = subjectOf({ kind: "shares", assets: 1000n, shares: 500n, room: 10n, readFor: 9 });
  const state = states.get(pool.id) as State;
  for (const topic of erc4626.topics) {
    const log = { address: pool.address, topics: [topic], data: "0x" } as const;
    expect(erc4626.touches(log)).toEqual([pool.id]);
    expect(erc4626.apply(state, log, at)).toBe("reload");
  }
  expect([erc4626.stale(state, at), erc4626.stale(state, { ...at, blockNumber: 10 })]).toEqual([false, true]);
});

test("a record without an asset or of no known kind is a bug", () => {
  const record = {
    id: "vault",
    protocol: "erc4626",
    name: "Vault",
    factory: pool0(),
    fromBlock: 0,
    trusted: true,
    source: "test",
  };
  expect(() => erc4626.seeds({ ...record, facts: { kind: "shares" } })).toThrow(/asset/);
  expect(() => erc4626.seeds({ ...record, facts: { asset: pool0(), kind: "other" } })).toThrow(/kind/);
});

function pool0(): Hex {
  return `0x${"00".repeat(19)}ee`;
}
