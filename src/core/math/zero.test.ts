import fc from "fast-check";
import { expect, test } from "vitest";
import { zeroOf } from "./zero.ts";

const CLOSE = 5e-7;
/** A corner with a tiny slope on one side, where regula falsi stalls: near an end, for as long as it is not left. */
const corner = (d: number) => (d < 0 ? 1e-9 * d : 1e9 * d);
const shapes: readonly ((d: number) => number)[] = [
  (d) => d,
  (d) => Math.exp(d) - 1,
  (d) => d ** 3,
  corner,
  (d) => (d < 0 ? -1 : 1),
];

test("a zero is found to the width wanted, wherever the guess is, in fewer calls than by halves", () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...shapes), place, place, (shape, zero, guess) => {
      let calls = 0;
      const rising = (x: number) => {
        calls++;
        return shape(x - zero);
      };
      const found = zeroOf(rising, { first: 0, last: 1, guess: 3 * guess - 1, close: CLOSE });
      expect(Math.abs(found - zero)).toBeLessThanOrEqual(CLOSE);
      expect(calls).toBeLessThanOrEqual(44);
    }),
    { examples: [[corner, 1e-5, 0.9]] },
  );
});

test("a smooth function costs five calls where the guess is near", () => {
  let calls = 0;
  const rising = (x: number) => {
    calls++;
    return Math.exp(x) - Math.exp(0.3);
  };
  expect(
    Math.abs(zeroOf(rising, { first: -1, last: 1, guess: 0.3 + 3e-6, close: CLOSE }) - 0.3),
  ).toBeLessThan(CLOSE);
  expect(calls).toBeLessThanOrEqual(5);
});

test("where there is no zero between the ends it is the end that is nearest to one", () => {
  const sought = { first: 2, last: 3, guess: 2.5, close: CLOSE };
  expect(zeroOf((x) => x, sought)).toBe(2);
  expect(zeroOf((x) => x - 10, sought)).toBe(3);
});
