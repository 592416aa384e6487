import { expect, test } from "vitest";
import poolFile from "../data/uniswap-v3.json" with { type: "json" };
import { reference, tokens } from "./market.ts";
import { designPool, type PoolOrder } from "./pool-design.ts";

const designs = (poolFile.pools as readonly PoolOrder[]).map(designPool);
const symbolOf = (address: string) => tokens.find((token) => token.address === address)?.symbol;
const name = ({ token0, token1, fee }: PoolOrder) => `${symbolOf(token0)}/${symbolOf(token1)} ${fee}`;

test("there are pools of every fee tier over the main tokens", () => {
  expect(new Set(designs.map(({ fee }) => fee))).toEqual(new Set([100, 500, 3000, 10_000]));
  expect(designs.map(name)).toEqual(
    expect.arrayContaining(["USDC/WETH 500", "USDC/WETH 3000", "WBTC/WETH 3000", "WBTC/USDC 3000"]),
  );
});

test.each(designs.map((design) => [name(design), design] as const))(
  "%s has the market's price",
  (_, design) => {
    const [first, second] = [reference(design.token0), reference(design.token1)];
    const price = Number(first.weth * second.amount) / Number(first.amount * second.weth);
    const squared = (Number(design.sqrtPriceX96) / 2 ** 96) ** 2;
    expect(squared / price).toBeCloseTo(1, 9);
    // sqrtPriceX96 is the floor of the exact square root.
    const target = ((first.weth * second.amount) << 192n) / (first.amount * second.weth);
    expect(design.sqrtPriceX96 ** 2n <= target && (design.sqrtPriceX96 + 1n) ** 2n > target).toBe(true);
  },
);

test.each(designs.map((design) => [name(design), design] as const))(
  "%s has usable positions",
  (_, design) => {
    for (const { tickLower, tickUpper, liquidity } of design.positions) {
      expect(tickLower).toBeLessThan(tickUpper);
      expect(Math.abs(tickLower % design.tickSpacing) + Math.abs(tickUpper % design.tickSpacing)).toBe(0);
      expect(liquidity).toBeGreaterThan(0n);
    }
    const ticks = new Set(design.positions.flatMap(({ tickLower, tickUpper }) => [tickLower, tickUpper]));
    expect(ticks.size).toBeGreaterThanOrEqual(10);
    expect(design.liquidityInRange).toBeLessThan(
      design.positions.reduce((sum, { liquidity }) => sum + liquidity, 0n),
    );
  },
);

test("WETH costs 339 USD here as after the searcher, and a bitcoin 31 of it", () => {
  const usdc = designs.find((design) => name(design) === "USDC/WETH 500");
  const bitcoin = designs.find((design) => name(design) === "WBTC/WETH 500");
  expect(1e12 / (Number(usdc!.sqrtPriceX96) / 2 ** 96) ** 2).toBeCloseTo(339.16, 2);
  expect((Number(bitcoin!.sqrtPriceX96) / 2 ** 96) ** 2 / 1e10).toBeCloseTo(30.82, 2);
});
