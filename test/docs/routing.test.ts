import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { certify } from "../../src/core/routing/certificate/certify.fixture.ts";
import { emptyCertificateMemory } from "../../src/core/routing/certificate/memory.ts";
import { ask, at, graphOf, market, type PairSpec, token } from "../../src/core/routing/market.fixture.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${root}docs/routing.md`, "utf8");

describe("the explanation of routing", () => {
  const places = ["src/core/routing", "src", "."];
  const named = [
    ...new Set([...page.matchAll(/`([\w./-]+\/[\w.-]*(?:\.ts|\/))`/g)].map(([, path]) => path!)),
  ];

  test("names many files", () => expect(named.length).toBeGreaterThan(35));

  test.each(named)("%s exists", (path) => {
    expect(places.some((place) => existsSync(`${root}${place}/${path}`))).toBe(true);
  });

  test("names a file of every room", () => {
    const rooms = readdirSync(`${root}src/core/routing`, { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    expect(rooms.length).toBe(8);
    for (const { name } of rooms)
      expect(
        named.some((path) => path.startsWith(`${name}/`)),
        name,
      ).toBe(true);
  });
});

const R = 10n ** 21n;
const [A, B, C] = [token(0), token(1), token(2)];
/** The three pools of the worked example, without fees. */
const POOLS: readonly PairSpec[] = [
  { tokens: [A, B], reserves: [R, R], feePpm: 0n },
  { tokens: [B, C], reserves: [R, R], feePpm: 0n },
  { tokens: [A, C], reserves: [R / 2n, R / 2n], feePpm: 0n },
];
const SOLD = 100n * 10n ** 18n;
/** What a leg costs in the example, in units of c. */
const LEG = 1;

/** Rows of numbers under the table head that begins so. */
function rowsUnder(head: string): string[][] {
  const [, below] = page.split(`| ${head} |`);
  return below!
    .split("\n")
    .slice(2)
    .filter((_line, k, lines) => lines.slice(0, k + 1).every((one) => one.startsWith("|")))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe("the worked example", () => {
  const graph = graphOf(POOLS);
  const [a, b, c] = [A, B, C].map((one) => graph.nodeOf.get(one)!) as [number, number, number];
  const gasOfLeg = graph.gas[0]!;

  function boundsAt(prices: readonly number[], maxLegs: number) {
    const byNode = new Float64Array(graph.tokens.length);
    [byNode[a], byNode[b], byNode[c]] = prices as [number, number, number];
    const outPerGas = (LEG * 1e18) / gasOfLeg;
    const order = { from: a, to: c, amount: Number(SOLD), maxLegs, outPerGas, allowed: () => true, at };
    const bounds = certify(graph, emptyCertificateMemory(), byNode, order);
    if ("reason" in bounds) throw new Error(bounds.reason);
    return { gross: bounds.gross / 1e18, net: bounds.net / 1e18 };
  }

  const bounds = rowsUnder("prices of a, b, c | bound | with one leg | net of gas");
  test.each(bounds)("at prices %s the bounds are %s, %s with one leg, and %s net", (prices, ...stated) => {
    const at = prices!.split(", ").map(Number);
    const computed = [boundsAt(at, 0).gross, boundsAt(at, 1).gross, boundsAt(at, 0).net];
    expect(stated.map(Number)).toEqual(computed.map((amount) => Number(amount.toFixed(2))));
  });

  const routes = rowsUnder("route | pays | net of gas");
  test.each([
    [0, 3],
    [1, 1],
  ])("its route %i is what the engine finds", (row, legs) => {
    const found = market(POOLS).engine.find(ask(A, C, SOLD, { maxLegs: legs === 1 ? 1 : 0 }));
    if (found.kind !== "found") throw new Error(found.kind);
    const paid = Number(found.route.amountOut) / 1e18;
    expect(found.route.steps).toHaveLength(legs);
    expect(routes[row]!.slice(1).map(Number)).toEqual(
      [paid, paid - legs * LEG].map((one) => Number(one.toFixed(2))),
    );
  });

  test("has as many rows as it speaks of", () => expect([bounds.length, routes.length]).toEqual([4, 2]));
});
