import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { fuzz } from "../../scripts/fuzz/run.ts";
import { seeded } from "../support/random.ts";
import { createWorld } from "./world.ts";

/** A short run of `npm run fuzz` over the service in memory; the long one is over the devnet. */

type TestWorld = Awaited<ReturnType<typeof createWorld>>;
let api: TestWorld | undefined;
afterEach(() => api?.app.close());

async function run(world: TestWorld, requests: number) {
  api = world;
  await world.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = world.app.server.address() as AddressInfo;
  return fuzz({ url: `http://127.0.0.1:${port}`, requests, random: seeded(7), parallel: 4 });
}

test("no answer over sockets is outside of the document, and none is a bug", async () => {
  const { requests, statuses, findings } = await run(await createWorld(), 2_000);
  expect(findings).toEqual([]);
  expect(requests).toBe(2_000);
  const seen = [...statuses.keys()];
  for (const status of [200, 400, 404]) expect(seen.some((key) => key.endsWith(` ${status}`))).toBe(true);
  expect(seen.length).toBeGreaterThan(25);
});

test("a bug is found, and so is a 503 only where it has no name", async () => {
  const broken = await createWorld();
  broken.world.searchFails = new Error("planted");
  const { findings } = await run(broken, 600);
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.every(({ status, fault }) => status === 500 && fault === "500 INTERNAL")).toBe(true);
  await broken.app.close();

  const down = await createWorld();
  down.world.nodeDown = true;
  const told = await run(down, 600);
  expect(told.findings).toEqual([]);
  expect([...told.statuses.keys()].some((key) => key.endsWith(" 503"))).toBe(true);
});
