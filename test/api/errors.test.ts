import { parseUnits } from "viem/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BraidError, failures } from "../../src/core/errors.ts";
import { NATIVE } from "../../src/core/types.ts";
import { expectFailure, type Got, get, post } from "./ask.ts";
import { ALICE, BOB, createWorld, DUST, LONELY, live, ROUTER, starting, USDC, WETH } from "./world.ts";

type TestWorld = Awaited<ReturnType<typeof createWorld>>;

let api: TestWorld;
beforeAll(async () => {
  api = await createWorld();
});
afterAll(() => api.app.close());
beforeEach(() => {
  const { world } = api;
  world.status = live;
  world.searchFails = undefined;
  world.nodeDown = false;
  world.reported.length = 0;
});

const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000", slippage: "10" };
const fields = (got: Got): string[] => got.json.details.map((detail: { field: string }) => detail.field);

describe("1001 VALIDATION", () => {
  test("every bad or missing parameter is named at once, with what it must be and what it was", async () => {
    const got = await get(api, "/v1/abc/price", {
      amount: "1e18",
      slippage: "0.5",
      gasPrice: "1.5",
      withGas: "1",
    });
    const { details, error } = expectFailure(got, 400, "VALIDATION");
    expect(fields(got)).toEqual([
      "chainID",
      "fromTokenAddress",
      "toTokenAddress",
      "amount",
      "gasPrice",
      "withGas",
      "slippage",
    ]);
    expect(details[3]).toMatchObject({ value: "1e18" });
    expect(error).toContain("WEI");
  });

  test.each([
    ["amount", "0"],
    ["amount", "-1"],
    ["amount", "+1"],
    ["amount", "0x10"],
    ["amount", "1.0"],
    ["amount", "1 000"],
    ["amount", (2n ** 256n).toString()],
    ["amount", "9".repeat(79)],
    ["slippage", "0.99"],
    ["slippage", "500.1"],
    ["slippage", "1%"],
    ["slippage", "NaN"],
    ["gasPrice", "0"],
    ["gasPrice", "1.5"],
    ["gasPrice", "20gwei"],
    ["fromTokenAddress", "0x12"],
    ["fromTokenAddress", `${USDC}0`],
    ["toTokenAddress", "WETH"],
    ["buyTokenPercentageFee", "501"],
    ["buyTokenPercentageFee", "1.5"],
    ["sellTokenPercentageFee", "-1"],
    ["feeRecipient", "0x0000000000000000000000000000000000000000"],
    ["rfqOnly", "yes"],
    ["min_block", "soon"],
  ])("%s = %s", async (field, value) => {
    const got = await get(api, "/v1/1/price", { ...pair, [field]: value });
    expectFailure(got, 400, "VALIDATION");
    expect(fields(got)).toContain(field);
  });

  test("a parameter given twice", async () => {
    const got = await get(api, "/v1/1/price", { ...pair, amount: ["1", "2"] });
    expectFailure(got, 400, "VALIDATION");
    expect(fields(got)).toEqual(["amount"]);
  });

  test("quote has no default slippage", async () => {
    expect(fields(await get(api, "/v1/1/quote", { ...pair, slippage: undefined }))).toEqual(["slippage"]);
  });

  test.each([["buyTokenPercentageFee"], ["sellTokenPercentageFee"]])(
    "%s without feeRecipient",
    async (fee) => {
      const got = await get(api, "/v1/1/price", { ...pair, [fee]: "10" });
      expectFailure(got, 400, "VALIDATION");
      expect(fields(got)).toEqual(["feeRecipient"]);
    },
  );

  test("both source lists, and an include list that names nobody", async () => {
    const both = { ...pair, includeAggregator: "uniswap-v2", excludeAggregator: "sushiswap" };
    expect(fields(await get(api, "/v1/1/price", both))).toEqual(["includeAggregator"]);
    const got = await get(api, "/v1/1/price", { ...pair, includeAggregator: "nobody,nothing" });
    expectFailure(got, 400, "VALIDATION");
    expect(got.json.error).toContain("uniswap-v2");
  });

  test("the router as recipient of tokens or fees, and a deadline that has passed", async () => {
    const cases: [string, Record<string, string>][] = [
      ["recipientAddress", { recipientAddress: ROUTER }],
      ["feeRecipient", { feeRecipient: ROUTER }],
      ["deadline", { deadline: "1600000000" }],
    ];
    for (const [field, more] of cases) {
      const got = await get(api, "/v1/1/quote", { ...pair, ...more });
      expectFailure(got, 400, "VALIDATION");
      expect(fields(got)).toEqual([field]);
    }
  });

  test("approve of the native coin, and a negative amount", async () => {
    const path = "/v1/1/transaction/approve";
    expectFailure(await get(api, path, { tokenAddress: NATIVE }), 400, "VALIDATION");
    expectFailure(await get(api, path, { tokenAddress: USDC, amount: "-1" }), 400, "VALIDATION");
  });

  test.each([
    ['{"paging":{"page":0}}', "paging.page"],
    ['{"paging":{"page":1.5}}', "paging.page"],
    ['{"paging":{}}', "paging.page"],
    ['{"paging":{"page":1,"page_size":101}}', "paging.page_size"],
    ['{"paging":{"page":1,"page_size":-1}}', "paging.page_size"],
    ['{"filter":{"chain_ids":["1"]}}', "filter.chain_ids.0"],
    ['{"filter":{"names":"DAI"}}', "filter.names"],
    ['{"filter":{"is_active":"yes"}}', "filter.is_active"],
    ['{"filter":[]}', "filter"],
    ["[]", "body"],
    ["17", "body"],
    ['{"filter":', "body"],
    ["not json", "body"],
    ['{"__proto__":{"filter":{}}}', "__proto__"],
    ['{"filter":{"__proto__":{"is_active":false}}}', "__proto__"],
  ])("token list body %s", async (body, field) => {
    const got = await post(api, "/v2/tokens/list", body);
    expectFailure(got, 400, "VALIDATION");
    expect(fields(got)).toContain(field);
  });

  test("a percent sign that encodes nothing in the path", async () => {
    expectFailure(await get(api, "/v1/%zz/price"), 400, "VALIDATION");
  });
});

describe("chains and tokens", () => {
  test.each(["price", "quote", "gasprices", "tokens"])("1002 UNSUPPORTED_CHAIN: %s", async (endpoint) => {
    const got = await get(api, `/v1/424242/${endpoint}`, pair);
    const { error } = expectFailure(got, 400, "UNSUPPORTED_CHAIN");
    expect(error).toContain("served are 1");
  });

  test("1003 UNKNOWN_TOKEN names every address that is no token", async () => {
    const got = await get(api, "/v1/1/price", { ...pair, fromTokenAddress: ALICE, toTokenAddress: BOB });
    expectFailure(got, 400, "UNKNOWN_TOKEN");
    expect(fields(got)).toEqual(["fromTokenAddress", "toTokenAddress"]);
  });

  test("1003 UNKNOWN_TOKEN: the zero address, with the sentinel in the text", async () => {
    const zero = "0x0000000000000000000000000000000000000000";
    const got = await get(api, "/v1/1/price", { ...pair, fromTokenAddress: zero });
    expect(expectFailure(got, 400, "UNKNOWN_TOKEN").error).toContain(NATIVE);
    for (const path of ["allowance", "approve"]) {
      const query = { tokenAddress: zero, walletAddress: ALICE };
      const answer = await get(api, `/v1/1/transaction/${path}`, query);
      expect(expectFailure(answer, 400, "UNKNOWN_TOKEN").error).toContain(NATIVE);
    }
  });

  test("1003 UNKNOWN_TOKEN: an account without a contract, in allowance and approve", async () => {
    const query = { tokenAddress: BOB, walletAddress: ALICE };
    expectFailure(await get(api, "/v1/1/transaction/allowance", query), 400, "UNKNOWN_TOKEN");
    expectFailure(await get(api, "/v1/1/transaction/approve", query), 400, "UNKNOWN_TOKEN");
  });

  test("1004 SAME_TOKEN, whatever the case", async () => {
    const got = await get(api, "/v1/1/price", {
      ...pair,
      toTokenAddress: `0X${WETH.slice(2).toUpperCase()}`,
    });
    expectFailure(got, 400, "SAME_TOKEN");
  });
});

describe("paths and methods", () => {
  test.each(["/nope", "/v1/1", "/v1/1/nope", "/v3/tokens/list", "/v1/1/price/more"])(
    "1005 NOT_FOUND: %s",
    async (path) => {
      const got = await get(api, path);
      expect(expectFailure(got, 404, "NOT_FOUND").instance).toBe(path);
      expectFailure(await post(api, path, "{ broken"), 404, "NOT_FOUND");
    },
  );

  test.each([
    ["POST", "/v1/1/price", "GET, HEAD, OPTIONS"],
    ["DELETE", "/v1/platforms", "GET, HEAD, OPTIONS"],
    ["GET", "/v2/tokens/list", "POST, OPTIONS"],
    ["PUT", "/v2/tokens/list", "POST, OPTIONS"],
    ["PATCH", "/v1/1/quote/", "GET, HEAD, OPTIONS"],
    ["QUERY", "/v1/1/price", "GET, HEAD, OPTIONS"],
  ])("1006 METHOD_NOT_ALLOWED: %s %s", async (method, url, allow) => {
    const { statusCode, headers, body } = await api.app.inject({
      method: method as "GET",
      url,
      payload: "{",
    });
    const got = { status: statusCode, headers, text: body, json: JSON.parse(body) };
    expectFailure(got, 405, "METHOD_NOT_ALLOWED");
    expect(headers.allow).toBe(allow);
  });

  test("1007 TOO_LARGE: a body over 256 KiB, a path part, a URL", async () => {
    const body = JSON.stringify({ filter: { names: ["x".repeat(256 * 1024)] } });
    expectFailure(await post(api, "/v2/tokens/list", body), 413, "TOO_LARGE");
    expectFailure(await get(api, `/v1/${"1".repeat(300)}/price`), 414, "TOO_LARGE");
    expectFailure(await get(api, "/v1/1/price", { amount: "1".repeat(9000) }), 414, "TOO_LARGE");
  });

  test("a body of just under the limit is read", async () => {
    const got = await post(
      api,
      "/v2/tokens/list",
      JSON.stringify({ filter: { names: ["x".repeat(250_000)] } }),
    );
    expect([got.status, got.json.tokens]).toEqual([200, []]);
  });
});

describe("the market", () => {
  test("2000 NO_ROUTE begins with No liquidity and says why", async () => {
    const got = await get(api, "/v1/1/price", { ...pair, toTokenAddress: LONELY });
    const { error, details } = expectFailure(got, 400, "NO_ROUTE");
    expect(error).toMatch(/^No liquidity from WETH .* to LONE .*: /);
    expect(details[0]).toMatchObject({ field: "amount", value: pair.amount });
  });

  test("2000 NO_ROUTE: no makers are there for rfqOnly", async () => {
    const got = await get(api, "/v1/1/price", { ...pair, rfqOnly: "TRUE" });
    expect(expectFailure(got, 400, "NO_ROUTE").error).toContain("asks for makers");
  });

  test("2000 NO_ROUTE: an amount that no pool can take", async () => {
    const got = await get(api, "/v1/1/quote", { ...pair, amount: (2n ** 256n - 1n).toString() });
    const { error, details } = expectFailure(got, 400, "NO_ROUTE");
    expect(error).toMatch(
      /^No liquidity.* The largest amount found that routes is [0-9.]+ WETH \([0-9]+ in smallest units\)\.$/,
    );
    const { largest_amount, largest_amount_units } = details[0]!;
    expect(parseUnits(String(largest_amount_units), 18)).toBe(BigInt(largest_amount!));
    expect((await get(api, "/v1/1/quote", { ...pair, amount: largest_amount })).status).toBe(200);
    const fee = { feeRecipient: BOB, sellTokenPercentageFee: "500" };
    const withFee = await get(api, "/v1/1/quote", { ...pair, ...fee, amount: (2n ** 256n - 1n).toString() });
    const larger = String(expectFailure(withFee, 400, "NO_ROUTE").details[0]!.largest_amount);
    expect(BigInt(larger)).toBe(2n * BigInt(largest_amount!));
    expect((await get(api, "/v1/1/quote", { ...pair, ...fee, amount: larger })).status).toBe(200);
  });

  test("2000 NO_ROUTE names the token that no pool holds, and the list that leaves no source", async () => {
    const unknown = await get(api, "/v1/1/price", { ...pair, toTokenAddress: DUST });
    expect(expectFailure(unknown, 400, "NO_ROUTE").details).toMatchObject([
      { field: "amount", reason: "unknown-token" },
      { field: "toTokenAddress", value: DUST },
    ]);
    const everything = "uniswap-v2,sushiswap";
    const excluded = await get(api, "/v1/1/price", { ...pair, excludeAggregator: everything });
    expect(expectFailure(excluded, 400, "NO_ROUTE").details).toMatchObject([
      { field: "amount", reason: "excluded" },
      { field: "excludeAggregator", value: everything },
    ]);
    const parted = await get(api, "/v1/1/price", { ...pair, toTokenAddress: LONELY });
    expect(expectFailure(parted, 400, "NO_ROUTE").details[0]!.reason).toBe("no-path");
  });

  test("2100 SIMULATION_FAILED with the decoded reason and the wallet's facts", async () => {
    const got = await get(api, "/v1/1/quote", { ...pair, takerAddress: BOB, skipValidation: "False" });
    const { details, error } = expectFailure(got, 422, "SIMULATION_FAILED");
    expect(error).toContain("exceeds allowance");
    expect(error).toContain(
      "The balance is 0 WETH, the swap takes 1 WETH. The allowance is 0 WETH, the swap takes 1 WETH.",
    );
    expect(details.slice(1).map(({ needed }) => needed)).toEqual([pair.amount, pair.amount]);
    expect(details.map(({ field, reason, value }) => [field, reason, value])).toEqual([
      ["calldata", "ERC20: transfer amount exceeds allowance", undefined],
      ["balance", "too low", "0"],
      ["allowance", "too low", "0"],
    ]);
  });
});

describe("the service", () => {
  test("4001 STALE_STATE while starting and when old, with Retry-After", async () => {
    for (const status of [starting, { ...live, ageMs: 36_001 }]) {
      api.world.status = status;
      const got = await get(api, "/v1/1/price", pair);
      expectFailure(got, 503, "STALE_STATE");
      expect(got.headers["retry-after"]).toBe("12");
      expectFailure(await get(api, "/readyz"), 503, "STALE_STATE");
      expect((await get(api, "/health")).json.status).toBe("degraded");
      expect((await get(api, "/livez")).status).toBe(200);
    }
  });

  test("4001 STALE_STATE: a block that does not come, gas prices that are not known, a node that is down", async () => {
    expectFailure(await get(api, "/v1/1/price", { ...pair, min_block: "101" }), 503, "STALE_STATE");
    expect((await get(api, "/v1/1/price", { ...pair, min_block: "100" })).status).toBe(200);
    const { levels } = api.world;
    api.world.levels = undefined;
    expectFailure(await get(api, "/v1/1/gasprices"), 503, "STALE_STATE");
    expectFailure(await get(api, "/v1/1/price", pair), 503, "STALE_STATE");
    expect((await get(api, "/v1/1/price", { ...pair, gasPrice: "1" })).status).toBe(200);
    api.world.levels = levels;
    api.world.nodeDown = true;
    const wallet = { tokenAddress: USDC, walletAddress: ALICE };
    expectFailure(await get(api, "/v1/1/transaction/allowance", wallet), 503, "STALE_STATE");
    expect((await get(api, "/v1/1/price", pair)).status).toBe(200);
  });

  test("4002 OVERLOADED: more searches than allowed, with Retry-After; then all is well again", async () => {
    const small = await createWorld({ http: { maxConcurrent: 1 } });
    let release = () => {};
    small.world.hold = new Promise((resolve) => {
      release = resolve;
    });
    const first = get(small, "/v1/1/price", pair);
    const running = async () => (await get(small, "/health")).json.searches_running;
    await expect.poll(running, { timeout: 20_000 }).toBe(1);
    const second = await get(small, "/v1/1/quote", pair);
    release();
    expectFailure(second, 503, "OVERLOADED");
    expect(second.headers["retry-after"]).toBe("1");
    expect((await first).status).toBe(200);
    expect((await get(small, "/v1/1/price", pair)).status).toBe(200);
    await small.app.close();
  });

  test("3002 RATE_LIMITED with RateLimit headers and Retry-After; health is never limited", async () => {
    const small = await createWorld({ http: { rateLimitPerMinute: 2 } });
    const one = await get(small, "/v1/platforms");
    expect(one.headers).toMatchObject({ "ratelimit-limit": "2", "ratelimit-remaining": "1" });
    await get(small, "/v1/platforms", {}, { "x-api-key": "anything" });
    const three = await get(small, "//%76%31/platforms/");
    expectFailure(three, 429, "RATE_LIMITED");
    expect(Number(three.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(three.headers["ratelimit-reset"])).toBeLessThanOrEqual(60);
    expect((await get(small, "/readyz")).status).toBe(200);
    const other = await small.app.inject({ url: "/v1/platforms", remoteAddress: "10.0.0.9" });
    expect(other.statusCode).toBe(200);
    await small.app.close();
  });

  test("5000 INTERNAL tells the log everything and the caller nothing", async () => {
    api.world.searchFails = new Error("secret path /var/lib");
    const got = await get(api, "/v1/1/price", pair, { "x-request-id": "trace-7" });
    const { error, request_id } = expectFailure(got, 500, "INTERNAL");
    expect(error).not.toContain("secret");
    expect(request_id).toBe("trace-7");
    expect(api.world.log.at(-1)).toContain("secret path");
    expect(api.world.log.at(-1)).toContain("trace-7");
  });

  test("3001 UNAUTHORIZED has its status, though no key is refused yet", async () => {
    expect(failures.UNAUTHORIZED.number).toBe(3001);
    api.world.searchFails = new BraidError("UNAUTHORIZED", "Unknown key.");
    expectFailure(await get(api, "/v1/1/price", pair), 401, "UNAUTHORIZED");
  });
});

describe("the shape of a failure", () => {
  test("application/problem+json where Accept names it", async () => {
    const type = async (accept: string) => (await get(api, "/nope", {}, { accept })).headers["content-type"];
    expect(await type("application/problem+json")).toBe("application/problem+json; charset=utf-8");
    expect(await type("text/html, application/problem+json;q=0.9")).toContain("problem+json");
    expect(await type("application/problem+json;q=0, */*")).toBe("application/json; charset=utf-8");
    expect(await type("text/html")).toBe("application/json; charset=utf-8");
  });

  test("a sane request id is echoed, another is replaced", async () => {
    const id = async (given: string) =>
      (await get(api, "/nope", {}, { "x-request-id": given })).json.request_id;
    expect(await id("abc-123")).toBe("abc-123");
    expect(await id("bad id\u00e9")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id("x".repeat(200))).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("its type leads to an explanation", async () => {
    const { type } = (await get(api, "/nope")).json;
    const page = await get(api, type);
    expect(page.text).toContain("1005 NOT_FOUND");
    expectFailure(await get(api, "/errors/no-such"), 404, "NOT_FOUND");
    expect((await get(api, "/errors")).text).toContain("| SIMULATION_FAILED |");
  });
});
