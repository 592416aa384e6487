import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type KeyRing, openKeyRing } from "../../src/edge/access/key-ring.ts";
import { hashOf } from "../../src/edge/access/key-secret.ts";
import { type KeyStore, type NewKey, openKeyStore } from "../../src/edge/access/key-store.ts";
import type { HttpSettings } from "../../src/http/settings.ts";
import { expectFailure, get, post } from "./ask.ts";
import { BOB, createWorld, FEES, USDC, WETH } from "./world.ts";

/** API keys over the real file, the real index and the whole application. */

const plain: NewKey = {
  name: "Desk",
  tier: "standard",
  perMinute: undefined,
  perDay: undefined,
  perAddressPerMinute: 0,
  origins: [],
  fees: undefined,
};
const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000" };
const STRANGER = `braid_${"x".repeat(43)}`;
const DAY_SECONDS = 86_400;
/** The world's clock: Unix time 1,700,000,005. */
const UNTIL_MIDNIGHT = DAY_SECONDS - (1_700_000_005 % DAY_SECONDS);

let folder: string;
let store: KeyStore;
let ring: KeyRing;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "braid-access-"));
  store = openKeyStore(folder);
  ring = openKeyRing(folder, () => 1_700_000_005, { error: () => {} });
});
afterEach(() => {
  ring.close();
  store.close();
  rmSync(folder, { recursive: true });
});

function newKey(more: Partial<NewKey> = {}) {
  const made = store.create({ ...plain, ...more }, 1);
  ring.refresh();
  return made;
}

const serve = (http: Partial<HttpSettings> = {}) => createWorld({ keys: ring.port, http });
const keyed = (secret: string, more = {}) => ({ "x-api-key": secret, ...more });
const PATH = "/v1/platforms";

describe("who is let in", () => {
  test("a key is read from X-Api-Key, a bearer token or apiKey, in this order", async () => {
    const { id, secret } = newKey();
    const api = await serve();
    const answers = [
      await get(api, PATH, {}, keyed(secret)),
      await get(api, PATH, {}, { authorization: `Bearer ${secret}` }),
      await get(api, PATH, { apiKey: secret }),
      await get(api, PATH, { apiKey: STRANGER }, keyed(secret)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map(({ headers }) => headers["ratelimit-limit"])).toEqual([
      "6000",
      "6000",
      "6000",
      "6000",
    ]);
    expect(ring.port.usedToday(id)).toBe(4);
    expectFailure(await get(api, PATH, { apiKey: secret }, keyed(STRANGER)), 401, "UNAUTHORIZED");
    const twice = await get(api, PATH, { apiKey: [secret, secret] });
    expect(expectFailure(twice, 400, "VALIDATION").details[0]!.field).toBe("apiKey");
  });

  test("3001 UNAUTHORIZED for an unknown and for a revoked key, with how to authenticate", async () => {
    const { id, secret } = newKey();
    const api = await serve();
    for (const headers of [keyed(STRANGER), { authorization: `Bearer ${STRANGER}` }, keyed(hashOf(secret))]) {
      const got = await get(api, "/v1/1/price", pair, headers);
      expect(expectFailure(got, 401, "UNAUTHORIZED").code).toBe(3001);
      expect(got.headers["www-authenticate"]).toBe('Bearer realm="braid"');
      expect(got.text).not.toContain(STRANGER);
    }
    store.revoke(id, 2);
    ring.refresh();
    expectFailure(await get(api, PATH, {}, keyed(secret)), 401, "UNAUTHORIZED");
  });

  test("a missing or empty key is the anonymous tier, and so is any before the first key was made", async () => {
    const before = await serve();
    expect((await get(before, PATH, {}, keyed("demo", { authorization: "Bearer demo" }))).status).toBe(200);
    newKey();
    for (const headers of [
      {},
      keyed(""),
      keyed(" "),
      { authorization: "Bearer " },
      { authorization: "Basic eA==" },
    ])
      expect((await get(before, PATH, {}, headers)).status).toBe(200);
    expectFailure(await get(before, PATH, {}, keyed("demo")), 401, "UNAUTHORIZED");
  });

  test("where keys are required no path of the API answers without one; health and the documents do", async () => {
    const api = await serve({ requireApiKey: true });
    const { secret } = newKey();
    expectFailure(await get(api, PATH), 401, "UNAUTHORIZED");
    expectFailure(await get(api, "/v1/1/price", pair, keyed(STRANGER)), 401, "UNAUTHORIZED");
    expectFailure(await post(api, "/v2/tokens/list", "{}"), 401, "UNAUTHORIZED");
    expect((await get(api, "/v1/1/price", pair, keyed(secret))).status).toBe(200);
    for (const path of ["/livez", "/health", "/metrics", "/openapi.json"])
      expect((await get(api, path)).status).toBe(200);
    expect((await api.app.inject({ method: "OPTIONS", url: PATH })).statusCode).toBe(204);
  });

  test("3003 FORBIDDEN for a page of an origin that the key does not list, and for none", async () => {
    const { id, secret } = newKey({ origins: ["https://app.example"] });
    const api = await serve();
    const from = (origin: string) => get(api, PATH, {}, keyed(secret, { origin }));
    expect((await from("https://app.example")).status).toBe(200);
    for (const origin of [
      "https://app.example.evil.example",
      "http://app.example",
      "null",
      "https://app.example:8443",
    ]) {
      const { code, details } = expectFailure(await from(origin), 403, "FORBIDDEN");
      expect([code, details]).toEqual([
        3003,
        [{ field: "Origin", reason: "is not on the list of this key", value: origin }],
      ]);
    }
    expectFailure(await get(api, PATH, {}, keyed(secret)), 403, "FORBIDDEN");
    expect(ring.port.usedToday(id)).toBe(1);
  });
});

describe("limits", () => {
  const LIMITS = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"];
  const limitsOf = (headers: Readonly<Record<string, unknown>>) =>
    LIMITS.map((name) => (headers[name] === undefined ? undefined : Number(headers[name])));

  test("3002 RATE_LIMITED for what a key has used up; other keys and addresses go on", async () => {
    const [one, other] = [newKey({ perMinute: 2 }), newKey({ perMinute: 2 })];
    const api = await serve({ rateLimitPerMinute: 3 });
    await get(api, PATH, {}, keyed(one.secret));
    await get(api, PATH, {}, keyed(one.secret));
    const refused = await get(api, PATH, {}, keyed(one.secret));
    expect(expectFailure(refused, 429, "RATE_LIMITED").code).toBe(3002);
    expect(limitsOf(refused.headers)).toEqual([2, 0, 60, 30]);
    expect(limitsOf((await get(api, PATH, {}, keyed(other.secret))).headers).slice(0, 2)).toEqual([2, 1]);
    expect(limitsOf((await get(api, PATH)).headers).slice(0, 2)).toEqual([3, 2]);
    expect((await get(api, "/metrics")).text).toContain('braid_rate_limited_total{scope="key"} 1');
  });

  test("an address that used up its own limit may go on with a key, and the other way round", async () => {
    const { secret } = newKey({ perMinute: 1 });
    const api = await serve({ rateLimitPerMinute: 1 });
    await get(api, PATH);
    expectFailure(await get(api, PATH), 429, "RATE_LIMITED");
    expect((await get(api, PATH, {}, keyed(secret))).status).toBe(200);
    expectFailure(await get(api, PATH, {}, keyed(secret)), 429, "RATE_LIMITED");
  });

  test("who tries keys, or uses one from a foreign page, pays with the limit of the address", async () => {
    const { id, secret } = newKey({ perMinute: 1, perDay: 1, origins: ["https://app.example"] });
    const api = await serve({ rateLimitPerMinute: 2 });
    expectFailure(await get(api, PATH, {}, keyed(STRANGER)), 401, "UNAUTHORIZED");
    expectFailure(
      await get(api, PATH, {}, keyed(secret, { origin: "https://evil.example" })),
      403,
      "FORBIDDEN",
    );
    expectFailure(await get(api, PATH, {}, keyed(STRANGER)), 429, "RATE_LIMITED");
    expect(ring.port.usedToday(id)).toBe(0);
    expect((await get(api, PATH, {}, keyed(secret, { origin: "https://app.example" }))).status).toBe(200);
  });

  test("a day's quota ends with Retry-After until midnight UTC, and a batch counts each entry", async () => {
    const { id, secret } = newKey({ perDay: 5 });
    const api = await serve();
    const batch = JSON.stringify({
      ...pair,
      requests: [{ amount: "1000000" }, { amount: "2000000" }, { amount: "3000000" }],
    });
    expect((await post(api, "/v1/1/prices", batch, keyed(secret))).status).toBe(200);
    expect(ring.port.usedToday(id)).toBe(3);
    const second = await post(api, "/v1/1/prices", batch, keyed(secret));
    expectFailure(second, 429, "RATE_LIMITED");
    const last = await get(api, PATH, {}, keyed(secret));
    expect([last.status, ...limitsOf(last.headers)]).toEqual([200, 5, 0, UNTIL_MIDNIGHT, undefined]);
    const refused = await get(api, PATH, {}, keyed(secret));
    expect(expectFailure(refused, 429, "RATE_LIMITED").error).toMatch(/quota/);
    expect(limitsOf(refused.headers)).toEqual([5, 0, UNTIL_MIDNIGHT, UNTIL_MIDNIGHT]);
    expect(ring.port.usedToday(id)).toBe(5);
  });

  test("a batch that is larger than a key's limit costs all of it, and is allowed", async () => {
    const { secret } = newKey({ perMinute: 2, perDay: 2 });
    const api = await serve();
    const batch = JSON.stringify({ ...pair, requests: [1, 2, 3, 4].map((n) => ({ amount: `${n}000000` })) });
    expect((await post(api, "/v1/1/prices", batch, keyed(secret))).status).toBe(200);
    expectFailure(await get(api, PATH, {}, keyed(secret)), 429, "RATE_LIMITED");
  });

  test("one visitor of a public page leaves the other visitors their share of the key", async () => {
    const { id, secret } = newKey({ perMinute: 5, perAddressPerMinute: 2 });
    const api = await serve({ trustedProxies: 1 });
    const visit = (ip: string) => get(api, PATH, {}, keyed(secret, { "x-forwarded-for": ip }));
    for (const expected of [200, 200, 429, 429, 429, 429])
      expect((await visit("203.0.113.1")).status).toBe(expected);
    expect([(await visit("203.0.113.2")).status, (await visit("203.0.113.2")).status]).toEqual([200, 200]);
    expect((await visit("203.0.113.1")).status).toBe(429);
    expect(ring.port.usedToday(id)).toBe(4);
    expect((await get(api, "/metrics")).text).toContain('braid_rate_limited_total{scope="key_address"} 5');
  });
});

describe("default fees", () => {
  const fees = { recipient: FEES, buyPermille: 10, sellPermille: 0 } as const;

  test("a request that names no fee has the key's; one that names any part has its own alone", async () => {
    const { secret } = newKey({ fees });
    const api = await serve();
    const feeOf = async (query: object, headers = keyed(secret)) =>
      (await get(api, "/v1/1/price", { ...pair, ...query }, headers)).json.fee_recipient_amount;
    const explicit = await feeOf({ feeRecipient: FEES, buyTokenPercentageFee: "10" }, keyed(""));
    expect(BigInt(explicit)).toBeGreaterThan(0n);
    expect(await feeOf({})).toBe(explicit);
    expect(await feeOf({ feeRecipient: "" })).toBe(explicit);
    expect(await feeOf({}, keyed(""))).toBe("0");
    expect(await feeOf({ feeRecipient: BOB })).toBe("0");
    expect(await feeOf({ buyTokenPercentageFee: "0" })).toBe("0");
    expect(BigInt(await feeOf({ feeRecipient: BOB, buyTokenPercentageFee: "20" }))).toBeGreaterThan(
      BigInt(explicit),
    );
  });

  test("the calldata of a quote pays the key's recipient, and a batch has the fees in each entry that names none", async () => {
    const { secret } = newKey({ fees });
    const api = await serve();
    const quoted = await get(api, "/v1/1/quote", { ...pair, slippage: "10" }, keyed(secret));
    expect(quoted.json.calldata).toContain(FEES.slice(2));
    const explicit = { feeRecipient: FEES, buyTokenPercentageFee: "10" };
    const same = await get(api, "/v1/1/quote", { ...pair, ...explicit, slippage: "10" });
    expect(quoted.json.calldata).toBe(same.json.calldata);
    const body = (more: object) =>
      JSON.stringify({ ...pair, ...more, requests: [{}, { feeRecipient: BOB }, { amount: "7" }] });
    const amountsOf = async (text: string) =>
      (await post(api, "/v1/1/prices", text, keyed(secret))).json.prices.map(
        // biome-ignore lint/suspicious/noExplicitAny: read as clients do, without types
        ({ offer }: any) => offer?.fee_recipient_amount,
      );
    const [first, second] = await amountsOf(body({}));
    expect([first, second]).toEqual([quoted.json.fee_recipient_amount, "0"]);
    expect((await amountsOf(body({ sellTokenPercentageFee: "0" })))[0]).toBe("0");
    for (const bad of ["[]", "{}", '{"requests":7}', '{"requests":[null,7]}'])
      expectFailure(await post(api, "/v1/1/prices", bad, keyed(secret)), 400, "VALIDATION");
  });
});

test("a key is in no log line and no metric, however it was sent and whatever went wrong", async () => {
  const { secret } = newKey();
  const api = await serve();
  api.world.searchFails = new Error("a search that fails");
  const ways: [Record<string, string>, Record<string, string>][] = [
    [{}, keyed(secret)],
    [{}, { authorization: `Bearer ${secret}` }],
    [{ apiKey: secret }, {}],
    [{ APIKEY: secret, apiKey: secret }, {}],
    [{ note: secret }, keyed(secret)],
  ];
  for (const [query, headers] of ways) {
    expectFailure(await get(api, "/v1/1/price", { ...pair, ...query }, headers), 500, "INTERNAL");
    await get(api, "/v1/1/quote", { ...pair, slippage: "0", ...query }, headers);
    await get(api, `/v1/${secret}/price`, query, headers);
  }
  await get(
    api,
    `/v1/1/price?api%4Bey=short-secret&amount=1&fromTokenAddress=${WETH}&toTokenAddress=${USDC}`,
  );
  expect(api.world.log.filter((line) => line.startsWith("a bug"))).toHaveLength(ways.length);
  expect(api.world.log.join("\n")).toContain(`fromTokenAddress=${WETH}`);
  for (const told of [api.world.log.join("\n"), (await get(api, "/metrics")).text])
    expect([secret, hashOf(secret), "short-secret"].filter((each) => told.includes(each))).toEqual([]);
});
