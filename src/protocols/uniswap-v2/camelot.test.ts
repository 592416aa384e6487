import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import { amountOut } from "../../core/math/pairs/constant-product.ts";
import type { Deployment, Hex, Log, Pool } from "../../core/types.ts";
import { PAIR } from "./arbitrary.ts";
import { uniswapV2 } from "./index.ts";
import type { State } from "./quote.ts";

const at = { blockNumber: 1, timestamp: 1 };
const words = (...values: readonly bigint[]): Hex => `0x${values.map(word).join("")}`;
const [PAIR_CREATED, SYNC, FEES, STABLE] = uniswapV2.topics as [Hex, Hex, Hex, Hex];
const log = (topic: Hex, data: Hex): Log => ({ address: PAIR, topics: [topic], data });

const record: Deployment = {
  id: "camelot-v2",
  protocol: "uniswap-v2",
  name: "Camelot_V2",
  factory: "0x6eccab422d763ac031210895c81787e87b43a652",
  fromBlock: 0,
  trusted: false,
  facts: { fees: "camelot" },
  source: "test",
};

const pool = uniswapV2.discover(
  {
    address: record.factory,
    topics: [PAIR_CREATED, words(1n), words(2n)],
    data: words(BigInt(PAIR), 7n),
  },
  record,
) as Pool;

/** 0.3 % on token 0, 1.2 % on token 1, in units of 1/100,000. */
const reserves = words(10n ** 20n, 3n * 10n ** 20n, 300n, 1200n);
const state = uniswapV2.load(pool, [reserves, words(0n)], at) as State;

describe("a pair of Camelot", () => {
  test("says its own fees, one for each token", () => {
    expect(uniswapV2.reads(pool, [])).toHaveLength(2);
    expect(state).toEqual({ reserves: [10n ** 20n, 3n * 10n ** 20n], feePpm: 3000, feeOneToZeroPpm: 12_000 });
  });

  test("pays by the fee of the token sold, and tells the router so", () => {
    const view = new Map([[PAIR, state]]);
    const sold = (i: number) => uniswapV2.quote(view, pool, i, 1 - i, 10n ** 18n, "in", at)!.amountOut;
    expect(sold(0)).toBe(amountOut(10n ** 18n, state.reserves[0], state.reserves[1], 3000));
    expect(sold(1)).toBe(amountOut(10n ** 18n, state.reserves[1], state.reserves[0], 12_000));
    // getAmountOut counts in units of 1/100,000; the quotient is the same.
    const lessFee = 10n ** 18n * (100_000n - 1200n);
    expect(sold(1)).toBe((lessFee * state.reserves[0]) / (state.reserves[1] * 100_000n + lessFee));
    expect([0, 1].map((i) => uniswapV2.encode(pool, state, i, 1 - i).extra)).toEqual([
      "0x000bb8",
      "0x002ee0",
    ]);
  });

  test("keeps its fees over a Sync, and takes new ones from its own log", () => {
    const synced = uniswapV2.apply(state, log(SYNC, words(5n, 6n)), at);
    expect(synced).toEqual({ ...state, reserves: [5n, 6n] });
    const changed = uniswapV2.apply(state, log(FEES, words(40n, 50n)), at);
    expect(changed).toEqual({ ...state, feePpm: 400, feeOneToZeroPpm: 500 });
    expect(uniswapV2.apply(state, log(STABLE, words(0n, 1n)), at)).toBe("reload");
    expect(uniswapV2.apply(state, log(FEES, "0x"), at)).toBe("reload");
  });

  test("is followed by these logs alone: on another pair they say nothing", () => {
    const plain: State = { reserves: [1n, 2n], feePpm: 3000 };
    for (const topic of [FEES, STABLE]) {
      expect(uniswapV2.touches(log(topic, "0x"))).toEqual([PAIR]);
      expect(uniswapV2.apply(plain, log(topic, words(40n, 50n)), at)).toBe(plain);
    }
  });

  test.each<[string, readonly Hex[], string]>([
    ["stable", [reserves, words(1n)], "a stable pair of Camelot"],
    ["mute", [words(1n, 2n, 3n), words(0n)], "getReserves or stableSwap failed"],
    ["mute about its curve", [reserves, "0x"], "getReserves or stableSwap failed"],
    ["of a fee over all", [words(1n, 2n, 300n, 100_000n), words(0n)], "a fee is out of range"],
  ])("is refused where it is %s", (_name, answers, refusal) => {
    expect(uniswapV2.load(pool, answers, at)).toEqual({ refusal });
  });
});
