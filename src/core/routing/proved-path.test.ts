import fc from "fast-check";
import { expect, test } from "vitest";
import type { Address, Pool } from "../types.ts";
import {
  ask,
  at,
  constantProduct,
  type FixtureMarket,
  market,
  type PairSpec,
  token,
  WRAPPED,
} from "./market.fixture.ts";
import { overlay } from "./settlement/settle.ts";

const E18 = 10n ** 18n;
const GAS = 60_000n;
const GWEI = 10n ** 9n;
const TOKENS = [token(0), token(1), token(2), WRAPPED];

/** The route found, and whether an optimum was searched for it. */
function found({ engine }: FixtureMarket, amount: bigint, gasPriceWei: bigint) {
  const before = engine.counters().searches;
  const result = engine.find(ask(token(0), token(1), amount, { gasPriceWei, maxLegs: 16 }));
  if (result.kind !== "found") throw new Error(result.reason);
  return { ...result, isSearched: engine.counters().searches > before };
}

test("an order of which no part is worth a second pool takes one path, and nothing else is searched", () => {
  const even = [1_000n, 1_200n].map((n) => ({ tokens: [token(0), token(1)], reserves: [n * E18, n * E18] }));
  const priced = market([...even, { tokens: [WRAPPED, token(1)], reserves: [1_000n * E18, 1_000n * E18] }]);
  const small = found(priced, E18, 100n * GWEI);
  expect([small.isSearched, small.route.steps.length]).toEqual([false, 1]);
  expect(small.optimality).toMatchObject({ gapNetBps: expect.closeTo(0, 2), reason: undefined });
  const large = found(priced, 300n * E18, 100n * GWEI);
  expect([large.isSearched, large.route.steps.length > 1]).toEqual([true, true]);
  expect(found(priced, E18, 0n).isSearched).toBe(true);
});

const spec = fc
  .tuple(
    fc.nat(3),
    fc.integer({ min: 1, max: 3 }),
    fc.bigInt(50n, 5_000n),
    fc.integer({ min: 980, max: 1_020 }),
  )
  .map(([one, by, depth, off]): PairSpec => {
    const tokens = [TOKENS[one]!, TOKENS[(one + by) % 4]!];
    return { tokens, reserves: [depth * E18, (depth * E18 * BigInt(off)) / 1_000n] };
  });
const scene = fc.record({
  specs: fc.array(spec, { minLength: 3, maxLength: 8 }),
  amount: fc.bigInt(1n, 40n).map((n) => (n * E18) / 4n),
  gwei: fc.bigInt(20n, 2_000n),
});

/** All paths of pools from the token sold to the token bought that pass no token twice. */
function pathsOf(pools: readonly Pool[], from: Address, passed: readonly Address[] = [from]): Pool[][] {
  if (from === token(1)) return [[]];
  return pools
    .filter(({ protocol, tokens }) => protocol === constantProduct.name && tokens.includes(from))
    .flatMap((pool) => {
      const next = pool.tokens.find((one) => one !== from)!;
      return passed.includes(next)
        ? []
        : pathsOf(pools, next, [...passed, next]).map((rest) => [pool, ...rest]);
    });
}

/** What paths pay that are taken one after the other, each by its amount; undefined where one cannot be filled. */
function paid(
  { view }: FixtureMarket,
  parts: readonly { path: readonly Pool[]; amount: bigint }[],
): bigint | undefined {
  const states = overlay(view);
  let sum = 0n;
  for (const { path, amount } of parts) {
    let [held, in_] = [amount, token(0)];
    for (const pool of path) {
      const i = pool.tokens.indexOf(in_);
      const fill = constantProduct.quote(states, pool, i, 1 - i, held, "in", at);
      if (fill === undefined) return undefined;
      for (const [id, state] of fill.writes) states.set(id, state);
      [held, in_] = [fill.amountOut, pool.tokens[1 - i]!];
    }
    sum += held;
  }
  return sum;
}

test("where nothing else was searched, no path and no halves over two paths net more", () => {
  let unsearched = 0;
  fc.assert(
    fc.property(scene, ({ specs, amount, gwei }) => {
      const all = [...specs, { tokens: [WRAPPED, token(1)], reserves: [10_000n * E18, 10_000n * E18] }];
      const priced = market(all);
      const paths = pathsOf(priced.pools, token(0));
      if (paths.length === 0) return;
      const { isSearched, optimality, route } = found(priced, amount, gwei * GWEI);
      if (isSearched || optimality.upperBound === null) return;
      unsearched++;
      const perGas = Number(optimality.gasCost) / (route.steps.length * Number(GAS));
      const net = (out: bigint, legs: number) => Number(out) - legs * Number(GAS) * perGas;
      const best = net(route.amountOut, route.steps.length);
      const halves = [amount / 2n, amount - amount / 2n];
      for (const [k, path] of paths.entries()) {
        const whole = paid(priced, [{ path, amount }]);
        if (whole !== undefined) expect(net(whole, path.length)).toBeLessThanOrEqual(best * (1 + 2e-6));
        for (const other of paths.slice(k + 1)) {
          const both = paid(priced, [
            { path, amount: halves[0]! },
            { path: other, amount: halves[1]! },
          ]);
          const legs = new Set([...path, ...other]).size;
          if (both !== undefined) expect(net(both, legs)).toBeLessThanOrEqual(best * (1 + 2e-6));
        }
      }
    }),
    { numRuns: 400 },
  );
  expect(unsearched).toBeGreaterThan(50);
});
