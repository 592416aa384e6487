import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, expectBalanced, graphOf, type PairSpec, token } from "../market.fixture.ts";
import type { Graph } from "../market-graph/graph.ts";
import { judge, settleContext, type Trial } from "./evaluate.ts";
import { inputSavingOf } from "./input-saving.ts";
import { layOut } from "./layout.ts";
import { settle } from "./settle.ts";

const [A, B, C] = [token(1), token(2), token(3)];
const E18 = 10n ** 18n;

/** A market with pools from A to B and from B to C. */
function trialOf(pools: readonly PairSpec[]): { readonly graph: Graph; readonly trial: Trial } {
  const graph = graphOf(pools);
  const trial = {
    graph,
    request: ask(A, C, 1n),
    ends: { tokenIn: A, tokenOut: C },
    outPerGas: 0,
    faults: { threw: 0, pools: new Set<string>() },
    refused: new Set<number>(),
    spent: { settleMs: 0 },
  };
  return { graph, trial };
}

/** Flows that split `amount` over the edges from A to B in proportion to `shares`, and a flow from B to C. */
function flowsOf({ edges, tail, nodeOf }: Graph, shares: readonly number[], amount: number) {
  const all = Array.from({ length: edges }, (_, edge) => edge);
  const [a, b] = [nodeOf.get(A), nodeOf.get(B)];
  const total = shares.reduce((sum, share) => sum + share, 0);
  const parallel = all
    .filter((edge) => tail[edge] === a)
    .map((edge, k) => ({ edge, amount: (amount * shares[k]!) / total }));
  return [...parallel, { edge: all.filter((edge) => tail[edge] === b).at(-1)!, amount: 1 }];
}

const reserves = fc.tuple(fc.bigInt(E18, 1000n * E18), fc.bigInt(200n, 100_000n));
const markets = fc.array(reserves, { minLength: 2, maxLength: 6 });

describe("input saving", () => {
  test("never lowers the output of a step or of the route, and the route still spends the whole amount", () => {
    let [better, kept] = [0, 0];
    fc.assert(
      fc.property(
        markets,
        fc.bigInt(E18 / 10n, 100n * E18),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 6, maxLength: 6 }),
        (held, amount, shares) => {
          const onward: PairSpec = { tokens: [B, C], reserves: [10n ** 6n, 10n ** 30n] };
          const { graph, trial } = trialOf([
            ...held.map((reserves) => ({ tokens: [A, B] as const, reserves })),
            onward,
          ]);
          const flows = flowsOf(graph, shares, Number(amount));
          const plan = layOut(graph, flows, trial.ends)!;
          const plain = settle(plan, amount, settleContext(trial));
          const saved = judge(trial, flows, amount);
          if (plain.kind === "failed" || saved === undefined) return;
          expect(saved.route.amountOut).toBeGreaterThanOrEqual(plain.amountOut);
          expectBalanced(saved.route);
          if (saved.route.amountOut > plain.amountOut) better++;
          for (const [k, step] of saved.route.steps.entries()) {
            expect(step.amountOut).toBeGreaterThanOrEqual(plain.steps[k]!.amountOut);
            if (step.amountIn < plain.steps[k]!.amountIn) kept++;
          }
          const again = settle(saved.plan, amount, settleContext(trial));
          expect(again).toMatchObject({ kind: "settled", amountOut: saved.route.amountOut });
        },
      ),
      { numRuns: 400 },
    );
    expect(kept).toBeGreaterThan(200);
    expect(better).toBeGreaterThan(100);
  });

  test("is zero for a step whose unit bought is worth a negligible share of the order", () => {
    const { graph, trial } = trialOf([
      { tokens: [A, B], reserves: [1000n * E18, 1000n * E18] },
      { tokens: [A, B], reserves: [1000n * E18, 1000n * E18] },
      { tokens: [B, C], reserves: [1000n * E18, 1000n * E18] },
    ]);
    const plan = layOut(graph, flowsOf(graph, [1, 2], 1e18), trial.ends)!;
    const [value] = graph.values.ref;
    const saving = inputSavingOf(graph, plan, 1e18 * value!);
    for (const [k] of plan.entries()) expect(saving(k, E18, (E18 * 99n) / 100n)).toBe(0n);
  });
});
