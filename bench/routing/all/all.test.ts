import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { buildEngine } from "../orders/run.ts";
import { sizedOrders } from "../orders/sized-orders.ts";
import { smallMarket } from "../small-market.fixture.ts";
import { type Bar, cleanBars, DUSTS, dustBars, rawBars, searchedBars } from "./bars.ts";
import { checkOutBaseline } from "./baseline.ts";
import { openCache } from "./cache.ts";
import { type AgreementRow, agreementBars, agreementText } from "./devnet/agreement.ts";
import { devnetBars, devnetText } from "./devnet/gaps.ts";
import type { Row } from "./figures.ts";
import { cleanMarket } from "./markets.ts";
import { countOf, worstOfSeeds, writePage } from "./page.ts";
import { runBoth } from "./pair.ts";

const folder = mkdtempSync(join(tmpdir(), "braid-bench-"));
afterAll(() => rmSync(folder, { recursive: true }));

const order = { tokenIn: `0x${"1".repeat(40)}`, tokenOut: `0x${"2".repeat(40)}`, amountIn: "1000" } as const;
const units = 10n ** 18n;
const gas = { gasUnits: 91_000, gasPriceOut: 1e10, gas: "910000000000000", net: "0" };

/** Both sides pay the same, and lie `bp` below a bound, a `legs` of gas below the net one. */
function row(change: Partial<Row["a"]> = {}, other: Partial<Row["a"]> = {}, eth = 10): Row {
  const amountOut = String(units);
  const netBound = String(units - 600_000_000_000_000n);
  const bound = String(units + units / 1_000_000n);
  const kept = { ...order, ...gas, amountOut, bound, netBound, ms: 1, cpuMs: 1, legs: 16, complete: true };
  return {
    order,
    eth,
    a: { ...kept, ...change },
    b: { ...kept, bound: String(units + units / 10_000n), ...other },
  };
}

const rows = (...more: Row[]) => [...Array.from({ length: 20 }, () => row()), ...more];
const broken = (bars: readonly Bar[]) => bars.filter(({ holds }) => holds === false).map(({ what }) => what);
const of = { market: "m", seed: 1 };
const free = { isFree: true, isMiddle: true };

describe("bars of a clean market", () => {
  test("hold where all is well", () => {
    const bars = cleanBars(of, rows(), free);
    expect(broken(bars)).toEqual([]);
    expect(bars.filter(({ holds }) => holds).length).toBe(8);
  });

  const breaking: [string, Row, string][] = [
    ["an order without a bound", row({ bound: null }), "orders with a net bound"],
    ["a bound of a unit less than is paid", row({ bound: String(units - 1n) }), "violated bounds"],
    ["a search that ran out of time", row({ complete: false }), "searches complete"],
    [
      "an order that pays 1 bp less",
      row({ amountOut: String(units - units / 10_000n) }),
      "net against baseline, worst order",
    ],
    ["an order that takes 101 ms", row({ cpuMs: 101 }), "CPU time, p99"],
    ["an order that does not route", row({ error: "no-path" }), "net against baseline, worst order"],
  ];
  test.each(breaking)("break by %s", (_, bad, what) => {
    expect(broken(cleanBars(of, rows(bad), free))).toContain(what);
  });

  test("break by gaps that are no quarter of the baseline's, and by time", () => {
    const near = rows().map(({ a, ...both }) => ({
      ...both,
      a: { ...a, bound: String(units + units / 30_000n) },
    }));
    expect(broken(cleanBars(of, near, free))).toEqual([
      "orders with all legs used: p90 of the gap over the baseline's",
    ]);
    const slow = rows().map(({ a, ...both }) => ({ ...both, a: { ...a, cpuMs: 1.4 } }));
    expect(broken(cleanBars(of, slow, free))).toEqual(["CPU time, p50 over that of baseline"]);
  });

  test("say that nothing was measured, where the baseline is not there, rather than that they hold", () => {
    const alone = rows().map(({ b, ...mine }) => mine);
    const open = cleanBars(of, alone, free).filter(
      ({ wanted, holds }) => wanted !== "-" && holds === undefined,
    );
    expect(open.map(({ what }) => what)).toHaveLength(4);
    expect(countOf(cleanBars(of, alone, free))).toBe("4 of 8 bars hold, 0 do not, 4 could not be measured");
  });
});

test("bars of searched pairs break by gaps of their size only", () => {
  expect(broken(searchedBars(of, rows()))).toEqual([]);
  const far = { netBound: String(units - 600_000_000_000_000n + units / 2000n) };
  const middle = rows().map(() => row(far, {}, 1));
  expect(broken(searchedBars(of, middle))).toEqual(["0.3 - 3 ETH: net gap, median"]);
  const large = rows().map(() => row(far, {}, 3));
  expect(broken(searchedBars(of, large))).toEqual([">= 3 ETH: net gap, median", ">= 3 ETH: net gap, p90"]);
});

test("bars of raw pairs break by arbitrage that is not said, or another", () => {
  const held = (eth: number) => rows().map(() => row({ arbitrageWei: String(eth * 1e18) }));
  expect(broken(rawBars(of, held(753)))).toEqual([]);
  expect(broken(rawBars(of, held(700)))).toEqual(["market_arbitrage"]);
  expect(rawBars(of, rows()).find(({ what }) => what === "market_arbitrage")?.holds).toBeUndefined();
});

test("bars of dust are the clean market's", () => {
  expect(broken(dustBars(of, rows(), DUSTS[0]))).toEqual([]);
  const far = rows().map(() => row({ netBound: String(units) }));
  expect(broken(dustBars(of, far, DUSTS[0]))).toEqual(["1 - 20 ETH: net gap, median"]);
  expect(broken(dustBars(of, far, DUSTS[2]))).toEqual([]);
});

test("bars of the devnet take a leg or a basis point", () => {
  const ends = { from: "A", to: "B", eth: 1, reason: null };
  const near = {
    ...ends,
    gapBps: null,
    gapLegs: 0.9,
    isRouted: true,
    isProved: true,
    isComplete: true,
    ms: 2,
  };
  expect(broken(devnetBars([near, { ...near, gapLegs: 5, gapBps: 1 }]))).toEqual([]);
  expect(broken(devnetBars([near, { ...near, gapLegs: 5 }]))).toEqual(["gap of at most 1 leg or 1 bp"]);
  expect(devnetText([near, { ...near, gapLegs: 5, to: "C" }])).toContain(
    "0 of 2 orders have no route; 1 are farther: 0 of 0.01 ETH",
  );
  expect(devnetText([{ ...near, gapLegs: 5, to: "C", reason: "why" }])).toMatch(/A 1, C 1\n {2}1 x why$/);
  expect(broken(devnetBars([]))).toEqual([]);
  expect(countOf(devnetBars([]))).toContain("0 of 4 bars hold");
});

describe("bars of what is sold and bought on the devnet", () => {
  const agreed: AgreementRow = {
    ...{ from: "A", to: "B", eth: 1, amount: "2000000", paid: "4000000", paidForHalf: "2000000" },
    ...{ impactBps: 4, impactOfHalfBps: 2, cost: "1999990", costOfHalf: "990000", paidForCost: "4000000" },
    isComplete: true,
  };

  test("hold where both ways agree but for a unit", () => {
    expect(broken(agreementBars([agreed, { ...agreed, paidForCost: "3999999" }]))).toEqual([]);
    expect(agreementText([agreed])).toBe("1 orders, 0 with a search that was cut short");
    expect(countOf(agreementBars([]))).toContain("0 of 6 bars hold");
  });

  const breaking: [Partial<AgreementRow>, RegExp][] = [
    [{ paidForCost: "3999900" }, /what buying costs, sold/],
    [{ cost: "2000100" }, /costs more than was sold/],
    [{ costOfHalf: "2000001" }, /buying half costs more/],
    [{ paidForHalf: "1999800" }, /half of an amount delivers less/],
    [{ impactOfHalfBps: 5 }, /price impact of half/],
    [{ cost: null }, /refused/],
  ];
  test.each(breaking)("break with %j", (change, what) => {
    const rows = [agreed, { ...agreed, ...change }];
    expect(broken(agreementBars(rows))).toEqual([expect.stringMatching(what)]);
    expect(agreementText(rows)).toContain("A > B 1 ETH");
  });
});

test("of several seeds the page tells the worst", () => {
  const bars = [1, 2, 3].flatMap((seed) => {
    const slow = rows().map(({ a, ...both }) => ({ ...both, a: { ...a, cpuMs: seed === 2 ? 1.5 : 1 } }));
    return cleanBars({ market: "m", seed }, slow, free);
  });
  const time = worstOfSeeds(bars).find(({ what }) => what === "CPU time, p50 over that of baseline");
  expect(time).toMatchObject({ holds: false, measured: "1.500 (1.50 over 1.00 ms); seed 2, worst of 3" });
  expect(worstOfSeeds(bars).length).toBe(bars.length / 3);
});

test("both sides answer every order, one after the other", async () => {
  const { files, orders, worth } = cleanMarket(folder, 4, { tokens: 40, pools: 160, count: 6 });
  const side = { root: resolve("."), market: files };
  const all = await runBoth({ a: side, b: side }, orders, [0, 5]);
  expect([...all.keys()]).toEqual([0, 5]);
  for (const list of all.values()) {
    expect(list.map(({ order }) => order)).toEqual(orders);
    for (const { a, b } of list) expect(a.amountOut).toBe(b?.amountOut);
  }
  expect(worth(orders[0] as never)).toBeGreaterThan(0.01);
});

test("orders are worth what was asked for, by the pools' prices", () => {
  const { market } = smallMarket(6);
  const { engine } = buildEngine(market);
  const orders = sizedOrders(market, engine, { count: 30, seed: 1, from: 0.01, to: 10 });
  expect(orders.length).toBe(30);
  for (const { tokenIn, amountIn } of orders) {
    const eth = (Number(amountIn) * engine.nativePer(tokenIn)!) / 1e18;
    expect(eth).toBeGreaterThan(0.0099);
    expect(eth).toBeLessThan(10.01);
  }
});

test("a finished part is not run again, and one that failed is", async () => {
  const cache = openCache(folder, "commit-200");
  let runs = 0;
  const part = () => cache.keep("part", () => ({ runs: ++runs }));
  await expect(cache.keep("part", () => Promise.reject(new Error("cut short")))).rejects.toThrow("cut short");
  expect([await part(), await part()]).toEqual([{ runs: 1 }, { runs: 1 }]);
  expect(await openCache(folder, "another").keep("part", () => 7)).toBe(7);
});

test("bars are written between the page's marks, and a page without them is refused", () => {
  const path = join(folder, "page.md");
  writeFileSync(
    path,
    "before\n<!-- routing: printed by npm run bench:routing:all -->\nstale\n<!-- end of routing -->\nafter\n",
  );
  writePage(path, "head\n", [{ bars: cleanBars(of, rows(), free), text: "printed" }]);
  const page = readFileSync(path, "utf8");
  expect(page).toMatch(/^before\n.*head\n.*\| m +\|.*8 of 8 bars hold.*printed.*after\n$/s);
  expect(page).not.toContain("stale");
  writeFileSync(path, "no marks");
  expect(() => writePage(path, "", [])).toThrow(/page\.md" lacks the mark/);
});

test("a clone without the baseline's commit is told from one that has it", () => {
  expect(checkOutBaseline("0123456789abcdef0123456789abcdef01234567")).toBeUndefined();
});

test("a page that does not exist is made", () => {
  const path = join(folder, "new.md");
  writePage(path, "head", []);
  expect(readFileSync(path, "utf8")).toMatch(/head\n.*0 of 0 bars hold/s);
});

test("the page of benchmarks has the marks", () => {
  expect(existsSync("docs/benchmarks.md")).toBe(true);
  expect(readFileSync("docs/benchmarks.md", "utf8")).toContain(
    "<!-- routing: printed by npm run bench:routing:all -->",
  );
});
