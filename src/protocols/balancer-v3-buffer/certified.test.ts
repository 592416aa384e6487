import { expect, test } from "vitest";
import { earningOf } from "../../core/routing/certificate/earning/earning.ts";
import { emptyCertificateMemory } from "../../core/routing/certificate/memory.ts";
import { emptyGraph } from "../../core/routing/market-graph/graph.ts";
import { patchGraph } from "../../core/routing/market-graph/update.ts";
import { subjectOf, WRAPPER } from "./arbitrary.ts";
import { balancerV3Buffer } from "./index.ts";
import { trade } from "./swap.ts";

const ETHER = 10n ** 18n;
/** All of the stock is shares, so that the wrapper pays what the first swap redeems, and gives half of the stock besides. */
const state = {
  assets: 1000n * ETHER,
  shares: 2000n * ETHER,
  moves: false,
  underlying: 0n,
  wrapped: 500n * ETHER,
  room: ETHER,
  redeemable: 300n * ETHER,
  least: 1000n,
  readFor: 1,
};

test("swaps that are paid from the stock which earlier ones filled are certified", () => {
  const { pool, states, at } = subjectOf(state);
  let [now, sold, bought] = [state, 0n, 0n];
  // The first swap leaves the wrapper hardly anything to redeem, and the second takes what the first put into the stock.
  for (const amount of [40n, 200n]) {
    const done = trade(now, { i: 1, j: 0, amount: amount * ETHER, side: "in", at })!;
    [now, sold, bought] = [done.next, sold + amount * ETHER, bought + done.amountOut];
  }
  expect(trade(state, { i: 1, j: 0, amount: sold, side: "in", at })).toBeUndefined();
  const graph = emptyGraph(
    new Map([["balancer-v3-buffer", balancerV3Buffer]]) as never,
    `0x${"99".repeat(20)}`,
  );
  patchGraph(graph, { pools: [pool], removed: [] }, { get: (id) => states.get(id) }, at);
  const cost = 0.499;
  const price = (node: number) => (node === graph.nodeOf.get(WRAPPER) ? cost : 1);
  const market = { graph, memory: emptyCertificateMemory(), at, allowed: () => true, price };
  const earning = earningOf({ ...market, perGas: 0, enough: 0, ends: [] }, 0);
  const gained = Number(bought) - cost * Number(sold);
  expect(gained).toBeGreaterThan(0);
  expect(earning).toMatchObject({ earned: expect.toSatisfy((earned: number) => earned >= gained) });
});
