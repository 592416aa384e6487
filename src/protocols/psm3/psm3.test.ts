import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { RAY } from "../../core/math/ray.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { Hex } from "../../core/types.ts";
import { subjectOf } from "./arbitrary.ts";
import { psm3 } from "./index.ts";
import { payable, type State } from "./state.ts";

const [USDC, DOLLAR] = [10n ** 6n, 10n ** 18n];
const at = { blockNumber: 1, timestamp: 100 };
/** sUSDS is worth 1.25 USDS and does not grow. */
const still: State = {
  ...{ chi: (5n * RAY) / 4n, rate: RAY, rho: 100, units: [USDC, DOLLAR, DOLLAR], readAt: 100 },
  balances: [9n * USDC, 7n * DOLLAR, 5n * DOLLAR],
  allowed: MAX_UINT256,
};
const { pool } = subjectOf(still);
const module = BigInt(pool.address);
const words = (...values: readonly bigint[]): Hex[] => values.map((value): Hex => `0x${word(value)}`);

function answersOf(change: Readonly<Record<number, Hex>> = {}): Hex[] {
  const data: Hex = `0x${[still.rate, still.chi, 100n].map(word).join("")}`;
  const stocks = [9n * USDC, 7n * DOLLAR, 5n * DOLLAR];
  const all = [
    ...words(1n, 2n, 3n, 0x0aac1en, 77n),
    ...[data, ...words(still.chi)],
    ...words(6n, 18n, 18n, ...stocks, MAX_UINT256),
  ];
  return all.map((answer, k) => change[k] ?? answer);
}

describe("what is read", () => {
  test("settings, then the oracle, decimals, stocks and what the pocket allows", () => {
    expect(psm3.reads(pool, [])).toHaveLength(5);
    const second = psm3.reads(pool, answersOf().slice(0, 5));
    const [usdc, usds, susds] = pool.tokens;
    const oracle = `0x${"0aac1e".padStart(40, "0")}`;
    expect(second.map(({ to }) => to)).toEqual([oracle, oracle, usdc, usds, susds, usdc, usds, susds, usdc]);
    expect(second[5]!.data).toBe(`0x70a08231${word(77n)}`);
    expect(second[8]!.data).toBe(`0xdd62ed3e${word(77n)}${word(module)}`);
    expect(psm3.reads(pool, answersOf())).toEqual([]);
    expect(psm3.load(pool, answersOf(), at)).toEqual(still);
  });

  test("what the pocket does not allow cannot be paid; a module that is its own pocket needs no allowance", () => {
    const held = (change: Readonly<Record<number, Hex>>) =>
      payable(psm3.load(pool, answersOf(change), at) as State, 0);
    expect(held({ 13: words(4n)[0]! })).toBe(4n);
    expect(held({ 13: words(0n)[0]!, 4: words(module)[0]! })).toBe(9n * USDC);
  });

  test.each([
    ["another coin", { 2: words(4n)[0]! }],
    ["an oracle that answers another rate", { 6: words(RAY)[0]! }],
    ["an oracle of one word", { 5: words(RAY)[0]! }],
    ["an oracle of the future", { 5: `0x${[still.rate, still.chi, 101n].map(word).join("")}` as Hex }],
    ["a rate below 1", { 5: `0x${[RAY - 1n, still.chi, 100n].map(word).join("")}` as Hex }],
    ["more than 18 decimals", { 7: words(19n)[0]! }],
    ["a balance that failed", { 11: "0x" }],
  ] as readonly (readonly [string, Record<number, Hex>])[])("%s is refused", (_what, change) => {
    expect(psm3.load(pool, answersOf(change), at)).toHaveProperty("refusal");
  });

  test("it is read again after any of its logs, and after two minutes", () => {
    for (const topic of psm3.topics)
      expect(psm3.apply(still, { address: pool.address, topics: [topic], data: "0x" }, at)).toBe("reload");
    expect(psm3.apply(still, { address: pool.address, topics: ["0x00"], data: "0x" }, at)).toBe(still);
    expect([
      psm3.stale(still, { ...at, timestamp: 220 }),
      psm3.stale(still, { ...at, timestamp: 221 }),
    ]).toEqual([false, true]);
  });
});

type Recorded = {
  readonly way: readonly [number, number];
  readonly chi: bigint;
  readonly sold: bigint;
  readonly paid: bigint;
};

describe("what it pays", () => {
  const quoted = (
    state: State,
    [i, j]: readonly [number, number],
    amount: bigint,
    side: "in" | "out" = "in",
  ) => {
    const fill = psm3.quote(new Map([[pool.id, state]]), pool, i, j, amount, side, at);
    return fill && [fill.amountIn, fill.amountOut];
  };
  const rich = (chi: bigint): State => ({ ...still, chi, balances: [10n ** 18n, 10n ** 30n, 10n ** 30n] });

  /** @source KyberNetwork/kyberswap-dex-lib pkg/liquidity-source/maker/sky-psm/pool_simulator_test.go: swaps on Base */
  test.each<[string, Recorded]>([
    ["USDC to USDS", { way: [0, 1], chi: RAY, sold: 4_160_700n, paid: 4_160_700_000_000_000_000n }],
    [
      "USDC to sUSDS",
      {
        ...{ way: [0, 2], chi: 1_036_903_527_276_524_877_455_228_177n },
        ...{ sold: 37_250_726_683n, paid: 35_924_968_623n * 10n ** 12n },
      },
    ],
    ["USDS to USDC", { way: [1, 0], chi: RAY, sold: 200_000n * DOLLAR, paid: 200_000n * USDC }],
    [
      "USDS to sUSDS",
      {
        ...{ way: [1, 2], chi: 1_036_950_199_588_485_300_229_215_700n },
        ...{ sold: 2_200n * DOLLAR, paid: 2_121_606_226_483_270_025_236n },
      },
    ],
    [
      "sUSDS to USDC",
      {
        ...{ way: [2, 0], chi: 1_036_953_443_174_346_868_582_323_752n },
        ...{ sold: 295_290_546_526n * 10n ** 12n, paid: 306_202_548_956n },
      },
    ],
    [
      "sUSDS to USDS",
      {
        ...{ way: [2, 1], chi: 1_036_944_771_569_535_666_613_153_580n },
        ...{ sold: 50_236_236_932_312_720_146n, paid: 52_092_203_230_290_084_781n },
      },
    ],
  ])("%s, as the contract did", (_what, { way, chi, sold, paid }) => {
    expect(quoted(rich(chi), way, sold)).toEqual([sold, paid]);
    const [needed, bought] = quoted(rich(chi), way, paid, "out")!;
    expect(bought).toBe(paid);
    expect(needed).toBeLessThanOrEqual(sold);
    expect(quoted(rich(chi), way, needed! - 1n)?.[1] ?? 0n).toBeLessThan(paid);
  });

  test("the rate grows every second", () => {
    const growing: State = { ...rich(RAY), rate: RAY + 10n ** 24n, rho: 98 };
    expect(quoted(growing, [2, 1], 10n ** 9n)).toEqual([10n ** 9n, 1_002_001_000n]);
  });

  test("the stock ends it, and each trade moves two stocks", () => {
    expect(quoted(still, [0, 1], 7n * USDC)).toBeDefined();
    expect(quoted(still, [0, 1], 7n * USDC + 1n)).toBeUndefined();
    expect(quoted(still, [1, 0], 10n ** 12n - 1n)).toBeUndefined();
    const fill = psm3.quote(new Map([[pool.id, still]]), pool, 1, 2, 5n * DOLLAR, "in", at)!;
    const next = { ...still, balances: [9n * USDC, 12n * DOLLAR, DOLLAR] };
    expect(fill.writes).toEqual([[pool.id, next]]);
  });

  test("USDC that is sold to it does not raise what its pocket lets it pay, and what it pays lowers that", () => {
    const allowing = psm3.load(pool, answersOf({ 13: words(4n * USDC)[0]! }), at) as State;
    const traded = (state: State, [i, j]: readonly [number, number], amount: bigint) =>
      psm3.quote(new Map([[pool.id, state]]), pool, i, j, amount, "in", at)!.writes[0]![1] as State;
    const sold = traded(allowing, [0, 1], 5n * USDC);
    expect(quoted(sold, [1, 0], 4n * DOLLAR)).toEqual([4n * DOLLAR, 4n * USDC]);
    expect(quoted(sold, [1, 0], 5n * DOLLAR)).toBeUndefined();
    expect(quoted(traded(sold, [1, 0], 3n * DOLLAR), [1, 0], 2n * DOLLAR)).toBeUndefined();
    expect(quoted(traded(still, [1, 0], 4n * DOLLAR), [1, 0], 5n * DOLLAR)).toBeDefined();
  });
});
