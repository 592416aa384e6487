import fc from "fast-check";
import { expect, test } from "vitest";
import { leastInput } from "./least-input.ts";

const amount = fc
  .integer({ min: 1, max: 120 })
  .chain((bits) => fc.bigInt({ min: 1n, max: 2n ** BigInt(bits) }));

test("finds the least input from any guess, across a refusal at either end", () => {
  fc.assert(
    fc.property(amount, amount, amount, amount, (wanted, guess, price, dust) => {
      const sell = (x: bigint) => (x < dust || x > 2n ** 250n ? undefined : x / price);
      const least = wanted * price > dust ? wanted * price : dust;
      expect(leastInput(sell, wanted, guess)).toBe(least);
    }),
  );
});

test("a guess that is too much, and a limit just above the answer, are no reason to find nothing", () => {
  fc.assert(
    fc.property(
      amount,
      amount,
      fc.bigInt(0n, 1_000n),
      fc.bigInt(1n, 2n ** 130n),
      (wanted, price, room, far) => {
        const least = wanted * price;
        const most = least * 2n + room;
        const limits = [least + room, most] as const;
        for (const limit of limits) {
          const sell = (x: bigint) => (x > limit ? undefined : x / price);
          for (const guess of [limit + far, limit + 1n, least, 1n, least - 1n])
            expect(leastInput(sell, wanted, guess), `${guess}`).toBe(least);
        }
      },
    ),
  );
});

test("says that nothing pays enough", () => {
  expect(leastInput((x) => (x > 1000n ? undefined : x), 1001n, 7n)).toBeUndefined();
  expect(leastInput(() => undefined, 1n, 1n)).toBeUndefined();
});

test("a near guess costs few evaluations", () => {
  let calls = 0;
  const sell = (x: bigint) => {
    calls++;
    return x / 3n;
  };
  expect(leastInput(sell, 10n ** 24n, 3n * 10n ** 24n + 5n)).toBe(3n * 10n ** 24n);
  expect(calls).toBeLessThan(12);
});
