import { expect, test } from "vitest";
import { gasTable, isPublished } from "./gas.ts";

const swap = {
  deployments: ["uniswap-v2"],
  estimate: 120,
  used: 100,
  least: 110,
  validated: true,
  saved: 0,
};

test("the table holds each ratio at its percentiles, wallets apart from the others", () => {
  const without = { ...swap, validated: false };
  const model = { ...without, estimate: 250, deployments: ["solidly"] };
  const rows = gasTable([swap, { ...swap, unrefunded: 96 }, without, model]).split("\n");
  const row = (start: string) => rows.find((one) => one.startsWith(start));
  expect(row("estimate / gas used, with a wallet")).toMatch(/ 2 swaps {2}p50 1\.200 {2}p95 1\.200/);
  expect(row("estimate / least limit, with a wallet")).toMatch(/p50 1\.091/);
  expect(row("estimate / gas unrefunded")).toMatch(/ 1 swaps {2}p50 1\.250/);
  expect(row("estimate / gas used, without")).toMatch(/ 2 swaps {2}p50 1\.200 {2}p95 2\.500 {2}most 2\.500/);
  expect(row("  of these over published bytecode")).toMatch(/ 1 swaps {2}p50 1\.200 {2}p95 1\.200/);
  expect(row("least limit / gas used, all")).toMatch(/ 4 swaps {2}p50 1\.100/);
  expect(row("estimate / least for any, uniswap-v2")).toMatch(/ 1 swaps {2}p50 1\.091/);
  expect(row("estimate / least for any, solidly")).toMatch(/ 1 swaps {2}p50 2\.273/);
});

test("a recipient that holds its token already needs less than an estimate that does not know it", () => {
  const held = { ...swap, validated: false, used: 100_000, least: 110_000, saved: 2 * 17_100 };
  const [least] = gasTable([held])
    .split("\n")
    .filter((one) => one.startsWith("  the least, for any"));
  expect(least).toMatch(/ 1 swaps {2}p50 1\.442/);
});

test("a route is published where none of its pools is a model", () => {
  expect(isPublished(["wrapped-native", "uniswap-v3"])).toBe(true);
  expect(isPublished(["uniswap-v3", "solidly"])).toBe(false);
});
