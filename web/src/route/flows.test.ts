import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphStep, RouteGraph } from "../api.ts";
import { type Flows, flowsOf } from "./flows.ts";

const step = (path: string, amountIn: number, amountOut: number): GraphStep => {
  const [tokenIn = "", tokenOut = ""] = path.split(">");
  return {
    pool: `pool-${path}`,
    protocol: "uniswap-v2",
    deployment: "uniswap-v2",
    token_in: tokenIn,
    token_out: tokenOut,
    amount_in: String(amountIn),
    amount_out: String(amountOut),
  };
};
const graph = (...steps: GraphStep[]): RouteGraph => ({ tokens: [], steps });
const drawn = ({ flows }: Flows) => flows.map((s) => `${s.from}>${s.to} ${s.share.toFixed(3)}`);

test("one pool carries everything", () => {
  const found = flowsOf(graph(step("A>B", 100, 7)), "A");
  expect(drawn(found)).toEqual(["A#0>B#0 1.000"]);
  expect(found.nodes).toMatchObject([
    { id: "A#0", amount: 100n },
    { id: "B#0", amount: 7n },
  ]);
});

test("a split over two hops and a direct pool", () => {
  const found = flowsOf(
    graph(step("A>M", 60, 600), step("A>B", 40, 4), step("M>B", 450, 4), step("M>B", 150, 2)),
    "A",
  );
  expect(drawn(found)).toEqual(["A#0>M#0 0.600", "A#0>B#0 0.400", "M#0>B#0 0.450", "M#0>B#0 0.150"]);
  expect(found.legs.map((leg) => leg.number)).toEqual([1, 2, 3, 4]);
  expect(found.nodes.at(-1)).toMatchObject({ token: "B", amount: 10n });
});

test("a route that comes back to a token gets a second node for it, and still runs one way", () => {
  const found = flowsOf(
    graph(
      step("A>M", 50, 50),
      step("A>N", 50, 50),
      step("M>N", 25, 25),
      step("N>M", 40, 40),
      step("M>B", 65, 1),
    ),
    "A",
  );
  expect(drawn(found)).toEqual([
    "A#0>M#0 0.500",
    "A#0>N#0 0.500",
    "M#0>N#0 0.250",
    "N#0>M#1 0.400",
    "M#0>B#0 0.250",
    "M#1>B#0 0.400",
  ]);
});

test("amounts beyond a double keep their proportion", () => {
  const huge = graph(
    { ...step("A>B", 0, 0), amount_in: (3n * 10n ** 70n).toString(), amount_out: "1" },
    { ...step("A>B", 0, 0), amount_in: (10n ** 70n).toString(), amount_out: "1" },
  );
  expect(drawn(flowsOf(huge, "A"))).toEqual(["A#0>B#0 0.750", "A#0>B#0 0.250"]);
});

test("a step that takes from an empty register is listed, not drawn", () => {
  const found = flowsOf(graph(step("A>B", 10, 5), step("M>B", 3, 1)), "A");
  expect(found.legs.map((leg) => leg.share)).toEqual([1, 0]);
  expect(found.flows).toHaveLength(1);
});

describe("any honest route", () => {
  const tokens = ["A", "B", "C", "D", "E"];
  const plan = fc.array(
    fc.record({ from: fc.nat(4), to: fc.nat(4), part: fc.integer({ min: 1, max: 10 }) }),
    { minLength: 1, maxLength: 24 },
  );

  /** Executes moves of `part` tenths of a token's balance, like the router, and skips empty balances. */
  function run(moves: readonly { from: number; to: number; part: number }[]): GraphStep[] {
    const held = new Map([["A", 1_000_000_000]]);
    const steps: GraphStep[] = [];
    for (const { from, to, part } of moves) {
      const [source, target] = [tokens[from]!, tokens[to]!];
      const amount = Math.floor(((held.get(source) ?? 0) * part) / 10);
      if (source === target || amount === 0) continue;
      held.set(source, held.get(source)! - amount);
      held.set(target, (held.get(target) ?? 0) + amount);
      steps.push(step(`${source}>${target}`, amount, amount));
    }
    return steps;
  }

  test("shares are kept at every node, and nothing runs in a circle", () => {
    fc.assert(
      fc.property(plan, (moves) => {
        const steps = run(moves);
        fc.pre(steps.some((s) => s.token_in === "A"));
        const found = flowsOf(graph(...steps), "A");
        for (const node of found.nodes) {
          const sum = (end: "from" | "to") =>
            found.flows.filter((s) => s[end] === node.id).reduce((total, s) => total + s.share, 0);
          const arrived = node.id === "A#0" ? 1 : sum("to");
          expect(sum("from")).toBeLessThanOrEqual(arrived + 1e-9);
        }
        expect(circular(found)).toBe(false);
        for (const leg of found.legs) expect(leg.share).toBeGreaterThan(0);
      }),
      { interruptAfterTimeLimit: 10_000, markInterruptAsFailure: true },
    );
  });

  function circular({ nodes, flows }: Flows): boolean {
    const open = new Set(nodes.map((node) => node.id));
    for (;;) {
      const done = [...open].filter((id) => !flows.some((s) => s.to === id && open.has(s.from)));
      if (done.length === 0) return open.size > 0;
      for (const id of done) open.delete(id);
    }
  }
});
