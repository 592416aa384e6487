import fc from "fast-check";
import { expect, test } from "vitest";
import { gainWithoutFees } from "./bound.ts";
import type { Level } from "./level.ts";
import { levelGain, within } from "./level-gain.ts";
import type { TradedShares } from "./sharing.ts";
import { stableLevel } from "./stable-level.ts";

/** Number of places that the exhaustive search evaluates. */
const PLACES = 2000;
/**
 * Relative excess of a bound that is tolerated, and parts of the pool's worth lost to rounding and between two
 * places.
 */
const MISSED = 0.05;
const DUST = 1e-11;
const BETWEEN = 5e-5;
const RUNS = 250;

/** Evenly distributed from -1 to 1; arbitrary doubles would mostly be near zero. */
const part = fc.noBias(fc.integer({ min: -1000, max: 1000 })).map((permille) => permille / 1000);

const pools = fc
  .record({
    x: fc.array(fc.double({ min: 1e5, max: 1e7, noNaN: true }), { minLength: 2, maxLength: 4 }),
    ann: fc.double({ min: 1, max: 5000, noNaN: true }),
    g: fc.double({ min: 0.5, max: 2, noNaN: true }),
    moves: fc.array(part, { minLength: 4, maxLength: 4 }),
    most: fc.constantFrom(1e-4, 1e-3, 1e-2, 1e-1),
    fee: fc.constantFrom(1e-4, 4e-4, 4e-3),
    worth: part,
  })
  .map(({ x, ann, g, moves, most, fee, worth }) => {
    const mean = x.reduce((sum, one) => sum + one / x.length, 0);
    const level = stableLevel(
      { x: Float64Array.from(x), ann, g: g * mean },
      x.map(() => 1),
    );
    const slopes = new Float64Array(x.length);
    level.slopes(level.held, slopes);
    const prices = [...slopes.map((slope, k) => slope * (1 + most * moves[k]!))];
    const held = prices.reduce((sum, price, k) => sum + price * x[k]!, 0);
    return { level, slopes, prices, fee, held, worth: held * (1 + most * worth) };
  });

type Asked = {
  readonly level: Level;
  readonly slopes: Float64Array;
  readonly prices: number[];
  readonly fee: number;
};

/** The least bound by exhaustive search. */
function leastOfMany({ level, slopes, prices, fee }: Asked, shares: TradedShares): number {
  const { least, most } = within(
    prices,
    prices.map(() => fee / 2),
  );
  const low = Math.log(Math.min(...least.map((price, k) => price / slopes[k]!)));
  const high = Math.log(Math.max(...most.map((price, k) => price / slopes[k]!)));
  let best = Number.POSITIVE_INFINITY;
  for (let place = 0; place <= PLACES; place++) {
    const unit = Math.exp(low + ((high - low) * place) / PLACES);
    const at = slopes.map((slope, k) => Math.min(most[k]!, Math.max(least[k]!, unit * slope)));
    const found = gainWithoutFees(level, at, level.held);
    if (found === undefined) continue;
    const { gain, cost } = found;
    const worth = Math.min(shares.most, cost / (1 - fee), Math.max(shares.from, cost * (1 - fee)));
    if (worth < shares.least) continue;
    best = Math.min(best, gain + Math.max(0, cost - worth / (1 - fee)) + shares.othersGain(worth));
  }
  return best;
}

/** Shares of which others gain nothing at `worth`, and more with the distance from it. */
function sharesAround(worth: number, held: number): TradedShares {
  const othersGain = (at: number) => (at - worth) ** 2 / held;
  return { least: 0, most: Number.POSITIVE_INFINITY, from: worth, to: worth, othersGain };
}

test("a pool and others that trade its shares are bounded nearly always as well as by very many places", () => {
  let [gaining, missed] = [0, 0];
  fc.assert(
    fc.property(pools, fc.boolean(), ({ held, worth, ...asked }, isKnown) => {
      const around = sharesAround(worth, held);
      const shares = isKnown ? { ...around, least: worth, most: worth, othersGain: () => 0 } : around;
      const taken = asked.prices.map(() => asked.fee / 2);
      const found = levelGain(asked.level, {
        ...within(asked.prices, taken),
        shares: { ...shares, taken: asked.fee },
      });
      const least = leastOfMany(asked, shares);
      if (least > BETWEEN * held && least < Number.POSITIVE_INFINITY) gaining++;
      if ((found?.gain ?? Number.POSITIVE_INFINITY) > least * (1 + MISSED) + DUST * held) missed++;
      // Shares of known worth above what backs them are minted without limit.
      if (isKnown && found !== undefined)
        expect(found.gain).toBeGreaterThanOrEqual(least * (1 - MISSED) - BETWEEN * held);
    }),
    { numRuns: RUNS },
  );
  // Bounds may have more than one local minimum.
  expect(missed).toBeLessThan(RUNS / 20);
  expect(gaining).toBeGreaterThan(RUNS / 25);
});

test("shares that are worth more than any price of their coins prove nothing", () => {
  const level = stableLevel({ x: Float64Array.of(1e6, 1e6), ann: 100, g: 1e6 }, [1, 1]);
  const shares = (worth: number) => ({ ...sharesAround(worth, 2e6), least: worth, most: worth, taken: 1e-4 });
  const gain = (worth: number) =>
    levelGain(level, { ...within([1, 1], [1e-4, 1e-4]), shares: shares(worth) });
  expect(gain(2e6 * (1 + 3e-4))).toBeUndefined();
  expect(gain(2e6 * (1 + 1e-4))!.gain).toBeLessThan(1e-6);
  expect(gain(2e6 * (1 - 1e-4))!.gain).toBeLessThan(1e-6);
  expect(gain(2e6 * (1 - 1e-3))!.gain).toBeCloseTo(2e6 * 8e-4, -1);
});

test("a bound lies where shares of known worth cost as much, not where a line through the ends has that", () => {
  const x = Float64Array.of(819_167.642818, 209_665.609072, 144_344.648958);
  const level = stableLevel({ x, ann: 1008.16811, g: 782_118.600565 }, [1, 1, 1]);
  const slopes = new Float64Array(3);
  level.slopes(level.held, slopes);
  const asked = { level, slopes, prices: [1006.559710482, 1020.226348514, 1012.278994431], fee: 4e-4 };
  const worth = 1_183_261_559.2;
  const shares = { ...sharesAround(worth, worth), least: worth, most: worth, othersGain: () => 0 };
  const found = levelGain(level, {
    ...within(asked.prices, [2e-4, 2e-4, 2e-4]),
    shares: { ...shares, taken: asked.fee },
  });
  const least = leastOfMany(asked, shares);
  expect(found!.gain).toBeGreaterThan(0.999 * least);
  expect(found!.gain).toBeLessThan(1.001 * least);
});
