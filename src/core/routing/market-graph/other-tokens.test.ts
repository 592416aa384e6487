import { expect, test } from "vitest";
import type { Address, Pool } from "../../types.ts";
import { createEngine } from "../engine.ts";
import {
  ask,
  at,
  expectBalanced,
  fixtureRegistry,
  type PairState,
  poolOf,
  token,
  WRAPPED,
} from "../market.fixture.ts";

const UNIT = 10n ** 18n;
const [A, B, C] = [token(1), token(2), token(3)];
const ORDERS = [A, B, C].flatMap((sold) =>
  [A, B, C].flatMap((bought) =>
    (["in", "out"] as const).map((side) => ask(sold, bought, UNIT / 7n, { side, maxLegs: 16 })),
  ),
);

const at0 = (tokens: readonly Address[]): Pool => poolOf({ tokens, reserves: [] }, 0);
const others = [
  [A, B],
  [B, C],
].map((tokens, k) => poolOf({ tokens, reserves: [] }, 1 + k));

function marketOf(states: ReadonlyMap<string, PairState>, pools: readonly Pool[]) {
  const engine = createEngine(fixtureRegistry, { wrappedNative: WRAPPED });
  engine.patch({ pools, removed: [] }, { get: (id) => states.get(id) }, at);
  return engine;
}

test.each([
  ["the same tokens in another order", [B, A]],
  ["one other token", [A, C]],
  ["more tokens", [A, B, C]],
])("a pool that returns to its address with %s trades these", (_what, tokens) => {
  const first = at0([A, B]);
  const states = new Map<string, PairState>(
    [first, ...others].map(({ id }, k) => [
      id,
      { reserves: [UNIT, 3n * UNIT, 5n * UNIT], feePpm: 3000n * BigInt(k) },
    ]),
  );
  const engine = marketOf(states, [first, ...others]);
  const view = { get: (id: string) => states.get(id) };
  for (const removed of [[], [first.id]]) {
    engine.patch({ pools: [first], removed: [] }, view, at);
    engine.patch({ pools: [], removed }, view, at);
    engine.patch({ pools: [at0(tokens)], removed: [] }, view, at);
    const fresh = marketOf(states, [at0(tokens), ...others]);
    for (const order of ORDERS) {
      const [found, expected] = [engine.find(order), fresh.find(order)];
      if (found.kind === "found") expectBalanced(found.route);
      expect(found.kind === "found" && found.route.amountOut).toEqual(
        expected.kind === "found" && expected.route.amountOut,
      );
      expect(found.kind === "found" && found.route.amountIn).toEqual(
        expected.kind === "found" && expected.route.amountIn,
      );
    }
  }
});
