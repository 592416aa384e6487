import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address, Chain } from "../../core/types.ts";
import { NATIVE } from "../../core/types.ts";
import type { ListedToken } from "../ports/ports.ts";
import { type DollarSource, dollarPrice, usdPerWei } from "./dollars.ts";
import { pricesOf, valuesOf } from "./values.ts";

/** A dollar token: the dollar price of one native coin by its pools, and the depth of these pools in wei. */
type Dollar = { readonly usdPerCoin: number; readonly depthWei: number; readonly decimals: number };

const address = (k: number): Address => `0x${(k + 1).toString(16).padStart(40, "0")}`;
const COIN = 1e18;

function sourceOf(dollars: readonly Dollar[]): DollarSource {
  const of = (token: Address) => dollars[Number(token) - 1];
  return {
    chain: { id: 1, dollarTokens: dollars.map((_, k) => address(k)) } as unknown as Chain,
    tokens: { get: (_id, token) => ({ decimals: of(token)?.decimals }) as ListedToken },
    market: {
      nativePer: (token) => {
        if (token === NATIVE) return 1;
        const dollar = of(token);
        return dollar === undefined ? undefined : COIN / dollar.usdPerCoin / 10 ** dollar.decimals;
      },
      priceDepth: (token) => (token === NATIVE ? Number.POSITIVE_INFINITY : (of(token)?.depthWei ?? 0)),
    },
  };
}

const usdPerCoin = (dollars: readonly Dollar[]) => {
  const perWei = usdPerWei(sourceOf(dollars));
  return perWei === undefined ? undefined : perWei * COIN;
};

const deep = (usd: number, coins: number, decimals = 6): Dollar => ({
  usdPerCoin: usd,
  depthWei: coins * COIN,
  decimals,
});

describe("the dollar price of the native coin", () => {
  test("is the price that a single dollar token implies, whatever its decimals", () => {
    expect(usdPerCoin([deep(2_000, 100)])).toBeCloseTo(2_000, 6);
    expect(usdPerCoin([deep(2_000, 100, 18)])).toBeCloseTo(2_000, 6);
  });

  test("is not moved by a dollar token that lost its peg and holds less than half of the depth", () => {
    expect(usdPerCoin([deep(2_000, 60), deep(40_000, 50)])).toBeCloseTo(2_000, 6);
    expect(usdPerCoin([deep(2_000, 60), deep(1, 50)])).toBeCloseTo(2_000, 6);
  });

  test("is undefined where the pools hold less than 10,000 dollars in total, or there are none", () => {
    expect(usdPerCoin([deep(2_000, 4.99)])).toBeUndefined();
    expect(usdPerCoin([deep(2_000, 5.01)])).toBeCloseTo(2_000, 6);
    expect(usdPerCoin([])).toBeUndefined();
    expect(usdPerCoin([{ usdPerCoin: 2_000, depthWei: 0, decimals: 6 }])).toBeUndefined();
  });

  test("lies between the prices of tokens that hold more than half of the depth, whatever the others imply", () => {
    const sane = fc.array(fc.double({ min: 1_990, max: 2_010, noNaN: true }), { minLength: 1, maxLength: 4 });
    const wild = fc.array(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), { maxLength: 3 });
    fc.assert(
      fc.property(sane, wild, (good, bad) => {
        const half = 99 / Math.max(1, bad.length);
        const dollars = [...good.map((usd) => deep(usd, 100)), ...bad.map((usd) => deep(usd, half))];
        const price = usdPerCoin(dollars)!;
        expect(price).toBeGreaterThanOrEqual(Math.min(...good) - 1e-6);
        expect(price).toBeLessThanOrEqual(Math.max(...good) + 1e-6);
      }),
    );
  });
});

describe("the values of amounts", () => {
  const source = sourceOf([deep(2_000, 100), deep(2_000, 4)]);

  test("a token priced by pools of less than 10,000 dollars has no value, although it can be routed", () => {
    const perWei = usdPerWei(source);
    expect(dollarPrice(source, address(0), perWei)?.usdPerUnit).toBeCloseTo(1e-6, 12);
    expect(dollarPrice(source, address(1), perWei)).toBeUndefined();
    expect(dollarPrice(source, address(7), perWei)).toBeUndefined();
  });

  test("the net amount is the amount minus the gas cost in its token, and may be negative", () => {
    const prices = pricesOf(source, NATIVE, address(0));
    const amounts = { amountIn: 10n ** 18n, amountOut: 1_990_000_000n, minimumOut: 1_980_000_000n };
    const gas = { gas: 200_000n, gasPriceWei: 10n ** 10n };
    const values = valuesOf(prices, { ...amounts, ...gas });
    expect(values.amountInUsd).toBeCloseTo(2_000, 6);
    expect(values.amountOutUsd).toBeCloseTo(1_990, 6);
    expect(values.minimumOutUsd).toBeCloseTo(1_980, 6);
    expect(values.gasUsd).toBeCloseTo(4, 6);
    expect(values.netOut).toBe(1_986_000_000n);
    expect(valuesOf(prices, { ...amounts, ...gas, amountOut: 1n }).netOut).toBe(1n - 4_000_000n);
  });

  test("there is no value where no pools price the token", () => {
    const prices = pricesOf(sourceOf([]), address(1), address(2));
    const values = valuesOf(prices, {
      amountIn: 1n,
      amountOut: 1n,
      minimumOut: 1n,
      gas: 1n,
      gasPriceWei: 1n,
    });
    expect(Object.values(values).every((value) => value === undefined)).toBe(true);
  });
});
