import { describe, expect, test } from "vitest";
import { counter, counterChain, deployment, OTHER_FACTORY, poolOf } from "../../test/faults/counter.ts";
import { createFakeChain, type FakeChain, poolAddress } from "../../test/faults/fake-chain.ts";
import { contents, follow, silent } from "../../test/faults/follow.ts";
import type { Protocol } from "../core/protocol.ts";
import {
  ask,
  constantProduct,
  fixtureRegistry,
  market,
  type PairSpec,
  token,
} from "../core/routing/market.fixture.ts";
import { loadBulk } from "../edge/discovery/waking/load-bulk.ts";
import { createDispatch } from "../edge/indexer/dispatch.ts";
import { createLens } from "../edge/lens/lens.ts";
import { wrappedNative } from "./wrapped-native/index.ts";

/** A design that throws never stops the others: each member of a design throws in turn, where its callers call it. */

/** Members called by the chain's follower, and members called by the engine. */
const followed = ["seeds", "discover", "touches", "reads", "load", "apply", "stale"] as const;
const searched = ["quote", "mirror", "quoteFloat", "curve", "joint", "gas"] as const;
/** Members for discovery while the chain is served. */
const discovered = ["byPair", "hinted", "bitmap"] as const;
/** Called for the chosen route only. */
const last = ["encode"] as const;

function thrower(member: string): () => never {
  return () => {
    throw new Error(`no ${member}`);
  };
}

test("every member is tried here or named", () => {
  const members = Object.entries(wrappedNative).filter(([, member]) => typeof member === "function");
  expect([...followed, ...searched, ...discovered, ...last].sort()).toEqual(
    members.map(([name]) => name).sort(),
  );
});

describe.each(followed)("a design whose %s throws", (member) => {
  /** Counters of two factories that change several times; each design gets the logs of both. */
  function twoFactories(): FakeChain {
    const chain = createFakeChain();
    chain.mine([
      { kind: "create", pool: poolAddress(0) },
      { kind: "create", pool: poolAddress(1), factory: OTHER_FACTORY },
    ]);
    for (const value of [3n, 5n])
      chain.mine([0, 1].map((k) => ({ kind: "move", pool: poolAddress(k), value }) as const));
    return chain;
  }

  const other = { ...deployment, id: "others", name: "Other", protocol: "other", factory: OTHER_FACTORY };
  const broken = {
    ...counter({ agesAfter: 1 }),
    name: "other",
    discover: (log, record) => {
      const pool = counter().discover(log, record);
      return pool && { ...pool, protocol: "other", deployment: record.id };
    },
    [member]: thrower(member),
  } as Protocol;

  test("leaves the pools of others as they are without it", async () => {
    const chain = twoFactories();
    const alone = follow(chain);
    const beside = follow(chain, {
      chain: { ...counterChain(), deployments: [other, deployment] },
      beside: [broken],
    });
    await alone.catchUp();
    await beside.catchUp();
    expect(beside.market.port.view().get(poolAddress(0))).toEqual(
      alone.market.port.view().get(poolAddress(0)),
    );
    expect(contents(beside).offered).toContain(poolAddress(0));
    chain.mine([0, 1].map((k) => ({ kind: "move", pool: poolAddress(k), value: 7n }) as const));
    await beside.catchUp();
    expect(beside.market.port.view().get(poolAddress(0))).toMatchObject({ value: 15n });
  });
});

describe.each(searched)("a design whose %s throws", (member) => {
  const whole = 10n ** 21n;
  const honest: readonly PairSpec[] = [
    [1, 2],
    [1, 3],
    [3, 2],
  ].map((pair) => ({
    tokens: pair.map(token),
    reserves: [whole, whole],
  }));
  const cursed: readonly PairSpec[] = [1n, 50n].map((depth) => ({
    tokens: [1, 2, 3].map(token),
    reserves: [depth * whole, depth * whole, depth * whole],
    protocol: "broken",
  }));
  const broken = { ...constantProduct, name: "broken", [member]: thrower(member) } as Protocol;
  const registry = new Map([...fixtureRegistry, [broken.name, broken]]);

  test("is not routed through, and the others pay what they pay without it", () => {
    const order = ask(token(1), token(2), whole / 10n);
    const without = market(honest).engine.find(order);
    const beside = market([...cursed, ...honest], registry).engine.find(order);
    if (without.kind === "missing" || beside.kind === "missing") throw new Error("no route");
    expect(beside.route.amountOut).toBeGreaterThanOrEqual(without.route.amountOut);
  });
});

test("a design that throws when it is asked how pools are found or read stops no other", async () => {
  const chain = createFakeChain();
  chain.mine([{ kind: "create", pool: poolAddress(0) }]);
  const follower = follow(chain);
  await follower.catchUp();
  const broken = {
    ...counter(),
    ...Object.fromEntries(discovered.map((name) => [name, thrower(name)])),
  } as Protocol;
  const source = {
    target: OTHER_FACTORY,
    selector: "0x00000000",
    hashed: false,
    numbered: false,
    keys: [],
    word: 0,
    details: () => [],
  } as const;
  const other = {
    ...counter(),
    name: "other",
    byPair: () => ({ ...source, poolOf: () => poolOf(poolAddress(0)) }),
  } as Protocol;
  const registry = new Map([broken, other].map((design) => [design.name, design]));
  const deployments = [deployment, { ...deployment, id: "others", protocol: "other" }];
  const dispatch = createDispatch({ ...counterChain(), deployments }, registry, silent);
  expect(dispatch.pairSources.map(({ target }) => target)).toEqual([OTHER_FACTORY]);

  const lens = createLens(async (calls) => calls.map(() => ({ ok: true, result: "0x" })), silent);
  const head = follower.market.head()!;
  const slots = await loadBulk([poolOf(poolAddress(0))], head, { registry, reader: follower.reader, lens });
  expect(slots.get(poolAddress(0))).toMatchObject({ state: { value: 0n } });
});
