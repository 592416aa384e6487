import { describe, expect, test } from "vitest";
import { distinct, startsOf } from "./ranked-supports.ts";
import type { Support } from "./support.ts";

const set = (edges: readonly number[], net: number, limits: readonly [number, number][] = []) =>
  ({ edges, net, limits: new Map(limits) }) as unknown as Support;

test("supports of equal edges and limits count once, with the larger net", () => {
  const [once, again] = [set([1, 2], 5), set([1, 2], 5 + 1e-9)];
  const [held, other] = [set([1, 2], 4, [[2, 7]]), set([1, 3], 6)];
  expect(distinct([once, held, again, other, set([4], -Infinity)])).toEqual([other, again, held]);
});

describe("the supports from which improvement starts", () => {
  const range = (from: number, count: number) => Array.from({ length: count }, (_, k) => from + k);
  /** Fifteen variants of one support, each two edges apart from every other. */
  const variants = range(0, 15).map((k) => set([...range(100, 9), k], 100 - k));
  /** Three supports over disjoint edges, which net less than all variants. */
  const others = range(0, 3).map((k) => set(range(200 + 10 * k, 5), 50 - k));
  const ranked = [...variants, ...others];

  test("are the best twelve if legs cost gas, and the best four if they are free", () => {
    expect(startsOf(ranked, "paid")).toEqual(ranked.slice(0, 12));
    expect(startsOf(ranked, "other")).toEqual(ranked.slice(0, 4));
  });

  test("are the best four and two that differ from these and from each other, with arbitrage", () => {
    expect(startsOf(ranked, "gaining")).toEqual([...ranked.slice(0, 4), others[0], others[1]]);
    expect(startsOf([...variants, others[0]!, set([...range(200, 4), 7], 1)], "gaining")).toHaveLength(5);
  });

  test("are all if there are fewer", () => {
    expect(startsOf(ranked.slice(0, 2), "gaining")).toEqual(ranked.slice(0, 2));
  });
});
