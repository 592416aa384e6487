import { expect, test } from "vitest";
import { movedMarket } from "./moved.ts";
import type { MarketFile } from "./schema.ts";

const SIDE = 10n ** 24n;
const COUNT = 5_000;
const file: MarketFile = {
  schema: "market/1",
  ...{ chainId: 1, block: 1, timestamp: 1, native: "0x00", usd: {}, tokens: [] },
  pools: Array.from({ length: COUNT }, (_, k) => ({
    protocol: k % 5 === 0 ? "uniswap-v3" : "uniswap-v2",
    address: `0x${k}`,
    tokens: ["0x01", "0x02"],
    state: k % 5 === 0 ? { liquidity: "1" } : { reserves: [String(SIDE), String(SIDE)], feeNum: "3" },
  })),
};

const reservesOf = ({ pools }: MarketFile) =>
  pools.flatMap(({ state }) => (state.reserves === undefined ? [] : [state.reserves as string[]]));

test("about one pair in a hundred is moved up or down, by a tenth of a percent to four, and no other", () => {
  const moved = reservesOf(movedMarket(file, 1)).filter(([a]) => a !== String(SIDE));
  expect(moved.length).toBeGreaterThan(20);
  expect(moved.length).toBeLessThan(80);
  for (const [a, b] of moved) {
    const off = Math.abs(Math.log(Number(a) / Number(b)));
    expect(off).toBeGreaterThan(0.0019);
    expect(off).toBeLessThan(0.0401);
    expect((Number(a) * Number(b)) / Number(SIDE) ** 2).toBeCloseTo(1, 6);
  }
  expect(moved.some(([a]) => BigInt(a!) > SIDE) && moved.some(([a]) => BigInt(a!) < SIDE)).toBe(true);
});

test("the same seed moves the same pairs, another seed others", () => {
  expect(movedMarket(file, 3)).toEqual(movedMarket(file, 3));
  expect(reservesOf(movedMarket(file, 3))).not.toEqual(reservesOf(movedMarket(file, 4)));
});
