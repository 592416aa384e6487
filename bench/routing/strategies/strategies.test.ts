import { describe, expect, test } from "vitest";
import type { Edge } from "../orders/board.ts";
import { betterAnswer, judgePaths, type Task } from "../proof/judge.ts";
import { smallMarket } from "../small-market.fixture.ts";
import { pathOut } from "./best-path.ts";
import { strategies } from "./index.ts";

const made = smallMarket(6, ["uniswap-v2", "uniswap-v3"]);
const orders = made.orders.slice(0, 12);

/** Every path of up to `hops` pools that passes no token twice. */
function allPaths({ board, from, to }: Task, hops: number): Edge[][] {
  const found: Edge[][] = [];
  const walk = (path: Edge[], node: number) => {
    if (node === to) found.push(path);
    if (node === to || path.length === hops) return;
    for (const edge of board.outgoing[node]!) {
      if (edge.head !== from && path.every(({ tail }) => tail !== edge.head))
        walk([...path, edge], edge.head);
    }
  };
  walk([], from);
  return found;
}

test("the single path is the best of all paths", () => {
  for (const order of orders.slice(0, 6)) {
    const task = made.task(order);
    const amount = Number(task.amount);
    const best = allPaths(task, 3)
      .map((path) => ({ path, out: pathOut(path, amount) }))
      .sort((a, b) => b.out - a.out)
      .slice(0, 5)
      .map(({ path }) => judgePaths(task, [{ path, amount: 1 }]))
      .reduce(betterAnswer, undefined);
    expect(strategies.get("one-path-3")!(task)?.amountOut).toBe(best?.amountOut);
  }
});

describe.each([...strategies])("%s", (_, strategy) => {
  test("answers every order that the engine routes, and never over its bound", () => {
    let answered = 0;
    for (const order of orders) {
      const { bound } = made.ask(order);
      const answer = strategy(made.task(order));
      if (bound == null || answer === undefined) continue;
      answered++;
      expect(answer.amountOut <= BigInt(bound)).toBe(true);
    }
    expect(answered).toBe(orders.length);
  });

  test("keeps to the cap on legs", () => {
    for (const order of orders) {
      const answer = strategy(made.task(order, { gasGwei: 0, maxLegs: 4, budgetMs: 1e9 }));
      expect(answer?.legs.length).toBeLessThanOrEqual(4);
    }
  });

  test("counts gas: a dear one leaves no more legs than a free one", () => {
    for (const order of orders.slice(0, 4)) {
      const legs = (gasGwei: number) =>
        strategy(made.task(order, { gasGwei, maxLegs: 0, budgetMs: 1e9 }))!.legs.length;
      expect(legs(2000)).toBeLessThanOrEqual(legs(0));
    }
  });
});
