import { describe, expect, test } from "vitest";
import type { Route } from "../types.ts";
import { ask, market, type PairSpec, token } from "./market.fixture.ts";

const SIZE = 10n ** 21n;
const AMOUNT = 2n * 10n ** 20n;

/** Direct pools that are shallow, two ways over one token, and one over three that is deeper than all. */
const PAIRS: readonly (readonly [number, number, bigint])[] = [
  [1, 2, 1n],
  [1, 2, 2n],
  [1, 3, 3n],
  [3, 2, 3n],
  [1, 4, 40n],
  [4, 5, 40n],
  [5, 6, 40n],
  [6, 2, 40n],
  [3, 6, 9n],
];
const SPECS = PAIRS.map(([a, b, deep]) => ({
  tokens: [token(a), token(b)],
  reserves: [deep * SIZE, deep * SIZE],
}));

function subsets(count: number, most: number): number[][] {
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (_unused, k) => k).filter((k) => (bits >> k) & 1),
  ).filter(({ length }) => length > 0 && length <= most);
}

const NOTHING = { amountOut: 0n, steps: [] };

/** The route over a market of these pools. */
function found(specs: readonly PairSpec[], maxLegs: number): Pick<Route, "amountOut" | "steps"> {
  const answer = market(specs).engine.find(ask(token(1), token(2), AMOUNT, { maxLegs }));
  return answer.kind === "found" ? answer.route : NOTHING;
}

describe("few legs", () => {
  test.each([1, 2, 3, 4, 5, 6])("no set of %i pools pays more than the route under that cap", (maxLegs) => {
    const capped = found(SPECS, maxLegs);
    expect(capped.steps.length).toBeLessThanOrEqual(maxLegs);
    let most = 0n;
    for (const set of subsets(SPECS.length, maxLegs)) {
      const { amountOut } = found(
        set.map((k) => SPECS[k]!),
        0,
      );
      if (amountOut > most) most = amountOut;
    }
    expect(Number(most) / Number(capped.amountOut)).toBeLessThan(1 + 1e-7);
  });
});
