import { expect, test } from "vitest";
import { get } from "./ask.ts";
import { createWorld } from "./world.ts";

test.each([1, 2])(
  "behind %i proxies a caller cannot choose the address that its limit counts",
  async (count) => {
    const api = await createWorld({ http: { trustedProxies: count, rateLimitPerMinute: 2 } });
    const chain = ["203.0.113.1", "198.51.100.1"].slice(0, count);
    const visit = (claimed: string) =>
      get(api, "/v1/platforms", {}, { "x-forwarded-for": [claimed, ...chain].join(", ") });
    const statuses = [];
    for (let k = 0; k < 4; k++) statuses.push((await visit(`192.0.2.${k}`)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    chain[0] = "203.0.113.2";
    expect((await visit("192.0.2.9")).status).toBe(200);
  },
);
