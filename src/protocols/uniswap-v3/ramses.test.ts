import { describe, expect, test } from "vitest";
import { word } from "../../core/abi.ts";
import type { Deployment, Hex, Log } from "../../core/types.ts";
import { followed, loaded, poolOf } from "../recorded-pool.fixture.ts";
import { uniswapV3 } from "./index.ts";
import recorded from "./ramses-swaps.json" with { type: "json" };
import type { State } from "./state.ts";

const FACTORY = "0x00000000000000000000000000000000000000fa";
const at = { blockNumber: 1, timestamp: 1 };
const pool = poolOf(recorded, uniswapV3, { tickSpacing: 5, feesFrom: recorded.pool });
const words = (...values: readonly bigint[]): Hex => `0x${values.map(word).join("")}`;

const record = (facts: Deployment["facts"]): Deployment => ({
  ...{ id: "ramses-v3", protocol: "uniswap-v3", name: "Ramses_V3", factory: FACTORY, fromBlock: 0 },
  ...{ trusted: false, facts, source: "test" },
});

/** PoolCreated of v3, with a fee of 250 ppm and a spacing of 5. */
const created: Log = {
  address: FACTORY,
  topics: [
    "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
    words(1n),
    words(2n),
    words(250n),
  ],
  data: words(5n, BigInt(recorded.pool)),
};

test("every swap is quoted to the unit while positions and the fee change", () => {
  const { quoted, state } = followed(recorded, uniswapV3, pool, {});
  expect(quoted).toBe(9);
  expect((loaded(recorded, uniswapV3, pool) as State).feePpm).not.toBe(state.feePpm);
});

describe("a pool that states its fee", () => {
  test("is found by log and by pair alike, and asked for its fee with its price", () => {
    const byLog = uniswapV3.discover(created, record({ fees: "pool", keys: "tickSpacing" }));
    expect(byLog?.facts).toEqual({ tickSpacing: 5, feesFrom: recorded.pool });
    const source = uniswapV3.byPair(record({ fees: "pool", keys: "tickSpacing" }))!;
    expect(source).toMatchObject({ selector: "0x28af8d0b", keys: [1, 5, 10, 50, 100, 200] });
    expect(source.poolOf(byLog!.tokens as [Hex, Hex], words(BigInt(recorded.pool)), 5, [])).toEqual(byLog);
    expect(uniswapV3.reads(pool, []).map(({ data }) => data)).toContain("0xddca3f43");
    expect(uniswapV3.bitmap(pool)?.heads).toHaveLength(3);
  });

  test("may also be one of those that the factory names by their first fee", () => {
    const source = uniswapV3.byPair(record({ fees: "pool" }))!;
    expect(source.selector).toBe("0x1698ee82");
    expect(source.poolOf([words(1n), words(2n)], words(BigInt(recorded.pool)), 500, [])?.facts).toEqual({
      tickSpacing: 10,
      feesFrom: recorded.pool,
    });
    expect(uniswapV3.discover(created, record({}))?.facts).toEqual({ feePpm: 250, tickSpacing: 5 });
  });

  test("is refused without it, or where it takes everything", () => {
    const withFee = (fee: Hex) =>
      loaded(recorded, uniswapV3, pool, ({ data }, answer) => (data === "0xddca3f43" ? fee : answer));
    expect(withFee("0x")).toEqual({ refusal: "fee failed" });
    expect(withFee(words(1_000_000n))).toEqual({ refusal: "fee or tick spacing out of range" });
    expect(withFee(words(700n))).toMatchObject({ feePpm: 700 });
  });

  test("is read again after an hour, or a log that says the fee takes everything", () => {
    const state = loaded(recorded, uniswapV3, pool) as State;
    const { readAt } = state.fees!;
    const stale = (timestamp: number) => uniswapV3.stale(state, { blockNumber: 1, timestamp });
    expect([stale(readAt + 3600), stale(readAt + 3601)]).toEqual([false, true]);
    const adjusted = (fee: bigint) =>
      uniswapV3.apply(
        state,
        {
          address: pool.address,
          topics: ["0x0cba87189055d3b5ab05c96fbd641bc766576c9e7cf0d195bdfb58a0c6a6df24"],
          data: words(1n, fee),
        },
        at,
      );
    expect([adjusted(999_999n), adjusted(1_000_000n)]).toEqual([{ ...state, feePpm: 999_999 }, "reload"]);
  });
});
