import { expect, test } from "vitest";
import { earningOf } from "../../core/routing/certificate/earning/earning.ts";
import { emptyCertificateMemory } from "../../core/routing/certificate/memory.ts";
import { emptyGraph } from "../../core/routing/market-graph/graph.ts";
import { patchGraph } from "../../core/routing/market-graph/update.ts";
import { emptyPool, minted } from "../shared/concentrated/concentrated-arbitrary.ts";
import { POOL, subjectOf } from "./arbitrary.ts";
import { uniswapV3 } from "./index.ts";
import { type State, trade } from "./state.ts";

const NOW = 10_000;
const at = { blockNumber: 1, timestamp: NOW };
const range = { lower: -6000, upper: 6000, liquidity: 10n ** 24n };
/** 300 ticks above its average, with a fee of 0.01 % and ten millionths more a tick. */
const state: State = {
  ...minted(emptyPool({ feePpm: 100, tickSpacing: 60 }, 0, 0), range),
  fees: {
    module: POOL,
    readAt: NOW,
    swapGas: 36_000,
    moving: {
      ...{ basePpm: 100, capPpm: 50_000, scaling: 10_000_000n, window: 600, blockSeconds: 2, stepSeconds: 2 },
      ring: { index: 0, cardinality: 400, cardinalityNext: 400, newest: NOW },
      history: { times: [NOW - 600, NOW], sums: [0, -180_000] },
    },
  },
};

/** What sales in equal pieces gain, if a unit sold costs `least`. */
function gainOf(least: number, pieces: number, sold: bigint): number {
  let [now, paid] = [state, 0n];
  for (let k = 0; k < pieces; k++) {
    const done = trade(now, { i: 0, j: 1, amount: sold / BigInt(pieces), side: "in", at })!;
    [now, paid] = [done.next, paid + done.amountOut];
  }
  return Number(paid) - least * Number(sold);
}

test("sales in pieces, each of which pays the lower fee of a price nearer to the average, are certified, and hardly more is", () => {
  const subject = subjectOf(state);
  const graph = emptyGraph(new Map([["uniswap-v3", uniswapV3]]) as never, `0x${"99".repeat(20)}`);
  patchGraph(graph, { pools: [subject.pool], removed: [] }, { get: (id) => subject.states.get(id) }, at);
  const sold = graph.nodeOf.get(subject.pool.tokens[0]!);
  for (const least of [0.99, 0.9935, 0.9965]) {
    const price = (node: number) => (node === sold ? least : 1);
    const market = { graph, memory: emptyCertificateMemory(), at, allowed: () => true, price };
    const earning = earningOf({ ...market, perGas: 0, enough: 0, ends: [] }, 0);
    const sizes = Array.from({ length: 400 }, (_, k) => BigInt(k + 1) * 10n ** 19n);
    const most = (pieces: number) => Math.max(...sizes.map((size) => gainOf(least, pieces, size)));
    expect(most(40)).toBeGreaterThan(most(1) * 1.05);
    expect(earning).toMatchObject({ earned: expect.toSatisfy((earned: number) => earned >= most(40)) });
    expect(earning).toMatchObject({ earned: expect.toSatisfy((earned: number) => earned < most(40) * 1.3) });
  }
});
