import { expect, test } from "vitest";
import { at, fixtureRegistry, type PairState, poolOf, token, WRAPPED } from "../../market.fixture.ts";
import { emptyGraph } from "../graph.ts";
import { patchGraph } from "../update.ts";

const EVEN = { reserves: [10n ** 21n, 10n ** 21n], feePpm: 3000n };
/**
 * Number of pools that makes the market larger than those whose values are computed from scratch after every change.
 */
const FILLERS = 600;

test("tokens that are valued through one whose price jumps are revalued with it, and again when it returns", () => {
  // A chain of pools from the wrapped coin over tokens 1 and 2 to 3, and many pools of other tokens with the wrapped
  // coin.
  const chain = [0, 1, 2].map((n) => poolOf({ tokens: [token(n), token(n + 1)], reserves: [] }, n));
  const others = Array.from({ length: FILLERS }, (_, n) =>
    poolOf({ tokens: [WRAPPED, token(n + 4)], reserves: [] }, n + 3),
  );
  const pools = [...chain, ...others];
  const states = new Map<string, PairState>(pools.map(({ id }) => [id, EVEN]));
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const view = { get: (id: string) => states.get(id) };
  patchGraph(graph, { pools, removed: [] }, view, at);
  const values = () => [1, 2, 3].map((n) => graph.values.ref[graph.nodeOf.get(token(n))!]!);
  const move = (more: bigint) => {
    states.set(chain[0]!.id, { ...EVEN, reserves: [EVEN.reserves[0]! * more, EVEN.reserves[1]!] });
    patchGraph(graph, { pools: [chain[0]!], removed: [] }, view, at);
  };
  const before = values();
  move(1000n);
  for (const [k, value] of values().entries()) expect(value / before[k]! / 1000).toBeCloseTo(1, 9);
  move(1n);
  for (const [k, value] of values().entries()) expect(value / before[k]!).toBeCloseTo(1, 9);
});
