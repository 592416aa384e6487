import fc from "fast-check";
import { expect, test } from "vitest";
import type { Address } from "../../../core/types.ts";
import { DAI, USDC, USDT, WETH } from "../addresses.ts";
import { prices as devnetPrices, sushiPairs, uniswapPairs } from "../market.ts";
import { type PairRecord, type RecordedPair, recordedSushi, recordedUniswap } from "./recorded.ts";
import { agreedPrices, type Prices, traded } from "./searcher.ts";

/** @source Uniswap/v2-core contracts/UniswapV2Pair.sol swap */
function amountOut(sold: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const kept = sold * BigInt(1_000_000 - PAIR_FEE_PPM);
  return (kept * reserveOut) / (reserveIn * 1_000_000n + kept);
}

/** Profit of the best of many sales to a pair at these prices, as a share of the value of the reserve bought. */
function earned({ token0, token1, reserve0, reserve1 }: PairRecord, prices: Prices): number {
  const sides = [
    { in: reserve0, out: reserve1, worthIn: prices.get(token0)!, worthOut: prices.get(token1)! },
    { in: reserve1, out: reserve0, worthIn: prices.get(token1)!, worthOut: prices.get(token0)! },
  ];
  const gains = sides.flatMap((side) =>
    [1_000_000n, 10_000n, 1_000n, 100n, 30n, 10n, 3n].map((part) => {
      const sold = side.in / part;
      const bought = amountOut(sold, side.in, side.out);
      return (
        (Number(bought) * side.worthOut - Number(sold) * side.worthIn) / (Number(side.out) * side.worthOut)
      );
    }),
  );
  return Math.max(...gains);
}

const PAIR_FEE_PPM = 3000;
const facts = { feePpm: PAIR_FEE_PPM };

const nameOf = (serial: number): Address => `0x${serial.toString(16).padStart(40, "0")}`;
const worth = fc.bigInt(10n ** 22n, 10n ** 23n);
const amount = fc.bigInt(10n ** 15n, 10n ** 24n);

/**
 * Pairs of each token with token 0, and pairs between the other tokens with half the depth of their second token.
 * Prices of the latter are off by up to a third.
 */
const markets = fc.array(fc.tuple(worth, amount), { minLength: 2, maxLength: 6 }).chain((levels) =>
  fc
    .array(
      fc.tuple(fc.nat(levels.length - 1), fc.nat(levels.length - 1), fc.double({ min: 0.75, max: 1.33 })),
      {
        maxLength: 12,
      },
    )
    .map((more) => {
      const level = (k: number) => Number(levels[k]![0]) / Number(levels[k]![1]);
      const first = levels.map(([reserve0, reserve1], k): RecordedPair => {
        return {
          ...facts,
          address: nameOf(100 + k),
          token0: nameOf(0),
          token1: nameOf(k + 1),
          reserve0,
          reserve1,
        };
      });
      const second = more
        .filter(([a, b, skew]) => a !== b && !Number.isNaN(skew))
        .map(([a, b, skew], k): RecordedPair => {
          const tokens = { ...facts, address: nameOf(200 + k), token0: nameOf(a + 1), token1: nameOf(b + 1) };
          const reserve1 = levels[b]![1] / 2n;
          const reserve0 = BigInt(Math.round((Number(reserve1) * level(b) * skew) / level(a)));
          return { ...tokens, reserve0, reserve1 };
        })
        .filter(({ reserve0 }) => reserve0 > 10n ** 12n);
      return [...first, ...second];
    }),
);

test("after the searcher no pair earns anything at the prices it found, and no pair has lost liquidity", () => {
  fc.assert(
    fc.property(markets, (pairs) => {
      const prices = agreedPrices({ pairs, numeraire: nameOf(0) }, []);
      for (const pair of pairs) {
        const after = traded(pair, prices);
        expect(earned(after, prices)).toBeLessThan(1e-9);
        expect(after.reserve0 * after.reserve1).toBeGreaterThanOrEqual(pair.reserve0 * pair.reserve1);
      }
    }),
    { numRuns: 50 },
  );
});

test("what the searcher takes of each token it gives back elsewhere", () => {
  const before = [...recordedUniswap, ...recordedSushi];
  const after = before.map((pair) => traded(pair, devnetPrices));
  const moved = new Map<Address, { net: number; gross: number }>();
  before.forEach((pair, k) => {
    for (const [token, change] of [
      [pair.token0, after[k]!.reserve0 - pair.reserve0],
      [pair.token1, after[k]!.reserve1 - pair.reserve1],
    ] as const) {
      const { net, gross } = moved.get(token) ?? { net: 0, gross: 0 };
      moved.set(token, { net: net + Number(change), gross: gross + Math.abs(Number(change)) });
    }
  });
  // The profit is in WETH. Pegged dollars balance only together.
  for (const token of [WETH, DAI, USDC, USDT]) moved.delete(token);
  expect(moved.size).toBeGreaterThan(50);
  for (const [token, { net, gross }] of moved) {
    expect(Math.abs(net), token).toBeLessThanOrEqual(gross * 1e-6 + 4);
  }
});

test("recorded pairs pay a searcher, the devnet's do not, and dollars are worth a dollar", () => {
  const recorded = [...recordedUniswap, ...recordedSushi].map((pair) => earned(pair, devnetPrices));
  expect(recorded.filter((gain) => gain > 1e-4).length).toBeGreaterThan(15);
  for (const pair of [...uniswapPairs, ...sushiPairs]) {
    expect(earned(pair, devnetPrices), pair.address).toBeLessThan(1e-9);
  }
  expect(devnetPrices.get(USDC)! / devnetPrices.get(DAI)!).toBeCloseTo(1e12, 0);
  expect(devnetPrices.get(USDT)! / devnetPrices.get(DAI)!).toBeCloseTo(1e12, 0);
});

test("a pair that nothing joins to the numeraire is named", () => {
  const lost = {
    ...facts,
    address: nameOf(9),
    token0: nameOf(7),
    token1: nameOf(8),
    reserve0: 1n,
    reserve1: 1n,
  };
  expect(() => agreedPrices({ pairs: [lost], numeraire: nameOf(0) }, [])).toThrow(/No pairs join/);
});
