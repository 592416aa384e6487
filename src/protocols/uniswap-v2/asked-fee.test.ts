import { toFunctionSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { amountOut } from "../../core/math/pairs/constant-product.ts";
import type { Deployment, Hex, Pool } from "../../core/types.ts";
import { PAIR } from "./arbitrary.ts";
import { uniswapV2 } from "./index.ts";
import type { State } from "./quote.ts";

const at = { blockNumber: 1, timestamp: 1_700_000_000 };
const words = (...values: readonly bigint[]): Hex => `0x${values.map(word).join("")}`;
const [PAIR_CREATED, SYNC] = uniswapV2.topics as [Hex, Hex];

const record: Deployment = {
  id: "defiswap-v1",
  protocol: "uniswap-v2",
  name: "DefiSwap_V1",
  factory: "0x9deb29c9a4c7a88a3c0257393b7f3335338d9a9d",
  fromBlock: 0,
  trusted: false,
  facts: { fees: "factory" },
  source: "test",
};

const topics = [PAIR_CREATED, words(1n), words(2n)];
const created = { address: record.factory, topics, data: words(BigInt(PAIR), 7n) };
const pool = uniswapV2.discover(created, record) as Pool;
const reserves = words(10n ** 20n, 3n * 10n ** 20n, 5n);

describe("a pair whose fee may change", () => {
  test("may ask the factory: it is read with the present fee, and pays by it", () => {
    expect(uniswapV2.reads(pool, [])[1]).toEqual({
      to: record.factory,
      data: toFunctionSelector("function totalFeeBasisPoint()"),
    });
    const state = uniswapV2.load(pool, [reserves, words(50n)], at) as State;
    expect(state.feePpm).toBe(5_000);
    const paid = uniswapV2.quote(new Map([[PAIR, state]]), pool, 0, 1, 10n ** 18n, "in", at)!;
    expect(paid.amountOut).toBe(amountOut(10n ** 18n, 10n ** 20n, 3n * 10n ** 20n, 5_000));
  });

  test("is asked again after an hour, whatever changed in between", () => {
    const state = uniswapV2.load(pool, [reserves, words(30n)], at) as State;
    const synced = uniswapV2.apply(
      state,
      { address: PAIR, topics: [SYNC], data: words(5n, 6n) },
      at,
    ) as State;
    expect(synced).toEqual({ reserves: [5n, 6n], feePpm: 3_000, feeReadAt: at.timestamp });
    const later = (seconds: number) => ({ ...at, timestamp: at.timestamp + seconds });
    expect(uniswapV2.stale(synced, later(3600))).toBe(false);
    expect(uniswapV2.stale(synced, later(3601))).toBe(true);
  });

  test("is refused without a fee, or with one that takes everything", () => {
    expect(uniswapV2.load(pool, [reserves, "0x"], at)).toEqual({ refusal: "the fee failed" });
    expect(uniswapV2.load(pool, [reserves, words(10_000n)], at)).toEqual({
      refusal: "a fee is out of range",
    });
  });

  test.each([
    ["pair", "totalFee"],
    ["swapFee", "swapFee"],
  ])("may have a fee of its own, which the factory's owner sets (%s)", (fees, getter) => {
    const own = uniswapV2.discover(created, { ...record, facts: { fees } }) as Pool;
    const asked = { to: PAIR, data: toFunctionSelector(`function ${getter}()`) };
    expect(uniswapV2.reads(own, [])[1]).toEqual(asked);
    const state = uniswapV2.load(own, [reserves, words(4n)], at) as State;
    expect(state).toMatchObject({ feePpm: 4_000, feeReadAt: at.timestamp });
    expect(uniswapV2.load(own, [reserves, words(1_000n)], at)).toEqual({ refusal: "a fee is out of range" });
  });

  test("of other deployments, whose fee is fixed, none is asked again", () => {
    const fixed = uniswapV2.discover(created, { ...record, facts: { feePpm: 3_000 } }) as Pool;
    expect(uniswapV2.reads(fixed, [])).toHaveLength(1);
    const state = uniswapV2.load(fixed, [reserves], at) as State;
    expect(uniswapV2.stale(state, { ...at, timestamp: 2 ** 40 })).toBe(false);
  });
});
