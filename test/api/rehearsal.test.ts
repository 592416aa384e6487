import { afterEach, expect, test } from "vitest";
import { NATIVE } from "../../src/core/types.ts";
import { type MakerSettings, makerDeployment } from "../../src/edge/makers/makers-file.ts";
import { rehearse } from "../../src/rehearsal.ts";
import { get } from "./ask.ts";
import { createWorld, starting, USDC } from "./world.ts";

type TestWorld = Awaited<ReturnType<typeof createWorld>>;

const opened: TestWorld[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ app }) => app.close()));
});

async function open(http: { rateLimitPerMinute?: number } = {}): Promise<TestWorld> {
  const world = await createWorld({ http });
  opened.push(world);
  return world;
}

/** Every search takes this long by the clock of the rehearsal. */
const SEARCH_MS = 10;

function clocked({ deps, world }: TestWorld) {
  let nowMs = 0;
  let searches = 0;
  world.onSearch = () => {
    nowMs += SEARCH_MS;
    searches += 1;
  };
  return { deps: { ...deps, monotonicMs: () => nowMs }, searches: () => searches };
}

test("searches are rehearsed until the budget is spent, and then each endpoint answers once", async () => {
  const service = await open();
  const { deps, searches } = clocked(service);
  const done = await rehearse({ deps, app: service.app }, 1, 20 * SEARCH_MS);
  expect(done.searches).toBeGreaterThanOrEqual(10);
  // A pair without a route may be searched for more than once.
  expect(searches()).toBeLessThanOrEqual(20 * 3);
  expect(done.firstMs).toBeGreaterThan(0);
  expect(service.world.log.filter((line) => line.includes('"request":"rehearsal"'))).toHaveLength(1);
});

test("a budget of nothing searches nothing, and an unknown chain is none to rehearse", async () => {
  const service = await open();
  expect((await rehearse(service, 1, 0)).searches).toBe(0);
  expect((await rehearse(service, 77, 1000)).searches).toBe(0);
});

test("a chain that cannot be priced does not stop the start", async () => {
  const service = await open();
  service.world.status = starting;
  const { deps } = clocked(service);
  let nowMs = 0;
  const moving = { ...deps, monotonicMs: () => nowMs++ };
  await expect(rehearse({ deps: moving, app: service.app }, 1, 100)).resolves.toMatchObject({ firstMs: 2 });
});

test("a rehearsal asks no maker for an order", async () => {
  const { app, deps, world } = await open();
  const served = deps.chains.get(1)!;
  const maker = makerDeployment({ id: "maker-m", name: "M", address: NATIVE } as MakerSettings);
  const chain = { ...served.chain, deployments: [...served.chain.deployments, maker] };
  const asked: unknown[] = [];
  const inject = (request: object) => {
    asked.push(request);
    return app.inject(request);
  };
  const chains = new Map([[1, { ...served, chain }]]);
  await rehearse({ deps: { ...deps, chains }, app: { inject } as unknown as typeof app }, 1, 20);
  expect(asked).toMatchObject([1, 2].map(() => ({ query: { excludeAggregator: "maker-m" } })));
  expect(world.log.filter((line) => line.includes('"status":400'))).toEqual([]);
});

test("a rehearsal takes nothing of what a client may ask", async () => {
  const service = await open({ rateLimitPerMinute: 1 });
  await rehearse(service, 1, 20);
  const query = { fromTokenAddress: NATIVE, toTokenAddress: USDC, amount: "1000000000000000000" };
  expect((await get(service, "/v1/1/price", query)).status).toBe(200);
  expect((await get(service, "/v1/1/price", query)).status).toBe(429);
});
