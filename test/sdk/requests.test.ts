import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { BraidError, createBraid, NATIVE, ROUTER } from "../../packages/sdk/src/index.ts";
import { watchPrice } from "../../packages/sdk/src/watch.ts";
import { USDC, WETH } from "../api/world.ts";
import { PAYER } from "./genuine.ts";

/** The requests of the client, and its answers by services and proxies that fail. */

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

type Canned = { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

/** A service that gives these answers in turn, the last one for ever. */
async function canned(answers: readonly Canned[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { status, body, headers } = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const busy = (after?: string): Canned => ({
  status: 503,
  body: { message: "Busy.", code: 4002, reason: "OVERLOADED", details: [{ field: "a", reason: "b" }] },
  headers: after === undefined ? {} : { "retry-after": after },
});
const done: Canned = { status: 200, body: { platforms: [{ chainId: 1 }] } };

test("an answer that lacks an amount is a bad answer, and no offer of undefined", async () => {
  const pair = { chainID: 1, fromTokenAddress: USDC, toTokenAddress: WETH, amount: 1n };
  const { url } = await canned([{ status: 200, body: {} }]);
  const braid = createBraid({ url });
  const lacking = (field: string) => ({ reason: "BAD_ANSWER", message: expect.stringContaining(field) });
  await expect(braid.price(pair)).rejects.toMatchObject(lacking("amount_out_total"));
  const asked = { chainID: 1, tokenAddress: USDC, walletAddress: PAYER };
  await expect(braid.allowance(asked)).rejects.toMatchObject(lacking("remaining"));
});

test("a redirect is followed without a key, and never with one", async () => {
  const elsewhere = await canned([done]);
  const moved = { status: 307, body: "", headers: { location: `${elsewhere.url}/v1/platforms` } };
  const { url } = await canned([moved]);
  expect(await createBraid({ url }).platforms()).toEqual([{ chainId: 1 }]);
  await expect(createBraid({ url, apiKey: "k" }).platforms()).rejects.toMatchObject({
    reason: "UNREACHABLE",
    message: expect.stringContaining("redirect"),
  });
  expect(elsewhere.asked).toHaveLength(1);
});

test("a redirect is refused with a key where fetch hides its status, or knows no way to refuse it", async () => {
  // A worker at Cloudflare has no redirect "error"; a browser shows a redirect that is not followed without its status.
  const hidden = Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
  const ask = (answer: Response) => {
    const fetch = async (_url: unknown, init?: RequestInit) => {
      if (init?.redirect === "error") throw new TypeError("Invalid redirect value");
      return answer;
    };
    return createBraid({ url: "http://braid.test", apiKey: "k", fetch }).platforms();
  };
  expect(await ask(Response.json(done.body))).toEqual([{ chainId: 1 }]);
  await expect(ask(hidden)).rejects.toMatchObject({ message: expect.stringContaining("redirect") });
});

test("frameworks may keep lists of tokens and no other answer, and receive their own errors", async () => {
  const asked: unknown[] = [];
  const fetch = async (url: unknown, init?: RequestInit) => {
    asked.push([String(url).split("/").at(-1), init?.cache]);
    if (init?.cache === undefined) return Response.json({ tokens: [] });
    throw Object.assign(new Error("Dynamic server usage"), { digest: "DYNAMIC_SERVER_USAGE" });
  };
  const braid = createBraid({ url: "http://braid.test", fetch });
  await braid.tokens({ chainID: 1 });
  await expect(braid.gasPrices({ chainID: 1 })).rejects.toMatchObject({ digest: "DYNAMIC_SERVER_USAGE" });
  expect(asked).toEqual([
    ["tokens", undefined],
    ["gasprices", "no-store"],
  ]);
});

describe("requests", () => {
  test("are sent again after the Retry-After that the service names, and no more often than allowed", async () => {
    const { url, asked } = await canned([busy("0"), busy("0"), done]);
    expect(await createBraid({ url }).platforms()).toEqual([{ chainId: 1 }]);
    expect(asked.length).toBe(3);
    const always = await canned([busy("0")]);
    await expect(createBraid({ url: always.url }).platforms()).rejects.toMatchObject({
      reason: "OVERLOADED",
    });
    expect(always.asked.length).toBe(3);
  });

  test.each([
    ["without Retry-After", busy()],
    ["with one of an hour", busy("3600")],
    ["that are refused for good", { ...busy("0"), status: 400 }],
  ])("are not sent again %s", async (_name, answer) => {
    const { url, asked } = await canned([answer, done]);
    const error = await createBraid({ url })
      .platforms()
      .catch((each) => each);
    expect(error).toBeInstanceOf(BraidError);
    expect(error).toMatchObject({
      ...{ code: 4002, reason: "OVERLOADED", message: "Busy.", status: answer.status },
      details: [{ field: "a", reason: "b" }],
    });
    expect(asked.length).toBe(1);
  });

  test("nobody at the address, and an answer that is no JSON, are failures of one class", async () => {
    const { url } = await canned([{ status: 200, body: "<html>" }]);
    await expect(createBraid({ url }).platforms()).rejects.toMatchObject({
      reason: "UNREACHABLE",
      status: 200,
      message: `No answer in JSON from ${url}: HTTP 200.`,
    });
    const nobody = createBraid({ url: "http://127.0.0.1:1" });
    await expect(nobody.platforms()).rejects.toMatchObject({ name: "BraidError", reason: "UNREACHABLE" });
  });

  test("are sent again after the Retry-After of a proxy that answers without JSON", async () => {
    const page = { status: 429, body: "<html>", headers: { "retry-after": "0" } };
    const { url, asked } = await canned([page, page, done]);
    expect(await createBraid({ url }).platforms()).toEqual([{ chainId: 1 }]);
    expect(asked.length).toBe(3);
  });

  test("an answer that never ends is read only up to its limit, and its connection is closed", async () => {
    const closed = Promise.withResolvers<void>();
    const server = createServer((_request, response) => {
      response.on("close", closed.resolve);
      const write = () => {
        while (!response.destroyed && response.write(" ".repeat(2 ** 20)));
      };
      response.on("drain", write);
      write();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(createBraid({ url }).platforms()).rejects.toMatchObject({
      reason: "UNREACHABLE",
      message: expect.stringContaining("the answer is longer than"),
    });
    await closed.promise;
  });

  test.each(["null", "5", '"text"', "[]", "{}", '{ "platforms": 5, "tokens": null, "sources": {} }'])(
    "an answer %s in the place of a list is refused",
    async (body) => {
      const braid = createBraid({ url: (await canned([{ status: 200, body }])).url });
      for (const asked of [braid.platforms(), braid.tokens({ chainID: 1 }), braid.sources()])
        await expect(asked).rejects.toMatchObject({ reason: "BAD_ANSWER" });
    },
  );

  test.each(["1e18", "", 5, "--1", "0x1", "1".repeat(79), {}])(
    "an amount of %j is refused",
    async (remaining) => {
      const { url } = await canned([{ status: 200, body: { remaining } }]);
      const asked = createBraid({ url }).allowance({ chainID: 1, tokenAddress: USDC, walletAddress: PAYER });
      await expect(asked).rejects.toMatchObject({ reason: "BAD_ANSWER" });
    },
  );

  test("end with the signal of the client or of the call, also while they wait to be sent again", async () => {
    const { url } = await canned([busy("20")]);
    for (const isClient of [true, false]) {
      const end = new AbortController();
      const braid = createBraid({ url, ...(isClient ? { signal: end.signal } : {}) });
      const asked = braid.platforms(isClient ? {} : { signal: end.signal });
      setTimeout(() => end.abort(new Error("enough")), 50);
      await expect(asked).rejects.toThrow("enough");
    }
  });

  test("go below the path of the base address, and lists are repeated parameters", async () => {
    const { url, asked } = await canned([{ status: 400, body: {} }]);
    const braid = createBraid({ url: `${url}/braid/` });
    const pair = { chainID: 1, fromTokenAddress: NATIVE, toTokenAddress: USDC, amount: 5n };
    await braid.price({ ...pair, excludeAggregator: ["a", "b"], withGas: undefined }).catch(() => undefined);
    const query = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}&amount=5`;
    expect(asked).toEqual([`GET /braid/v1/1/price?${query}&excludeAggregator=a&excludeAggregator=b`]);
  });
});

test("swap asks for the route net of gas, unless told not to", async () => {
  const { url, asked } = await canned([{ status: 400, body: {} }]);
  const braid = createBraid({ url });
  const answers: Readonly<Record<string, unknown>> = {
    eth_requestAccounts: [PAYER],
    eth_chainId: "0x1",
    eth_getBlockByNumber: { timestamp: "0x6553f100" },
  };
  const wallet = { request: async ({ method }: { method: string }) => answers[method] };
  const order = { wallet, sell: NATIVE, buy: USDC, amount: 5n };
  for (const withGas of [undefined, true, false])
    await expect(braid.swap({ ...order, withGas })).rejects.toMatchObject({ status: 400 });
  const sent = asked.map((path) => new URL(path.split(" ")[1]!, url).searchParams.get("withGas"));
  expect(sent).toEqual(["true", "true", "false"]);
});

test("an approval of another token, spender or amount than asked for is refused", async () => {
  const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, "0");
  const approving = (spender: string, amount: bigint) => `0x095ea7b3${word(spender)}${word(amount)}`;
  const right = { to: USDC, calldata: approving(ROUTER, 5n), reset_calldata: approving(ROUTER, 0n) };
  const most = 2n ** 256n - 1n;
  const ask = async (body: object, more: object = {}) => {
    const gas = { gas_price: "1", estimate_gas: "50000" };
    const { url } = await canned([{ status: 200, body: { ...gas, ...body } }]);
    return createBraid({ url }).approve({ chainID: 1, tokenAddress: USDC, amount: 5n, ...more });
  };
  expect(await ask(right)).toMatchObject(right);
  expect(await ask({ to: USDC, calldata: approving(ROUTER, most) }, { amount: undefined })).toBeDefined();
  expect(await ask({ to: USDC, calldata: approving(PAYER, 5n) }, { contractAddress: PAYER })).toBeDefined();
  for (const wrong of [
    { to: WETH },
    { to: undefined },
    { calldata: approving(PAYER, 5n) },
    { calldata: approving(ROUTER, most) },
    { calldata: `${right.calldata}00` },
    { calldata: 5 },
    { reset_calldata: approving(PAYER, most) },
  ])
    await expect(ask({ ...right, ...wrong }), JSON.stringify(Object.keys(wrong))).rejects.toMatchObject({
      reason: "QUOTE_MISMATCH",
      details: [{ field: Object.keys(wrong)[0] }],
    });
});

test("watch asks again only after the Retry-After of a failure, and ends with a proxy's 404", async () => {
  vi.useFakeTimers();
  cleanups.push(() => vi.useRealTimers());
  const failures = [
    new BraidError("RATE_LIMITED", "Wait.", { status: 429, retryAfterSeconds: 600 }),
    new BraidError("RATE_LIMITED", "Wait.", { status: 429, retryAfterSeconds: 10 ** 10 }),
    new BraidError("UNREACHABLE", "HTTP 404", { status: 404 }),
  ];
  const asked: number[] = [];
  const start = Date.now();
  const price = async () => {
    asked.push((Date.now() - start) / 1000);
    throw failures[asked.length - 1];
  };
  const pair = { chainID: 1, fromTokenAddress: NATIVE, toTokenAddress: USDC, amount: 5n };
  const ended = expect(watchPrice(price, pair).next()).rejects.toMatchObject({ status: 404 });
  await vi.runAllTimersAsync();
  await ended;
  expect(asked).toEqual([0, 600, 4200]);
});

describe("blocks that the client has seen", () => {
  test("price and quote of that chain ask for none before them", async () => {
    const { url, asked } = await canned([{ status: 400, body: {} }]);
    const braid = createBraid({ url });
    braid.sawBlock(1, 70);
    braid.sawBlock(1, 69);
    const pair = { chainID: 1, fromTokenAddress: NATIVE, toTokenAddress: USDC, amount: 5n };
    await braid.price(pair).catch(() => undefined);
    await braid.price({ ...pair, min_block: 71 }).catch(() => undefined);
    await braid.quote({ ...pair, slippage: 10, deadline: 9 }).catch(() => undefined);
    await braid.price({ ...pair, chainID: 2 }).catch(() => undefined);
    const least = asked.map((path) => new URL(path.split(" ")[1]!, url).searchParams.get("min_block"));
    expect(least).toEqual(["70", "71", "70", null]);
  });

  test("a batch of prices of that chain asks for none before them", async () => {
    const asked: { min_block?: number }[] = [];
    const braid = createBraid({
      url: "http://braid.test",
      fetch: async (_url, init) => {
        asked.push(JSON.parse(String(init?.body)));
        return new Response("{}", { status: 400 });
      },
    });
    braid.sawBlock(1, 70);
    const batch = { requests: [{ fromTokenAddress: NATIVE, toTokenAddress: USDC, amount: 5n }] };
    await braid.prices({ chainID: 1, ...batch }).catch(() => undefined);
    await braid.prices({ chainID: 1, ...batch, min_block: 71 }).catch(() => undefined);
    await braid.prices({ chainID: 2, ...batch }).catch(() => undefined);
    expect(asked.map(({ min_block }) => min_block)).toEqual([70, 71, undefined]);
  });
});
