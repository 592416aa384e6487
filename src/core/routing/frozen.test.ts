import fc from "fast-check";
import { expect, test } from "vitest";
import { findRoute } from "./engine.ts";
import { ask, graphOf, type PairSpec, sampledProduct, token, WRAPPED } from "./market.fixture.ts";
import type { Graph } from "./market-graph/graph.ts";
import { emptyWorkspace } from "./workspace.ts";

const E18 = 10n ** 18n;
const TOKENS = 6;

/**
 * Pools of two to four tokens, with prices up to `off` percent apart, so that the market holds arbitrage unless it is
 * 0.
 */
const anyPool = (off: number): fc.Arbitrary<PairSpec> =>
  fc
    .tuple(
      fc.uniqueArray(fc.nat(TOKENS - 1), { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 100, max: 1000 }),
      fc.array(fc.integer({ min: 100 - off, max: 100 }), { minLength: 4, maxLength: 4 }),
      fc.boolean(),
    )
    .map(([nodes, deep, percent, sampled]) => ({
      tokens: nodes.map((n) => (n === 0 ? WRAPPED : token(n))),
      reserves: nodes.map((_, k) => (BigInt(deep * percent[k]!) * E18) / 100n),
      ...(sampled && nodes.length === 2 ? { protocol: sampledProduct.name } : {}),
    }));
const anyMarket = fc
  .constantFrom(0, 5)
  .chain((off) => fc.array(anyPool(off), { minLength: 8, maxLength: 20 }));

test("a search reads the market and writes nothing into it", () => {
  let routed = 0;
  fc.assert(
    fc.property(
      anyMarket,
      fc.constantFrom<"in" | "out">("in", "out"),
      fc.constantFrom(0, 2, 16),
      fc.constantFrom(undefined, 5_000_000_000n),
      (pools, side, maxLegs, gasPriceWei) => {
        const graph = graphOf(pools);
        const workspace = emptyWorkspace();
        freezeFields(graph, new Set());
        const before = fingerprint(graph);
        for (const amount of [10n ** 9n, E18, 400n * E18]) {
          const request = ask(token(1), token(2), amount, { side, maxLegs, gasPriceWei });
          if (findRoute(graph, workspace, request).kind === "found") routed++;
        }
        expect(fingerprint(graph)).toEqual(before);
      },
    ),
    { numRuns: 15 },
  );
  expect(routed).toBeGreaterThan(30);
});

/** Makes writes to fields of plain objects and lists throw, at any depth. */
function freezeFields(part: unknown, seen: Set<unknown>): void {
  if (typeof part !== "object" || part === null || ArrayBuffer.isView(part) || seen.has(part)) return;
  seen.add(part);
  if (part instanceof Map || part instanceof Set) {
    for (const value of part.values()) freezeFields(value, seen);
    return;
  }
  Object.freeze(part);
  for (const value of Object.values(part)) freezeFields(value, seen);
}

/** By path, the content of every number array, the entries of every map and set, and the lengths of lists. */
function fingerprint(graph: Graph): Map<string, unknown> {
  const prints = new Map<string, unknown>();
  const seen = new Set<unknown>();
  const visit = (part: unknown, path: string) => {
    if (ArrayBuffer.isView(part)) {
      prints.set(path, checksum(new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
    } else if (typeof part === "object" && part !== null && !seen.has(part)) {
      seen.add(part);
      const entries = part instanceof Map || part instanceof Set ? [...part.entries()] : Object.entries(part);
      prints.set(path, entries.length);
      for (const [key, value] of entries) visit(value, `${path}.${String(key)}`);
    } else prints.set(path, part);
  };
  visit(graph, "graph");
  return prints;
}

/** Fowler, Noll and Vo's hash FNV-1a, with the length. */
function checksum(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${bytes.length}:${hash >>> 0}`;
}
