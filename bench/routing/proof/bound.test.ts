import { expect, test } from "vitest";
import { type Random, random } from "../market/random.ts";
import { smallMarket } from "../small-market.fixture.ts";
import { strategies } from "../strategies/index.ts";
import { type EdgeFlow, judgeEdges, type Task } from "./judge.ts";

/** Flows in an order of the tokens that chance decides: each takes a random share of what its token holds. */
function randomFlows({ board, from, to, amount }: Task, rng: Random): EdgeFlow[] {
  const rank = board.tokens.map((_, node) => (node === from ? -1 : node === to ? 2 : rng.next()));
  const order = [...rank.keys()].sort((a, b) => rank[a]! - rank[b]!);
  const held = new Float64Array(board.tokens.length);
  const keen = 0.05 + 0.9 * rng.next();
  held[from] = Number(amount);
  return order.flatMap((node) => {
    const onward = board.outgoing[node]!.filter(
      ({ head }) => rank[head]! > rank[node]! && (head === to || rng.next() < keen / 4),
    );
    const weights = onward.map(() => rng.next() ** 3);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return onward.map((edge, k) => {
      const sold = (held[node]! * weights[k]!) / total;
      held[edge.head]! += edge.direction.out(sold);
      return { edge, amount: sold };
    });
  });
}

test.each([11, 12, 13])("no random route beats the engine's bound, seed %i", (seed) => {
  const { orders, task, ask } = smallMarket(seed);
  const rng = random(seed);
  let settled = 0;
  for (const order of orders.slice(0, 12)) {
    const { bound } = ask(order);
    if (bound == null) continue;
    const asked = task(order);
    for (let trial = 0; trial < 40; trial++) {
      const answer = judgeEdges(asked, randomFlows(asked, rng));
      if (answer === undefined) continue;
      settled++;
      expect(answer.amountOut <= BigInt(bound)).toBe(true);
    }
    for (const strategy of strategies.values())
      expect((strategy(asked)?.amountOut ?? 0n) <= BigInt(bound)).toBe(true);
  }
  expect(settled).toBeGreaterThan(100);
});

/** By seed and order: the gap in bp that was stated before prices of tokens beside the route moved with it. */
const wereLoose = [
  [35, 5, 125],
  [36, 20, 53],
  [7, 13, 47],
  [8, 17, 30],
  [54, 12, 23],
] as const;

test.each(wereLoose)(
  "a route at the optimum is proved to be there: seed %i, order %i, was %i bp",
  (seed, k) => {
    const { orders, ask } = smallMarket(seed);
    const { amountOut, bound } = ask(orders[k]!);
    expect(1 - Number(amountOut) / Number(bound)).toBeLessThan(0.6e-4);
  },
);
