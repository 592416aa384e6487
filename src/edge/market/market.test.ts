import { expect, test, vi } from "vitest";
import { counter, counterChain, deployment, WRAPPED } from "../../../test/faults/counter.ts";
import { createFakeChain, poolAddress } from "../../../test/faults/fake-chain.ts";
import { follow } from "../../../test/faults/follow.ts";

const [FIRST, SECOND] = [poolAddress(0), poolAddress(1)];
const token = (pool: string) => `0x77${pool.slice(4)}` as const;

async function started() {
  const chain = createFakeChain();
  chain.mine([FIRST, SECOND].map((pool) => ({ kind: "create", pool })));
  const follower = follow(chain);
  const { port } = follower.market;
  return { chain, follower, port };
}

test("before the first state there is a reason, and nothing to price", async () => {
  const { port } = await started();
  expect(port.status()).toMatchObject({ phase: "starting", reason: expect.stringMatching(/./) });
  expect(() => port.at()).toThrow();
  expect(port.isTraded(WRAPPED)).toBe(false);
  expect(port.counts()).toEqual({ pools: 0, byProtocol: {}, tokens: 0, refused: {}, quarantined: 0 });
});

test("a state is as old as its machine slept, and as new as the next confirmation", async () => {
  const { chain, follower, port } = await started();
  await follower.catchUp();
  const ageMs = () => (port.status() as { readonly ageMs: number }).ageMs;
  const wall = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 7_200_000);
  expect(ageMs()).toBeGreaterThanOrEqual(7_190_000);
  wall.mockRestore();
  chain.mine([]);
  await follower.catchUp();
  expect(ageMs()).toBeLessThan(60_000);
});

test("the first state has an age, and the block expected to execute", async () => {
  const { chain, follower, port } = await started();
  await follower.catchUp();
  const status = port.status();
  expect(status).toMatchObject({ phase: "live", head: { hash: chain.tip().hash } });
  expect(status.phase === "live" && status.ageMs).toBeLessThan(60_000);
  expect(port.at()).toEqual({ blockNumber: 2, timestamp: chain.tip().timestamp + 1 });
  expect(port.counts()).toEqual({
    pools: 2,
    byProtocol: { counter: 2 },
    tokens: 3,
    refused: {},
    quarantined: 0,
  });
});

test("a token is traded where one of its pools would pay", async () => {
  const { chain, follower, port } = await started();
  await follower.catchUp();
  expect(port.isTraded(token(FIRST))).toBe(true);
  expect(port.isTraded(token(poolAddress(9)))).toBe(false);
  const empty = follow(chain, { protocol: { ...counter(), quoteFloat: () => 0 } });
  await empty.catchUp();
  expect(empty.market.port.isTraded(token(FIRST))).toBe(false);
  const broken = follow(chain, {
    protocol: {
      ...counter(),
      mirror: () => {
        throw new Error("no mirror");
      },
    },
  });
  await broken.catchUp();
  expect(broken.market.port.isTraded(token(FIRST))).toBe(false);
});

test("a quarantined pool leaves the engine at once and the book not at all", async () => {
  const { follower, port } = await started();
  await follower.catchUp();
  const { market } = follower;
  market.quarantine(FIRST, "execution disagreed");
  market.quarantine(FIRST, "again");
  market.quarantine("0xunknown", "no such pool");
  expect([...follower.engine.offered.keys()]).toEqual([SECOND]);
  expect(port.view().get(FIRST)).toBeDefined();
  expect(port.counts()).toMatchObject({ pools: 2, quarantined: 1 });
  expect(port.quarantined()).toEqual([
    { id: FIRST, protocol: "counter", reason: "execution disagreed", untilBlock: 33 },
  ]);
});

test("refused pools are counted by their reason, and looked at again when they speak", async () => {
  const { chain, follower, port } = await started();
  const refusing = { ...counter(), load: () => ({ refusal: "too odd" }) };
  const odd = follow(chain, { protocol: refusing });
  await odd.catchUp();
  expect(odd.market.port.counts()).toEqual({
    pools: 0,
    byProtocol: {},
    tokens: 0,
    refused: { "too odd": 2 },
    quarantined: 0,
  });
  refusing.load = counter().load as unknown as typeof refusing.load;
  chain.mine([{ kind: "move", pool: FIRST, value: 3n }]);
  await odd.catchUp();
  await follower.catchUp();
  expect(odd.market.port.counts()).toMatchObject({ pools: 1, refused: { "too odd": 1 } });
  expect(odd.market.port.view().get(FIRST)).toEqual(port.view().get(FIRST));
});

test("a factory is not believed for what it logged before its first block, where history is read", async () => {
  const chain = createFakeChain();
  chain.mine([{ kind: "create", pool: FIRST }]);
  for (let k = 0; k < 400; k++) chain.mine(k === 30 ? [{ kind: "create", pool: SECOND }] : []);
  const late = { ...counterChain(), deployments: [{ ...deployment, fromBlock: 20 }] };
  const follower = follow(chain, { chain: late });
  await follower.catchUp();
  expect([...follower.market.book.pools.keys()]).toEqual([SECOND]);
});

test("a deployment of an unknown design is left out", async () => {
  const { chain } = await started();
  const strange = {
    ...counterChain(),
    deployments: [deployment, { ...deployment, id: "odd", protocol: "odd" }],
  };
  const follower = follow(chain, { chain: strange });
  await follower.catchUp();
  expect(follower.market.port.counts().pools).toBe(2);
});

test("a pool on which the engine throws is quarantined; the commit is whole all the same", async () => {
  const { chain, follower, port } = await started();
  const { patch } = follower.engine;
  follower.engine.patch = (change, view, at) => {
    if (change.pools.some(({ id }) => id === FIRST)) throw new Error("engine");
    patch(change, view, at);
  };
  await follower.catchUp();
  expect([...follower.engine.offered.keys()]).toEqual([SECOND]);
  expect(port.counts()).toMatchObject({ pools: 2, quarantined: 1 });
  chain.mine([FIRST, SECOND].map((pool) => ({ kind: "move", pool, value: 2n })));
  await follower.catchUp();
  expect([FIRST, SECOND].map((id) => port.view().get(id))).toMatchObject([{ value: 2n }, { value: 2n }]);
});
