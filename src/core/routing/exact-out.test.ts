import { expect, test } from "vitest";
import { findExactOut } from "./exact-out.ts";
import { ask, graphOf, token } from "./market.fixture.ts";
import { openQuery, type Query } from "./request.ts";
import { judge } from "./settlement/evaluate.ts";
import { vaultMarket } from "./vaults.fixture.ts";
import { emptyWorkspace } from "./workspace.ts";

const E21 = 10n ** 21n;
const ROOM = 100n * E21;

/**
 * From token 1 to 3 without a fee up to `ROOM`, and on to 2: up to 40 % of that without a fee, the rest with slippage.
 */
const engine = vaultMarket(
  [
    { room: ROOM, feePpm: 0n, tokens: [token(1), token(3)] },
    { room: 40n * E21, feePpm: 0n, tokens: [token(3), token(2)] },
  ],
  [{ tokens: [token(3), token(2)], reserves: [500n * E21, 500n * E21] }],
);

function routeOf(side: "in" | "out", amount: bigint, { find } = engine) {
  const found = find(ask(token(1), token(2), amount, { side }));
  if (found.kind === "missing") throw new Error(found.reason);
  return found.route;
}

test.each([1n, 20n, 50n, 70n, 90n, 99n])(
  "the output of a sale of %i % of the room can be bought for the amount sold",
  (percent) => {
    const amount = (ROOM * percent) / 100n;
    const { amountOut } = routeOf("in", amount);
    const bought = routeOf("out", amountOut);
    expect(bought.amountOut).toBeGreaterThanOrEqual(amountOut);
    expect(Number(bought.amountIn) / Number(amount)).toBeLessThan(1 + 1e-8);
    const sold = routeOf("in", bought.amountIn);
    expect(Number(sold.amountOut) / Number(amountOut)).toBeGreaterThan(1 - 1e-6);
  },
);

const E18 = 10n ** 18n;
const DEEP = 10n ** 30n;

/** What a purchase costs of which sales above 300 e18 find the worse of two pools only, a thousand times as dear. */
function costAt(reachable: number): number {
  const tokens = [token(1), token(2)];
  const graph = graphOf([
    { tokens, reserves: [DEEP, DEEP / 1000n] },
    { tokens, reserves: [DEEP, DEEP] },
  ]);
  const request = ask(token(1), token(2), E18, { side: "out" });
  const query = openQuery(graph, emptyWorkspace(), request, 0)!;
  const from = graph.nodeOf.get(token(1));
  const edgesOnward = graph.entries.map(
    ({ firstEdge }) => firstEdge + Number(graph.tail[firstEdge] !== from),
  );
  const sell = (trial: Query, amount: bigint) => {
    const edge = edgesOnward[amount > 300n * E18 ? 0 : 1]!;
    const judged = judge(trial, [{ edge, amount: 1 }], amount);
    return judged && { ...judged, bound: "", isCut: false, reachable };
  };
  const delivers = (_: Query, amount: bigint) => Number(amount) / 1000;
  const found = findExactOut(query, { sell, delivers, marginal: () => undefined });
  if (found === undefined || found === "out-of-time") throw new Error("nothing was found");
  return Number(found.exact.route.amountIn) / Number(E18);
}

test("a sale that is many times too large does not stay where arbitrage may pay for the purchase", () => {
  expect(costAt(0)).toBeCloseTo(1003, 0);
  expect(costAt(1)).toBeCloseTo(1.003, 3);
});

test("nearly all that a pool holds is bought where the first aims fall short and no plan can sell more", () => {
  const tokens = [token(1), token(2)];
  const graph = graphOf([{ tokens, reserves: [E21, E21] }]);
  const wanted = (E21 * 998n) / 1000n;
  const query = openQuery(graph, emptyWorkspace(), ask(token(1), token(2), wanted, { side: "out" }), 0)!;
  const edge = graph.entries[0]!.firstEdge + Number(graph.tail[graph.entries[0]!.firstEdge] !== query.from);
  const sell = (trial: Query, amount: bigint) => {
    const judged = judge(trial, [{ edge, amount: 1 }], amount);
    if (judged === undefined) return undefined;
    const plan = judged.route.amountOut < wanted ? [] : judged.plan;
    return { ...judged, plan, bound: "", isCut: false, reachable: 0 };
  };
  const delivers = (_: Query, amount: bigint) => Number(amount);
  const found = findExactOut(query, { sell, delivers, marginal: () => undefined });
  if (found === undefined || found === "out-of-time") throw new Error("nothing was found");
  expect(Number(found.exact.route.amountIn) / Number(E21)).toBeCloseTo(499 * (1 / 0.997), 0);
});

test("what is worth less than a unit is bought for one unit, though no more than a few can be sold", () => {
  const few = vaultMarket(
    [{ room: 100n, feePpm: 0n, tokens: [token(1), token(3)] }],
    [{ tokens: [token(3), token(2)], reserves: [1_000n, 1_000n * E18] }],
  );
  const { amountOut } = routeOf("in", 1n, few);
  expect(routeOf("out", amountOut / 2n, few)).toMatchObject({ amountIn: 1n, amountOut });
});
