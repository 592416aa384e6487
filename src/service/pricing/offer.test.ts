import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WireRoute } from "../../core/encoding/index.ts";
import type { RouteFound } from "../../core/routing/types.ts";
import type { Address, Chain, Pool } from "../../core/types.ts";
import { ALL_Q32 } from "../../core/types.ts";
import type { ListedToken } from "../ports/ports.ts";
import { makeOffer, type OfferTerms } from "./offer.ts";

const [A, B]: readonly [Address, Address] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`];

const pool: Pool = {
  id: "p",
  address: A,
  protocol: "uniswap-v2",
  deployment: "dex",
  tokens: [A, B],
  stateIds: ["p"],
  facts: {},
};
const chain = {
  id: 1,
  deployments: [{ id: "dex", protocol: "uniswap-v2", name: "Dex" }],
} as unknown as Chain;
/** One step that pays the recipient; apart from gas, an offer does not depend on it. */
const wire: WireRoute = {
  tokens: [A, B],
  steps: [{ kind: 1, flags: 4, src: 0, dst: 1, share: 0, target: A, extra: "0x000bb8" }],
};
const listed = (address: Address) => ({ address }) as ListedToken;

function found(amountIn: bigint, amountOut: bigint, spotPrice: number): RouteFound {
  const step = { pool, i: 0, j: 1, shareQ32: ALL_Q32, amountIn, amountOut, gas: 60_000 };
  return {
    kind: "found",
    route: { tokenIn: A, tokenOut: B, amountIn, amountOut, steps: [step] },
    spotPrice,
    optimality: { upperBound: null, reason: "test" },
    prices: new Map(),
    netPrices: new Map(),
    search: { complete: true, ms: 1, settleMs: 0 },
    nativePerOut: undefined,
    gas: 60_000,
  };
}

function terms(amountIn: bigint, more: Partial<OfferTerms> = {}): OfferTerms {
  return {
    chain,
    head: { number: 1, hash: "0x1", parentHash: "0x0", timestamp: 1 },
    tokenIn: listed(A),
    tokenOut: listed(B),
    side: "in",
    amountIn,
    slippagePpm: 10_000,
    fees: { recipient: undefined, buyPermille: 0, sellPermille: 0 },
    gasPriceWei: 1n,
    ...more,
  };
}

describe("an offer", () => {
  const amounts = fc.bigInt({ min: 1n, max: 2n ** 200n });
  const permilles = fc.integer({ min: 0, max: 500 });

  test("amount and fee add up to the gross amount on both sides, and the minimum is at most the amount", () => {
    const trades = fc.record({
      sold: amounts,
      gross: amounts,
      buyPermille: permilles,
      sellPermille: permilles,
      slippagePpm: fc.integer({ min: 1_000, max: 500_000 }),
    });
    fc.assert(
      fc.property(trades, ({ sold, gross, buyPermille, sellPermille, slippagePpm }) => {
        const routed = sold - (sold * BigInt(sellPermille)) / 1000n;
        const fees = { recipient: A, buyPermille, sellPermille };
        const offer = makeOffer(terms(sold, { fees, slippagePpm }), found(routed, gross, 1), wire);
        expect(offer.amountOut + offer.buyFee).toBe(gross);
        expect(offer.sellFee + routed).toBe(sold);
        expect(offer.buyFee * 1000n <= gross * BigInt(buyPermille)).toBe(true);
        expect(offer.amountOut).toBeGreaterThan(0n);
        expect(offer.minimumOut).toBeGreaterThan(0n);
        expect(offer.minimumOut <= offer.amountOut).toBe(true);
      }),
    );
  });

  test.each([
    [2, 5_000],
    [1, 0],
    [0.5, 0],
    [0, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])("the impact against a spot price of %s is %s bp", (spotPrice, impact) => {
    expect(makeOffer(terms(1_000n), found(1_000n, 1_000n, spotPrice), wire).priceImpactBps).toBe(impact);
  });

  test("one unit lost to rounding is no price impact where it is less than a basis point", () => {
    const impact = (amountIn: bigint, amountOut: bigint) =>
      makeOffer(terms(amountIn), found(amountIn, amountOut, 1), wire).priceImpactBps;
    // 32,001 units pay 2 bp less than the price; half of them pays one unit less than half of that.
    expect([impact(32_001n, 31_995n), impact(16_000n, 15_996n)]).toEqual([2, 2]);
    expect(impact(10_000n, 9_999n)).toBe(1);
    expect(impact(10_001n, 10_000n)).toBe(0);
  });

  test("fees and the native coin make the gas estimate larger, never smaller", () => {
    const plain = makeOffer(terms(1_000n), found(1_000n, 1_000n, 1), wire).gas;
    const fees = { recipient: A, buyPermille: 10, sellPermille: 10 };
    expect(makeOffer(terms(1_000n, { fees }), found(990n, 1_000n, 1), wire).gas).toBeGreaterThan(plain);
    expect(plain).toBeGreaterThan(60_000n);
  });
});
