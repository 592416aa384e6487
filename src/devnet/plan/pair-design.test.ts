import { expect, test } from "vitest";
import { USDC, USDT, WBTC, WETH } from "./addresses.ts";
import { reference, uniswapPairs, worth } from "./market.ts";
import { designPairs } from "./pair-design.ts";

/** Uniswap's factory, whose pair addresses are known. */
const maker = {
  factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
  initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
} as const;

test("a pair stands where its factory puts it, in that share of the real one's reserves", () => {
  const [pair] = designPairs(maker, [[USDC, WETH, 6n]]);
  const real = uniswapPairs.find(({ address }) => address === pair!.address)!;
  expect([real.token0, real.token1]).toEqual([USDC, WETH]);
  expect(pair!.reserve1).toBe((real.reserve1 * 6n) / 100n);
  // The recorded pair is within its fee of the market price, and the designed pair is at it.
  expect(Number(pair!.reserve0) / Number(real.reserve0) / 0.06).toBeCloseTo(1, 2);
  expect(Number(pair!.reserve0) / Number(worth(pair!.reserve1, WETH, USDC))).toBeCloseTo(1, 9);
});

test("a pair without WETH is at the price of its tokens' pairs, as deep as the shallower one", () => {
  const pairs = designPairs(maker, [
    [WBTC, USDC, 10n],
    [USDC, USDT, 10n],
  ]);
  for (const { token0, token1, reserve0, reserve1 } of pairs) {
    const worths = [reference(token0), reference(token1)].map(
      ({ weth, amount }) => Number(weth) / Number(amount),
    );
    const sides = [Number(reserve0) * worths[0]!, Number(reserve1) * worths[1]!];
    const shallower = Math.min(Number(reference(token0).weth), Number(reference(token1).weth));
    for (const side of sides) expect(side / shallower).toBeCloseTo(0.1, 6);
  }
});
