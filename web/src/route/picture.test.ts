import { describe, expect, test } from "vitest";
import type { GraphStep } from "../api.ts";
import { flowsOf } from "./flows.ts";
import { layOut, type Picture } from "./picture.ts";

const step = (tokenIn: string, tokenOut: string, amount: number): GraphStep => ({
  pool: `${tokenIn}-${tokenOut}`,
  protocol: "uniswap-v2",
  deployment: "uniswap-v2",
  token_in: tokenIn,
  token_out: tokenOut,
  amount_in: String(amount),
  amount_out: String(amount),
});

function draw(width: number, ...steps: GraphStep[]): Picture {
  const picture = layOut(flowsOf({ tokens: [], steps }, "A"), width);
  if (picture === undefined) throw new Error("nothing drawn");
  return picture;
}

const parallel = (count: number) =>
  Array.from({ length: count }, (_, k) => step("A", "B", k === 0 ? 1000 : 10));
const chain = ["A", "C", "D", "E", "B"].slice(1).map((to, k) => step(["A", "C", "D", "E"][k]!, to, 100));
const tangle = [
  step("A", "C", 400),
  step("A", "D", 300),
  step("A", "B", 300),
  step("C", "D", 150),
  step("C", "B", 250),
  step("D", "B", 300),
  step("D", "B", 149),
  step("D", "B", 1),
];

test("nothing to draw", () => {
  expect(layOut(flowsOf({ tokens: [], steps: [] }, "A"), 800)).toBeUndefined();
});

describe.each([
  ["one pool", [step("A", "B", 1)]],
  ["20 parallel pools", parallel(20)],
  ["4 hops", chain],
  ["a tangle", tangle],
])("%s", (_, steps) => {
  test.each([320, 720, 1060])("%i px wide: everything is inside, nothing overlaps", (width) => {
    const picture = draw(width, ...steps);
    expect(picture.threads).toHaveLength(steps.length);
    expect(picture.tags.map((tag) => tag.leg.number).sort((a, b) => a - b)).toEqual(
      steps.map((_step, k) => k + 1),
    );
    for (const { y0, y1, x } of picture.nodes) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(width);
      expect(y0).toBeGreaterThanOrEqual(14);
      expect(y1).toBeLessThanOrEqual(picture.height);
    }
    for (const [k, one] of picture.tags.entries()) {
      expect(one.x - picture.tag.width / 2).toBeGreaterThanOrEqual(0);
      expect(one.x + picture.tag.width / 2).toBeLessThanOrEqual(width);
      expect(one.y + picture.tag.height / 2).toBeLessThanOrEqual(picture.height);
      for (const other of picture.tags.slice(k + 1)) {
        const clear =
          Math.abs(one.x - other.x) >= picture.tag.width || Math.abs(one.y - other.y) >= picture.tag.height;
        expect(clear, `${one.leg.number} over ${other.leg.number}`).toBe(true);
      }
    }
  });
});

test("a thread is as wide as its share, but never too thin to see", () => {
  const [wide, thin] = draw(800, step("A", "B", 75), step("A", "B", 25)).threads;
  expect(wide!.width / thin!.width).toBeCloseTo(3, 5);
  expect(draw(800, step("A", "B", 100_000), step("A", "B", 1)).threads[1]!.width).toBe(1.5);
});

test("threads start and end at the bars of their tokens", () => {
  const { nodes, threads } = draw(800, step("A", "B", 1));
  expect(threads[0]!.path.startsWith(`M${(nodes[0]!.x + 8).toFixed(1)},`)).toBe(true);
  expect(threads[0]!.path.split(" ").at(-1)!.startsWith(nodes[1]!.x.toFixed(1))).toBe(true);
});

test("labels say as much as the width allows", () => {
  expect(draw(340, step("A", "B", 1)).density).toBe("full");
  expect(draw(1060, ...chain).density).toBe("full");
  expect(draw(340, ...chain).density).toBe("number");
  expect(draw(1060, ...parallel(20)).density).toBe("line");
});
