import { expect, test } from "vitest";
import { earningOf } from "../../../core/routing/certificate/earning/earning.ts";
import { emptyCertificateMemory } from "../../../core/routing/certificate/memory.ts";
import { emptyGraph } from "../../../core/routing/market-graph/graph.ts";
import { patchGraph } from "../../../core/routing/market-graph/update.ts";
import { subjectOf } from "../arbitrary.ts";
import { balancerV3 } from "../index.ts";
import type { State } from "../state.ts";

const ONE = 10n ** 18n;
const address = (n: number) => `0x${n.toString(16).padStart(40, "0")}` as const;
/** Far from balance: two tokens are scarce. Selling the first for the last adds to the imbalance, until the first is scarce no longer. */
const state: State = {
  vault: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
  tokens: [1, 2, 3, 4].map(address),
  balances: [18_946_000_000n, 199_991n * ONE, 159_863_000_000n, 33_805n * ONE],
  factors: [10n ** 12n, 1n, 10n ** 12n, 1n],
  rates: [ONE, (1152n * ONE) / 1000n, ONE, ONE],
  swapFee: (741n * ONE) / 10_000n,
  aggregateFee: (3494n * ONE) / 10_000n,
  leastTrade: 1_000_000n,
  shape: {
    kind: "stable",
    ramp: { initialA: 55_000n, futureA: 55_000n, initialTime: 0, futureTime: 0 },
  },
  surge: { threshold: (4846n * ONE) / 10_000n, maxFee: (7591n * ONE) / 10_000n },
  onlyIn: 0,
};
const { pool, states, at } = subjectOf(state);
const view = { get: (id: string) => states.get(id) };

/** The highest mean price of 2,000 sizes, in exact integers. */
function dearest(): { sold: number; mean: number } {
  let best = { sold: 0, mean: 0 };
  for (let k = 0; k < 2000; k++) {
    const sold = Math.floor(1e6 * 1.006 ** k);
    const fill = balancerV3.quote(view as never, pool, 0, 3, BigInt(sold), "in", at);
    const mean = Number(fill?.amountOut ?? 0n) / sold;
    if (mean > best.mean) best = { sold, mean };
  }
  return best;
}

test("a trade from which on a surge's fee is not charged is in the curve, and what it earns is certified", () => {
  const { sold, mean } = dearest();
  const priceOfSmall = (j: number) =>
    Number(balancerV3.quote(view as never, pool, 0, j, 10n ** 7n, "in", at)!.amountOut) / 1e7;
  expect(mean).toBeGreaterThan(priceOfSmall(3) * 1.05);
  const graph = emptyGraph(new Map([["balancer-v3", balancerV3]]) as never, address(0x99));
  patchGraph(graph, { pools: [pool], removed: [] }, view as never, at);
  // Small sales of the first token pay a little less than it is worth.
  const prices = pool.tokens.map((_, k) => (k === 0 ? 1 : 0.999 / priceOfSmall(k)));
  const byNode = new Map(pool.tokens.map((token, k) => [graph.nodeOf.get(token), prices[k]!]));
  const price = (node: number) => byNode.get(node) ?? 0;
  const market = { graph, memory: emptyCertificateMemory(), at, allowed: () => true, price };
  const earning = earningOf({ ...market, perGas: 0, enough: 0, ends: [] }, 0);
  const least = (mean * prices[3]! - 1) * sold * 0.999;
  expect(earning).toMatchObject({ earned: expect.toSatisfy((earned: number) => earned >= least) });
});

test("the curve begins with what is paid right after the drop, not with a mean of both sides of it", () => {
  const units = [10_000n * 10n ** 6n, 81_050n * 10n ** 6n, 10_001n * ONE, 10_002n * 10n ** 6n];
  const scarce = subjectOf({
    ...state,
    balances: units,
    factors: [10n ** 12n, 10n ** 12n, 1n, 10n ** 12n],
    rates: [ONE, ONE, ONE, ONE],
    swapFee: ONE / 10_000n,
    aggregateFee: 0n,
    shape: { kind: "stable", ramp: { initialA: 1000n, futureA: 1000n, initialTime: 0, futureTime: 0 } },
    surge: { threshold: ONE / 20n, maxFee: ONE / 100n },
  });
  const mirror = balancerV3.mirror(scarce.states.get(pool.id) as State, pool, at, scarce.states);
  // Selling 1 of the first token for the third makes them change places.
  const paid = (sold: number) => balancerV3.quoteFloat(mirror, 0, 2, sold);
  expect(paid(999_000) / 999_000).toBeLessThan((paid(1_001_000) / 1_001_000) * 0.995);
  const { x, y, m, c } = balancerV3.curve(mirror, 0, 2)!;
  for (let sold = 1_001_000; sold < 2_000_000; sold += 10_000) {
    const k = x.findLastIndex((start) => start <= sold);
    const h = sold - x[k]!;
    expect(y[k]! + (m[k]! * h) / (1 + c[k]! * h)).toBeGreaterThan(paid(sold) * (1 - 1e-4));
  }
});
