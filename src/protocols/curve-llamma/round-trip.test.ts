import { expect, test } from "vitest";
import { lnInt, upperPrice } from "../../core/math/curve/llamma-math.ts";
import { exchange } from "./exchange.ts";
import type { State } from "./state.ts";

const E18 = 10n ** 18n;

/** A market of the first generation without a fee, which no factory would create; found by a random run. */
const feeless: State = {
  a: 20n,
  generation: 2023,
  basePrice: 889n * E18,
  price: 562487966563000000001n,
  fee: 0n,
  adminFee: 1n,
  activeBand: 9,
  minBand: 9,
  maxBand: 16,
  first: 9,
  x: [557403n * E18, 0n, 0n, 0n, 0n, 0n, 0n, 0n],
  y: [8384n, 5998n, 4598n, 1888n, 3538n, 7586n, 0n, 5314n].map((tenths) => tenths * 10n ** 17n),
  isWhole: false,
  precisions: [10n ** 12n, 1n],
  readAt: 0,
};

/** Sells an amount of the stablecoin, then sells back the output. */
function roundTrip(state: State, amount: bigint): bigint {
  const there = exchange(state, { i: 0, amount })!;
  expect(there.amountIn).toBe(amount);
  return exchange(there.next, { i: 1, amount: there.amountOut })!.amountOut;
}

const SOLD = 2748778972096n;

test("where nothing is asked for it, a round trip wins what the two prices of its bands part by", () => {
  const at = (n: number) =>
    upperPrice(n, feeless.basePrice, { logRatio: lnInt((20n * E18) / 19n), shift: "truncated" })!;
  let passed = at(9);
  for (let n = 9; n < 16; n++) passed = (passed * 19n) / 20n;
  const parting = Math.abs(Number(passed - at(16)) / Number(at(16)));
  expect(parting).toBeGreaterThan(1e-13);

  const won = roundTrip(feeless, SOLD) - SOLD;
  expect(won).toBe(1n);
  // A band's input for all of its holdings grows with the square of its price, in each direction of the round trip.
  expect(Number(won)).toBeLessThanOrEqual(4 * parting * Number(SOLD));
});

test("the exponential of the last generation leaves nothing to win, and neither does a fee", () => {
  expect(roundTrip({ ...feeless, generation: 2025 }, SOLD)).toBeLessThanOrEqual(SOLD);
  expect(roundTrip({ ...feeless, fee: 10n ** 9n }, SOLD)).toBeLessThan(SOLD);
});
