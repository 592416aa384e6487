import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountToSell } from "./aim.ts";

const never = () => false;

/** What pools of constant product buy together if an amount is split in proportion to their depth, up to `most`. */
function poolOf(rate: number, depth: number, most = Infinity): (sold: number) => number {
  return (sold) => (sold <= most ? (rate * sold) / (1 + sold / depth) : 0);
}

describe("the amount to sell", () => {
  test("is found with two evaluations for one pool of constant product, of which half is bought", () => {
    const bought = poolOf(3, 1e20);
    let calls = 0;
    const amount = amountToSell({ wanted: 1.5e20, rate: 3, late: never }, (sold) => {
      calls++;
      return bought(sold);
    });
    expect(amount).toBeCloseTo(1e20, -12);
    expect(calls).toBe(2);
  });

  test("buys what is wanted to within a thousandth, from any rate near that of small amounts", () => {
    const pool = fc.tuple(
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      fc.double({ min: 1, max: 1e3, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(pool, { minLength: 1, maxLength: 5 }),
        fc.double({ min: 1e-3, max: 0.6, noNaN: true }),
        fc.double({ min: 0.9, max: 1.1, noNaN: true }),
        (pools, share, off) => {
          const parts = pools.map(([rate, depth]) => poolOf(rate, depth));
          const bought = (sold: number) => parts.reduce((sum, part) => sum + part(sold / parts.length), 0);
          const wanted = share * pools.reduce((sum, [rate, depth]) => sum + rate * depth, 0);
          const rate = (off * pools.reduce((sum, [one]) => sum + one, 0)) / pools.length;
          const amount = amountToSell({ wanted, rate, late: never }, bought);
          expect(Math.abs(bought(amount!) / wanted - 1)).toBeLessThan(1e-3);
        },
      ),
    );
  });

  test("stays below amounts that cannot be sold", () => {
    const bought = poolOf(1, 1e4, 60);
    const amount = amountToSell({ wanted: 50, rate: 0.1, late: never }, bought);
    expect(bought(amount!)).toBeCloseTo(50, 0);
  });

  test("is unknown if nothing can be sold", () => {
    expect(amountToSell({ wanted: 50, rate: 1, late: never }, () => 0)).toBeUndefined();
  });

  test("is the first secant's after a first evaluation that took all of the time", () => {
    let calls = 0;
    const amount = amountToSell({ wanted: 60, rate: 1, late: () => true }, (sold) => {
      calls++;
      return poolOf(1, 1e2)(sold);
    });
    expect(calls).toBe(1);
    expect(amount).toBeCloseTo(150, 6);
  });
});
