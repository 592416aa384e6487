import { afterAll, beforeAll, expect, test } from "vitest";
import { busiest, complete, live, startWorld, type World } from "../../../test/support/discovered.ts";
import { type Address, NATIVE } from "../../core/types.ts";

/** Compares a chain that is discovered while it is served with the same chain built from all its logs. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 120_000);
afterAll(() => world.stop());

test("hubs are priced before anything else is known, with the same states as from the logs", async () => {
  const served = world.serve(world.hubbed(6));
  expect(served.market.status().phase).toBe("starting");
  await live(served);
  const hubs = new Set([...world.hubbed(6).hubs!, NATIVE]);
  const found = [...served.pools()];
  const pairs = found.filter(
    ({ tokens: of, protocol }) => of.every((token) => hubs.has(token)) && protocol.startsWith("uniswap"),
  );
  expect(new Set(pairs.map(({ protocol }) => protocol)).size).toBe(3);
  expect(world.sameStates(served, pairs)).toBeGreaterThan(5);
  expect(found.length).toBeLessThan([...world.whole.pools()].length);
}, 90_000);

test("an unknown token and its pools are found when a caller asks for its price", async () => {
  const served = world.serve(world.hubbed(3));
  await live(served);
  const unknown = busiest(world.devnet, world.whole).filter(
    (token) => !world.hubbed(3).hubs!.includes(token),
  );
  const isFound = (token: Address) => [...served.pools()].some(({ tokens: of }) => of.includes(token));
  const target = unknown.find((token) => {
    const pools = [...world.whole.pools()].filter(({ tokens: of }) => of.includes(token));
    return (
      !isFound(token) &&
      pools.some(
        ({ protocol, tokens: of }) =>
          protocol.startsWith("uniswap-v") && of.includes(world.devnet.chain.wrappedNative),
      )
    );
  })!;
  expect(target).toBeDefined();
  const waits = served.discovery!.cover([world.devnet.chain.wrappedNative, target], 20_000, "a");
  expect(await waits).toBeUndefined();
  expect(isFound(target)).toBe(true);
  expect(served.market.nativePer(target)).toBeGreaterThan(0);
  expect(world.tokens.port.get(world.devnet.chain.id, target)).toMatchObject({ address: target });
}, 90_000);

test("in the end every pool that a factory announced is known, and the deep ones are in the market", async () => {
  const served = world.serve(world.hubbed(4));
  await live(served);
  await complete(served);
  const { pools } = served.discovery!.coverage();
  expect(pools).toBe([...world.whole.pools()].length);
  const hubs = new Set<Address>(world.hubbed(4).hubs);
  const besideHubs = [...world.whole.pools()].filter(
    ({ id, address, tokens: of }) => id === address && of.some((token) => hubs.has(token)),
  );
  const there = new Set([...served.pools()].map(({ id }) => id));
  const missing = besideHubs.filter(({ id }) => !there.has(id));
  expect(missing.length).toBeLessThan(besideHubs.length / 4);
  // States of other designs contain the time at which they were read.
  const plain = [...served.pools()].filter(({ protocol }) => protocol.startsWith("uniswap"));
  expect(world.sameStates(served, plain)).toBeGreaterThan(10);
}, 90_000);
