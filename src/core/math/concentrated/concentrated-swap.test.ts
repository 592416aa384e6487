import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Concentrated, LIMIT_DOWN, LIMIT_UP, swap } from "./concentrated-swap.ts";
import {
  amount0Down,
  amount0Up,
  amount1Down,
  amount1Up,
  divRoundingUp,
  priceAfterInput,
} from "./sqrt-price-math.ts";
import { swapStep } from "./swap-math.ts";
import { MAX_TICK, MIN_SQRT_RATIO, MIN_TICK, sqrtRatioAtTick } from "./tick-math.ts";

const ONE = 2n ** 96n;

function pool(changes: Partial<Concentrated> = {}): Concentrated {
  return {
    feePpm: 3000,
    tickSpacing: 60,
    sqrtPriceX96: ONE,
    tick: 0,
    liquidity: 10n ** 18n,
    ticks: [-600, 600],
    nets: [10n ** 18n, -(10n ** 18n)],
    lowest: MIN_TICK,
    highest: MAX_TICK,
    ...changes,
  };
}

describe("what the contract refuses", () => {
  test.each([
    ["nothing asked", pool(), true, 0n, LIMIT_DOWN],
    ["more than an int256", pool(), true, 2n ** 255n, LIMIT_DOWN],
    ["less than an int256", pool(), true, -(2n ** 255n), LIMIT_DOWN],
    ["a limit above the price, going down", pool(), true, 1n, ONE],
    ["a limit below the price, going up", pool(), false, 1n, ONE],
    ["a limit at the lowest price", pool(), true, 1n, MIN_SQRT_RATIO],
    ["a limit at the highest price", pool(), false, 1n, LIMIT_UP + 1n],
    ["a pool that is not initialised", pool({ sqrtPriceX96: 0n }), true, 1n, LIMIT_DOWN],
    ["a price outside of the known ticks", pool({ lowest: 60 }), true, 1n, LIMIT_DOWN],
  ] as const)("%s", (...[_name, state, zeroForOne, amount, limit]) => {
    expect(swap(state, zeroForOne, amount, limit)).toBeUndefined();
  });
});

describe("edges", () => {
  test("an input that is not taken whole runs to the limit and stops there", () => {
    const done = swap(pool(), true, 10n ** 30n, LIMIT_DOWN)!;
    expect(done).toMatchObject({ sqrtPriceX96: LIMIT_DOWN, tick: MIN_TICK, liquidity: 0n, crossed: 1 });
    expect(done.amountIn + done.unfilled).toBe(10n ** 30n);
  });

  test("an output that is not there is delivered in part", () => {
    const done = swap(pool(), true, -(10n ** 30n), LIMIT_DOWN)!;
    expect(done.amountOut + done.unfilled).toBe(10n ** 30n);
    expect(done.amountOut).toBe(swap(pool(), true, 10n ** 30n, LIMIT_DOWN)!.amountOut);
  });

  test("a price that ends on a tick from above stands below it, and has crossed it", () => {
    const target = sqrtRatioAtTick(-600);
    const done = swap(pool(), true, 10n ** 30n, target)!;
    expect(done).toMatchObject({ sqrtPriceX96: target, tick: -601, liquidity: 0n, crossed: 1 });
  });

  test("a price that ends on a tick from below stands on it", () => {
    const target = sqrtRatioAtTick(600);
    const done = swap(pool(), false, 10n ** 30n, target)!;
    expect(done).toMatchObject({ sqrtPriceX96: target, tick: 600, liquidity: 0n, crossed: 1 });
  });

  test("beyond the window the swap is refused, within it is not", () => {
    const window = pool({ lowest: -600, highest: 600 });
    const inside = swap(pool(), true, 10n ** 15n, LIMIT_DOWN);
    expect(swap(window, true, 10n ** 15n, LIMIT_DOWN)).toEqual(inside);
    expect(swap(window, true, 10n ** 30n, LIMIT_DOWN)).toBeUndefined();
    expect(swap(window, false, 10n ** 30n, LIMIT_UP)).toBeUndefined();
    const between = pool({ lowest: -450, highest: 450, ticks: [], nets: [] });
    expect(swap(between, true, 10n ** 30n, LIMIT_DOWN)).toBeUndefined();
    expect(swap(between, false, 10n ** 30n, LIMIT_UP)).toBeUndefined();
    expect(swap(between, false, 10n ** 15n, LIMIT_UP)).toEqual(swap(pool(), false, 10n ** 15n, LIMIT_UP));
  });

  test("a table that is not the pool's is loud", () => {
    const wrong = pool({ nets: [2n * 10n ** 18n, -(10n ** 18n)] });
    expect(() => swap(wrong, true, 10n ** 30n, LIMIT_DOWN)).toThrow("liquidity below zero at tick -600");
  });
});

test("a pause at the end of every bitmap word rounds, so wide ranges pay less than one stretch would", () => {
  const wide = pool({ tickSpacing: 1, ticks: [-600, 600] });
  const target = sqrtRatioAtTick(-600);
  const done = swap(wide, true, 10n ** 30n, target)!;
  const stretches = [0, -256, -512, -600].map(sqrtRatioAtTick);
  let [amountIn, amountOut] = [0n, 0n];
  for (let k = 1; k < stretches.length; k++) {
    const net = amount0Up(stretches[k]!, stretches[k - 1]!, 10n ** 18n);
    amountIn += net + divRoundingUp(net * 3000n, 997_000n);
    amountOut += amount1Down(stretches[k]!, stretches[k - 1]!, 10n ** 18n);
  }
  expect([done.amountIn, done.amountOut]).toEqual([amountIn, amountOut]);
});

test("two swaps in a row end where one does, at the price limit between them", () => {
  fc.assert(
    fc.property(fc.integer({ min: -590, max: -1 }), (tick) => {
      const half = swap(pool(), true, 10n ** 30n, sqrtRatioAtTick(tick))!;
      const rest = swap({ ...pool(), ...half }, true, 10n ** 30n, sqrtRatioAtTick(-700))!;
      const whole = swap(pool(), true, 10n ** 30n, sqrtRatioAtTick(-700))!;
      expect([rest.sqrtPriceX96, rest.tick, rest.liquidity]).toEqual([
        whole.sqrtPriceX96,
        whole.tick,
        whole.liquidity,
      ]);
      expect(half.amountOut + rest.amountOut <= whole.amountOut).toBe(true);
    }),
  );
});

describe("one stretch", () => {
  const stretch = { price: ONE, target: sqrtRatioAtTick(-60), liquidity: 10n ** 12n, feePpm: 3000 };

  test("consumes an input that does not reach the target to the unit", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 9n }), (amount) => {
        const step = swapStep(stretch, amount);
        expect(step.taken).toBe(amount);
        expect(step.price > stretch.target).toBe(true);
      }),
    );
  });

  test("never delivers more than is asked", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 10n }), (amount) => {
        expect(swapStep(stretch, -amount).amountOut <= amount).toBe(true);
      }),
    );
  });

  test("without liquidity it passes to the target for nothing", () => {
    const step = swapStep({ ...stretch, liquidity: 0n }, 5n);
    expect(step).toEqual({ price: stretch.target, taken: 0n, amountOut: 0n });
  });
});

describe("a sale within one stretch, against the contract's own order of steps", () => {
  const wide = (bits: number) =>
    fc.integer({ min: 1, max: bits }).chain((some) => fc.bigInt({ min: 1n, max: 2n ** BigInt(some) }));
  const tick = fc.integer({ min: MIN_TICK, max: MAX_TICK });

  /** computeSwapStep of v3-core for an exact input, transcribed literally. */
  function asWritten(price: bigint, target: bigint, liquidity: bigint, [fee, remaining]: [bigint, bigint]) {
    const down = price >= target;
    const into = (end: bigint) =>
      down ? amount0Up(end, price, liquidity) : amount1Up(price, end, liquidity);
    const lessFee = (remaining * (1_000_000n - fee)) / 1_000_000n;
    const next = lessFee >= into(target) ? target : priceAfterInput(price, liquidity, lessFee, down);
    const feeAmount =
      next === target ? divRoundingUp(into(next) * fee, 1_000_000n - fee) : remaining - into(next);
    const out = down ? amount1Down(next, price, liquidity) : amount0Down(price, next, liquidity);
    return { price: next, taken: into(next) + feeAmount, amountOut: out };
  }

  test("the same, around the amount that just reaches the target as well", () => {
    fc.assert(
      fc.property(tick, tick, wide(128), wide(200), fc.constantFrom(0, 100, 3000, 999_999), (...given) => {
        const [from, to, liquidity, amount, feePpm] = given;
        const [price, target] = [sqrtRatioAtTick(from), sqrtRatioAtTick(to)];
        const whole = swapStep({ price, target, liquidity, feePpm }, 2n ** 254n).taken;
        for (const remaining of [amount, whole - 2n, whole - 1n, whole, whole + 1n]) {
          if (remaining <= 0n) continue;
          const expected = asWritten(price, target, liquidity, [BigInt(feePpm), remaining]);
          expect(swapStep({ price, target, liquidity, feePpm }, remaining)).toEqual(expected);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test("past 256 bits the next price is rounded as the contract's other form rounds it", () => {
  const [price, liquidity, amount] = [2n ** 159n + 12_345n, 2n ** 128n - 1n, 2n ** 98n];
  const numerator = liquidity << 96n;
  expect(priceAfterInput(price, liquidity, amount, true)).toBe(
    divRoundingUp(numerator, numerator / price + amount),
  );
  expect(divRoundingUp(numerator * price, numerator + amount * price)).not.toBe(
    divRoundingUp(numerator, numerator / price + amount),
  );
});
