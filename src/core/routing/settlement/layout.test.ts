import { expect, test } from "vitest";
import { seeded } from "../../../../test/support/random.ts";
import { ALL_Q32 } from "../../types.ts";
import { graphOf, token } from "../market.fixture.ts";
import { layOut } from "./layout.ts";

const E21 = 10n ** 21n;
const POOLS = 6;
const graph = graphOf(
  Array.from({ length: POOLS }, () => ({ tokens: [token(1), token(2)], reserves: [E21, E21] })),
);
const ends = { tokenIn: token(1), tokenOut: token(2) };
const edges = graph.entries.map(({ firstEdge }) => firstEdge);

/** Shares of the steps that sell these amounts, one to each pool, in ascending order. */
function sharesOf(amounts: readonly number[]): readonly number[] {
  const flows = amounts.map((amount, k) => ({ edge: edges[k]!, amount }));
  return layOut(graph, flows, ends)!.map(({ shareQ32 }) => shareQ32);
}

test("flows that differ by what doubles round give the same shares, but for one plan in a thousand", () => {
  const next = seeded(1);
  const plans = 5_000;
  let other = 0;
  for (let n = 0; n < plans; n++) {
    const amounts = edges.map(() => 1e18 * 10 ** (3 * next()));
    const noisy = amounts.map((amount) => amount * (1 + 1e-10 * (next() - 0.5)));
    if (sharesOf(amounts).join() !== sharesOf(noisy).join()) other++;
  }
  expect(other).toBeLessThan(plans / 1_000);
});

test("a step sells its flow to within 1.3e-4, and the last one all that is left", () => {
  const next = seeded(2);
  for (let n = 0; n < 200; n++) {
    const amounts = edges.map(() => 1e18 * 10 ** (5 * next())).sort((a, b) => a - b);
    let left = amounts.reduce((sum, one) => sum + one, 0);
    for (const [k, share] of sharesOf(amounts).entries()) {
      const sold = left * (share / ALL_Q32);
      expect(Math.abs(sold / amounts[k]! - 1)).toBeLessThan(1.3e-4);
      left -= sold;
    }
    expect(left).toBe(0);
  }
});

test("a full edge is sold what it takes and not more, before all others", () => {
  const end = 1.234567e18;
  graph.curves.end[edges[3]!] = end;
  const amounts = [4e18, 3e18, 2e18, end, 1e18];
  const [first] = sharesOf(amounts);
  const held = amounts.reduce((sum, one) => sum + one, 0);
  expect(first! * (held / ALL_Q32)).toBeLessThanOrEqual(end);
  expect((first! + 1) * (held / ALL_Q32)).toBeGreaterThan(end);
});
