import { expect, test } from "vitest";
import { get } from "./ask.ts";
import { createWorld } from "./world.ts";

/** The rate limit of an address for pages, documents and unknown paths. */

const http = { rateLimitPerMinute: 1 };

test("is one of its own, of 600 or more, for all of these paths; probes have none", async () => {
  const api = await createWorld({ http, deps: { monotonicMs: () => 0 } });
  const statusOf = async (path: string, remoteAddress = "203.0.113.1") =>
    (await api.app.inject({ url: path, remoteAddress })).statusCode;
  for (let k = 0; k < 599; k++) expect([200, 404]).toContain(await statusOf(k % 2 ? "/docs" : "/nowhere"));
  const last = await api.app.inject({ url: "/openapi.json", remoteAddress: "203.0.113.1" });
  expect([last.statusCode, last.headers["ratelimit-limit"]]).toEqual([200, undefined]);
  for (const path of ["/", "/docs", "/docs/reference/js/scalar.js", "/openapi.json", "/status", "/nowhere"])
    expect([path, await statusOf(path)]).toEqual([path, 429]);
  for (const path of ["/livez", "/health", "/readyz", "/metrics"])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  expect(await statusOf("/docs", "203.0.113.2")).toBe(200);
  await api.app.close();
});

test("takes nothing from what the address may ask of the API", async () => {
  const api = await createWorld({ http });
  for (const path of ["/docs", "/docs/style.css", "/v1/platforms", "/docs"])
    expect([path, (await get(api, path)).status]).toEqual([path, 200]);
  await api.app.close();
});
