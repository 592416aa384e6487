import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address, Chain } from "../../core/types.ts";
import { NATIVE } from "../../core/types.ts";
import { type PairClass, pairClass, suggestedSlippagePpm } from "./slippage.ts";
import type { Prices } from "./values.ts";

const [WRAPPED, USDC, DAI, TOKEN]: readonly Address[] = ["1", "2", "3", "4"].map(
  (digit): Address => `0x${digit.repeat(40)}`,
);
const chain = { wrappedNative: WRAPPED, dollarTokens: [USDC, DAI] } as unknown as Chain;

const depth = (inUsd: number | undefined, outUsd: number | undefined): Prices => {
  const of = (depthUsd: number | undefined) =>
    depthUsd === undefined ? undefined : { usdPerUnit: 1, depthUsd };
  return { usdPerWei: 1, weiPerOut: 1, tokenIn: of(inUsd), tokenOut: of(outUsd) };
};

test("a pair is as deep as the shallower of its tokens, and unknown where one has no price", () => {
  const million = depth(1e6, 1e7);
  expect(pairClass(chain, NATIVE, WRAPPED!, million)).toBe("wrap");
  expect(pairClass(chain, USDC!, DAI!, million)).toBe("pegged");
  expect(pairClass(chain, NATIVE, TOKEN!, million)).toBe("deep");
  expect(pairClass(chain, USDC!, TOKEN!, depth(1e7, 1e6 - 1))).toBe("shallow");
  expect(pairClass(chain, USDC!, TOKEN!, depth(1e7, undefined))).toBe("unknown");
});

describe("the slippage suggested", () => {
  const kinds: readonly PairClass[] = ["wrap", "pegged", "deep", "shallow", "unknown"];

  test("follows the pair's class where there are no measurements, and the measurements where there are", () => {
    expect(kinds.map((kind) => suggestedSlippagePpm(kind, undefined, 0))).toEqual([
      1_000, 2_000, 5_000, 10_000, 30_000,
    ]);
    expect(suggestedSlippagePpm("unknown", 7_301, 0)).toBe(7_400);
    expect(suggestedSlippagePpm("deep", 3, undefined)).toBe(1_000);
  });

  test("is at most four times the class's allowance, whatever was measured", () => {
    const most = [4_000, 8_000, 20_000, 40_000, 120_000];
    expect(kinds.map((kind) => suggestedSlippagePpm(kind, 1_000_000, 0))).toEqual(most);
    expect(suggestedSlippagePpm("deep", 1_000_000, 100)).toBe(20_000 + 2_000);
  });

  test("allows for a trade of a tenth of the size that executes first", () => {
    expect(suggestedSlippagePpm("deep", undefined, 100)).toBe(5_000 + 2_000);
  });

  test("is always within the limits of a request, and never smaller for a larger price impact", () => {
    const impacts = fc.integer({ min: 0, max: 10_000 });
    const drifts = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(fc.constantFrom(...kinds), drifts, impacts, impacts, (kind, drift, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((bps) =>
          suggestedSlippagePpm(kind, drift, bps),
        );
        expect(less! <= more! && less! >= 1_000 && more! <= 500_000).toBe(true);
        expect(Number.isInteger(less! / 100)).toBe(true);
      }),
    );
  });
});
