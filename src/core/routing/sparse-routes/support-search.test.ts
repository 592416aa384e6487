import { describe, expect, test } from "vitest";
import type { Route } from "../../types.ts";
import { ask, market, NINE, type PairSpec, token } from "../market.fixture.ts";

const AMOUNT = 2n * 10n ** 20n;

function subsets(count: number, most: number): number[][] {
  return Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (_unused, k) => k).filter((k) => (bits >> k) & 1),
  ).filter(({ length }) => length > 0 && length <= most);
}

type Settled = { readonly amountOut: Route["amountOut"]; readonly steps: Route["steps"] };

const NOTHING = { amountOut: 0n, steps: [] };

/** The route over a market of these pools; no steps if there is none. */
function found(specs: readonly PairSpec[], maxLegs: number): Settled {
  const answer = market(specs).engine.find(ask(token(1), token(2), AMOUNT, { maxLegs }));
  return answer.kind === "found" ? answer.route : NOTHING;
}

describe("a cap on the number of legs", () => {
  test.each([1, 2, 3, 4, 5, 6])("no set of at most %i pools pays more than the capped route", (maxLegs) => {
    const capped = found(NINE, maxLegs);
    expect(capped.steps.length).toBeLessThanOrEqual(maxLegs);
    let most = 0n;
    for (const set of subsets(NINE.length, maxLegs)) {
      const { amountOut } = found(
        set.map((k) => NINE[k]!),
        0,
      );
      if (amountOut > most) most = amountOut;
    }
    expect(Number(most) / Number(capped.amountOut)).toBeLessThan(1 + 1e-7);
  });
});
