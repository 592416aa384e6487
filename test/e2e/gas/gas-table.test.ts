import { expect, test } from "vitest";
import type { GasFacts } from "./gas.ts";
import { gasTable, isPublished } from "./gas-table.ts";

const swap: GasFacts = {
  deployments: ["uniswap-v2"],
  ...{ estimate: 120, used: 100, least: 110, model: 126, fixed: 60 },
  validated: true,
  saved: 0,
};

/** The lines under a title, up to the next one. */
function section(gas: readonly GasFacts[], title: string): string[] {
  const rows = gasTable(gas).split("\n");
  const from = rows.findIndex((one) => one.startsWith(`${title}: `));
  const length = rows.slice(from + 1).findIndex((one) => !one.startsWith("  "));
  return rows.slice(from, from + 1 + length);
}

test("the table holds each ratio at its percentiles, wallets apart from the others", () => {
  const without = { ...swap, validated: false };
  const model = { ...without, estimate: 250, deployments: ["solidly"] };
  const gas = [swap, { ...swap, used: 80, unrefunded: 96 }, without, model];
  expect(section(gas, "with a wallet")).toEqual([
    "with a wallet: 2 swaps",
    "  estimate / gas used       p50 1.200  p95 1.500  most 1.500  least 1.200",
    "  estimate / least limit    p50 1.091  p95 1.091  most 1.091  least 1.091",
    "  least limit / gas used    p50 1.100  p95 1.375  most 1.375  least 1.100",
  ]);
  expect(section(gas, "without").slice(0, 2)).toEqual([
    "without: 2 swaps",
    "  estimate / gas used       p50 1.200  p95 2.500  most 2.500  least 1.200",
  ]);
  expect(section(gas, "without, over published bytecode alone").slice(0, 2)).toEqual([
    "without, over published bytecode alone: 1 swaps",
    "  estimate / gas used       p50 1.200  p95 1.200  most 1.200  least 1.200",
  ]);
  expect(section(gas, "why limits are above what is used").slice(0, 2)).toEqual([
    "why limits are above what is used: 1 swaps",
    "  unrefunded / gas used     p50 1.200  p95 1.200  most 1.200  least 1.200",
  ]);
  expect(gasTable(gas)).toContain("the least limit is above 1.15 times the gas used in 50 % of swaps");
});

test("a recipient that holds its token already needs less than an estimate that does not know it", () => {
  const held = { ...swap, validated: false, used: 100_000, least: 110_000, saved: 2 * 17_100 };
  expect(section([held], "without").at(-1)).toBe(
    "  least for any / used      p50 1.442  p95 1.442  most 1.442  least 1.442",
  );
});

test("the swaps farthest above the gas used are named, the farthest first", () => {
  const without = { ...swap, validated: false };
  const far = { ...without, estimate: 200, saved: 20, deployments: ["erc4626", "dodo"] };
  const rows = gasTable([swap, without, far]).split("\n");
  const from = rows.indexOf("without, farthest above the gas used:");
  expect(rows.slice(from + 1, from + 4)).toEqual([
    "  2.000  least for any 1.300  erc4626, dodo",
    "  1.200  least for any 1.100  uniswap-v2",
    "",
  ]);
});

test("a route of one step says what its crossing needs beside the figure that was counted", () => {
  const one = {
    ...swap,
    deployments: ["erc4626"],
    model: 160_408,
    fixed: 50_000,
    least: 130_000,
    saved: 1_000,
  };
  const rows = gasTable([one, { ...one, least: 140_000 }, { ...one, deployments: ["erc4626", "dodo"] }])
    .split("\n")
    .filter((row) => row.startsWith("erc4626"));
  // 153,500 without the headroom of 4.5 %, of which 50,000 are no step's; 690 thousandths of the design's figure.
  expect(rows.map((row) => row.split(/ +/))).toEqual([
    ["erc4626", "2", "150000", "103500", "81000", "91000"],
  ]);
});

test("a route is published where none of its pools is a model", () => {
  expect(isPublished(["wrapped-native", "uniswap-v3"])).toBe(true);
  expect(isPublished(["uniswap-v3", "solidly"])).toBe(false);
});
