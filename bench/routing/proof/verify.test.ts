import { describe, expect, test } from "vitest";
import type { OrderResult } from "../market/schema.ts";
import { smallMarket } from "../small-market.fixture.ts";
import { verify } from "./verify.ts";

const { board, orders, ask } = smallMarket(4, ["uniswap-v2", "uniswap-v3"]);
const results = orders.map((order) => ask(order, { gasGwei: 5, maxLegs: 16, budgetMs: 1e9 }));
const first = results.find(({ route, bound }) => (route?.length ?? 0) > 2 && bound != null)!;
const faultsOf = (result: OrderResult) => verify(board, [result], 16).faults.map(({ what }) => what);
const more = (text: string | undefined, by: bigint) => String(BigInt(text!) + by);

test("what the engine answers holds, hop by hop and bound by bound", () => {
  const { faults, bounds } = verify(board, results, 16);
  expect(faults).toEqual([]);
  expect(bounds).toBeGreaterThan(10);
});

describe("a planted fault is found:", () => {
  const [leg, ...legs] = first.route!;
  const planted: [string, OrderResult, RegExp][] = [
    ["a unit more out", { ...first, amountOut: more(first.amountOut, 1n) }, /ends with .* not/],
    [
      "a hop that pays a unit more",
      { ...first, route: [{ ...leg!, amountOut: more(leg!.amountOut, 1n) }, ...legs] },
      /leg 0: pays/,
    ],
    [
      "a hop that takes what is not there",
      { ...first, route: [{ ...leg!, amountIn: more(first.amountIn, 1n) }, ...legs] },
      /leg 0: takes 1 more/,
    ],
    ["a hop left out", { ...first, route: legs }, /ends with|takes/],
    ["hops out of order", { ...first, route: [...first.route!].reverse() }, /takes .* more/],
    ["a pool of no market", { ...first, route: [{ ...leg!, pool: "0x1" }, ...legs] }, /no pool 0x1/],
    ["more legs than stated", { ...first, legs: 1 }, /states 1 legs/],
    ["gas of another model", { ...first, gasUnits: first.gasUnits! + 1 }, /units of gas/],
    ["net that is not out less gas", { ...first, net: more(first.net, 1n) }, /states net/],
    [
      "a bound too low",
      { ...first, bound: String((BigInt(first.bound!) * 999n) / 1000n) },
      /states the bound/,
    ],
    [
      "a net bound too low",
      { ...first, netBound: String((BigInt(first.netBound!) * 999n) / 1000n) },
      /states the net bound|its own bound/,
    ],
    [
      "a price that proves no net bound",
      {
        ...first,
        netPrices: { ...first.netPrices, [first.tokenIn]: first.netPrices![first.tokenIn]! * 1.01 },
      },
      /states the net bound .* prove/,
    ],
    ["a bound below the amount", { ...first, bound: String(BigInt(first.amountOut!) / 2n) }, /its own bound/],
    [
      "a price that proves nothing",
      { ...first, prices: { ...first.prices, [first.tokenIn]: first.prices![first.tokenIn]! * 0.99 } },
      /prices prove/,
    ],
    ["no prices", { ...first, prices: {} }, /no price of/],
  ];
  test.each(planted)("%s", (_, result, fault) => {
    expect(faultsOf(result).join("\n")).toMatch(fault);
  });

  test("too many legs for the cap", () => {
    expect(verify(board, [first], 2).faults.map(({ what }) => what)).toContain(
      `${first.legs} legs are more than 2`,
    );
  });
});
