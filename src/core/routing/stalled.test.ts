import { describe, expect, test } from "vitest";
import { noJoint } from "../math/sampling/joint-curves.ts";
import type { Protocol, Registry } from "../protocol.ts";
import { ask, constantProduct, fixtureRegistry, market, type PairSpec, token } from "./market.fixture.ts";

/** What a module of straight pools holds of each token, and its rate from the token of place `i` to that of `j`. */
const HOLDS = 10n ** 24n;
const rate = (i: number, j: number) => [1.05, 1, 1][i]! / [1.05, 1, 1][j]!;

/** Exchanges any two of its tokens at a rate that no sale changes. Rounding lifts the rates of its curves by one part in 10^9. */
const straight: Protocol = {
  ...(constantProduct as Protocol),
  name: "straight",
  quote: (...[, , i, j, amount]) => {
    const amountOut = (amount * BigInt(Math.round(rate(i, j) * 1e9))) / 1_000_000_000n;
    return amountOut > 0n && amountOut <= HOLDS
      ? { amountIn: amount, amountOut, gas: 90_000, writes: [] }
      : undefined;
  },
  quoteFloat: (_mirror, i, j, x) => x * rate(i, j),
  curve: (_mirror, i, j) => ({
    x: Float64Array.of(0),
    y: Float64Array.of(0),
    m: Float64Array.of(rate(i, j) * (1 + 1e-9)),
    c: Float64Array.of(0),
    end: Number(HOLDS) / rate(i, j),
  }),
  joint: noJoint,
};
const registry: Registry = new Map([...fixtureRegistry, [straight.name, straight]]);

const DEEP = 10n ** 22n;
const MODULE = [token(1), token(2), token(3)];

/** A module of three tokens, a straight pair beyond it, and curved pools, many of them between the same two tokens. */
function specs(): PairSpec[] {
  const curved = (a: number, b: number, times: bigint): PairSpec => ({
    tokens: [token(a), token(b)],
    reserves: [times * DEEP, times * DEEP],
  });
  return [
    { tokens: MODULE, reserves: [], protocol: straight.name },
    { tokens: [token(4), token(2)], reserves: [], protocol: straight.name },
    curved(0, 2, 5n),
    curved(0, 3, 3n),
    ...Array.from({ length: 40 }, (_, k) => curved(k % 3, 5, BigInt(1 + k))),
    ...Array.from({ length: 20 }, (_, k) => curved(5, 6 + (k % 4), BigInt(1 + k))),
    ...Array.from({ length: 20 }, (_, k) => curved(2 + (k % 2), 6 + (k % 4), BigInt(1 + k))),
  ];
}

/** Of 100 ms, how long the machine does not run the search: with time left after it, and without. */
const STALLS = [60, 450];

describe.each([undefined, 10n ** 9n])("a search that is stalled, with gas at %s", (gasPriceWei) => {
  const { engine } = market(specs(), registry);
  test.each(STALLS)("for %d of 100 ms finds a route along straight pools, at any point", (stall) => {
    const tokens = [1, 3, 4, 9];
    for (const [from, to] of tokens.flatMap((a) => tokens.flatMap((b) => (a === b ? [] : [[a, b] as const]))))
      for (let before = 0; before <= 30; before++) {
        let readings = 0;
        const now = () => (++readings > before ? stall : 0);
        const found = engine.find(
          ask(token(from), token(to), DEEP / 10n, { gasPriceWei, maxLegs: 16, timeoutMs: 100, now }),
        );
        if (found.kind === "missing") throw new Error(`${from} > ${to} at ${before}: ${found.reason}`);
        expect(found.route.amountOut).toBeGreaterThan(0n);
      }
  });
});
