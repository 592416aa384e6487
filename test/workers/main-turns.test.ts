import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createEngine } from "../../src/core/routing/engine.ts";
import type { MarketChange } from "../../src/core/routing/types.ts";
import type { Address, Pool, PoolId, StateId } from "../../src/core/types.ts";
import { nextAt } from "../../src/edge/next-at.ts";
import { createInProcessBus } from "../../src/edge/workers/in-process-bus.ts";
import { patchedInParts } from "../../src/edge/workers/patched-in-parts.ts";
import { protocols } from "../../src/protocols/index.ts";
import { chain, changeOf, headOf, poolOf, stateOf, tokenOf } from "./pools.ts";

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k);
const at = nextAt(headOf(100), chain.blockTimeMs);

/** A pool of a token of its own with the native coin's wrapped form. */
const coinPool = (n: number): Pool => ({ ...poolOf(n), tokens: [chain.wrappedNative, tokenOf(n)] });

/** A market whose states are told by version, and an engine that is given it. */
function market() {
  const states = new Map<StateId, unknown>();
  const view = { get: (id: StateId) => states.get(id) };
  const fresh = () => createEngine(protocols, chain);
  const thrown: PoolId[] = [];
  let isFaulty: (pool: Pool) => boolean = () => false;
  const inner = fresh();
  const engine = patchedInParts(
    {
      ...inner,
      patch(change: MarketChange, ...rest) {
        if (change.pools.some(isFaulty)) throw new Error("planted");
        inner.patch(change, ...rest);
      },
    },
    (pool) => thrown.push(pool),
  );
  return {
    engine,
    thrown,
    throwOn: (n: number) => {
      isFaulty = ({ id }) => id === coinPool(n).id;
    },
    give(version: number, pools: readonly number[], removed: readonly number[] = []) {
      for (const n of pools) states.set(coinPool(n).id, stateOf(n, version));
      const gone = removed.map((n) => coinPool(n).id);
      engine.patch({ pools: pools.map(coinPool), removed: gone }, view, at);
    },
    /** Prices of an engine that is given these pools as they are now, at once. */
    pricesOf(pools: readonly number[], tokens: readonly Address[]) {
      const other = fresh();
      other.patch({ pools: pools.map(coinPool), removed: [] }, view, at);
      return tokens.map((token) => other.nativePer(token));
    },
  };
}

const tokens = (pools: readonly number[]) => pools.map(tokenOf);

test("pools of a large change that are priced already follow in turns, new ones are there at once", async () => {
  const { engine, give, pricesOf } = market();
  const said = (pools: readonly number[]) => tokens(pools).map((token) => engine.nativePer(token));
  const before = range(0, 500);
  give(1, before);
  const first = said(before);
  expect(first).toEqual(pricesOf(before, tokens(before)));
  give(2, range(0, 510));
  expect(said(before)).toEqual(first);
  expect(said(range(500, 510))).toEqual(pricesOf(range(0, 510), tokens(range(500, 510))));
  // One that goes before its turn stays away, and one that changes again is taken over as it is then.
  give(3, [490], [495]);
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  const left = range(0, 510).filter((n) => n !== 495);
  expect(said(left)).toEqual(pricesOf(left, tokens(left)));
  expect(said([495])).toEqual(pricesOf(left, tokens([495])));
});

test("a pool on which the engine throws in a later turn is named, and costs no other its turn", async () => {
  const { engine, thrown, throwOn, give, pricesOf } = market();
  const all = range(0, 400);
  give(1, all);
  throwOn(150);
  give(2, all);
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(thrown).toEqual([coinPool(150).id]);
  const others = all.filter((n) => n !== 150);
  const said = tokens(others).map((token) => engine.nativePer(token));
  expect(said).toEqual(pricesOf(others, tokens(others)));
});

test("what is written ahead of a change is what would be written with it, also where a state changes in between", async () => {
  const [ahead, atOnce] = [createInProcessBus(chain.id, 1), createInProcessBus(chain.id, 1)];
  const sent: Uint8Array[][] = [[], []];
  ahead.follow((bytes) => sent[0]!.push(bytes));
  atOnce.follow((bytes) => sent[1]!.push(bytes));
  for (const block of [100, 101]) {
    const states = new Map<StateId, unknown>(
      range(0, 350).map((n) => [poolOf(n).id, stateOf(n, block)] as const),
    );
    await ahead.prepare([...states.values()]);
    for (const n of [7, 340]) states.set(poolOf(n).id, stateOf(n, block + 50));
    const change = changeOf(block, range(0, 350), { stateOf: (id) => states.get(id) });
    for (const bus of [ahead, atOnce]) bus.publish(change);
  }
  expect(sent[0]).toHaveLength(2);
  expect(sent[0]).toEqual(sent[1]);
});
