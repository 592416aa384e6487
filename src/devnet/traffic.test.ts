import fc from "fast-check";
import { expect, test } from "vitest";
import { wholePlan } from "./build.ts";
import { WETH } from "./plan/addresses.ts";
import type { Venue } from "./plan/plan.ts";
import { decide, randomOf } from "./traffic.ts";

const plan = await wholePlan();
const unit = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const venue = fc.constantFrom(...plan.venues);

const always = (value: number) => () => value;

test("a price two hundredths away is always moved back", () => {
  fc.assert(
    fc.property(venue, unit, (one: Venue, chance) => {
      expect(decide(one, one.price * 1.0203, always(chance)).i).toBe(0);
      expect(decide(one, one.price / 1.0203, always(chance)).i).toBe(1);
    }),
  );
});

test("at its start a price is moved either way, as often", () => {
  const one = plan.venues[0]!;
  expect(decide(one, one.price, always(0.499)).i).toBe(0);
  expect(decide(one, one.price, always(0.501)).i).toBe(1);
});

test("a trade is between 0.01 and 0.4 % of what the pool held", () => {
  fc.assert(
    fc.property(venue, unit, (one: Venue, chance) => {
      const { i, amountIn } = decide(one, one.price, always(chance));
      const millionths = Number((amountIn * 10n ** 12n) / one.depth[i]) / 1e6;
      expect(millionths).toBeGreaterThan(99);
      expect(millionths).toBeLessThan(4_001);
    }),
  );
});

test("the numbers of a block are its own, the same every time, and evenly spread", () => {
  const first = (seed: number) => randomOf(seed)();
  expect(first(7)).toBe(first(7));
  const firsts = Array.from({ length: 10_000 }, (_, seed) => first(seed));
  expect(new Set(firsts).size).toBeGreaterThan(9_990);
  for (let tenth = 0; tenth < 10; tenth++) {
    const count = firsts.filter((value) => Math.floor(value * 10) === tenth).length;
    expect(count).toBeGreaterThan(850);
    expect(count).toBeLessThan(1_150);
  }
});

test("a pool of every design can be traded, and prices are read from the chain's own answers", () => {
  const spenders = new Set(plan.venues.map(({ spender }) => spender));
  expect(spenders.size).toBe(4);
  const pair = plan.venues.find(({ tokens }) => tokens[1] === WETH)!;
  const answer = `0x${pair.depth.map((reserve) => reserve.toString(16).padStart(64, "0")).join("")}` as const;
  expect(pair.priceOf(answer)).toBe(pair.price);
});
