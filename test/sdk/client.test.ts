import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import manifest from "../../packages/sdk/package.json" with { type: "json" };
import { createBraid, formatAmount, parseAmount, ROUTER } from "../../packages/sdk/src/index.ts";
import { sdkApiText, sdkRouterText } from "../../scripts/docs/sdk-api.ts";
import { ROUTER_ADDRESS } from "../../src/core/encoding/index.ts";
import { openApiText } from "../../src/http/schemas/document.ts";
import { USDC, WETH } from "../api/world.ts";
import { createPayingWorld, fetchOf, PAYER } from "./genuine.ts";

describe("what is printed from code", () => {
  const checkedIn = (name: string) =>
    readFileSync(new URL(`../../packages/sdk/src/generated/${name}`, import.meta.url), "utf8");

  test("the types are those of the OpenAPI document (npm run docs)", async () => {
    expect(checkedIn("api.ts")).toBe(sdkApiText(await openApiText(packageJson.version)));
  });

  test("the router is the one of the artifact, and its steps are those of the service (npm run docs)", () => {
    expect(checkedIn("router.ts")).toBe(sdkRouterText());
    expect(ROUTER).toBe(ROUTER_ADDRESS);
  });
});

test("the package names the oldest Node that has AbortSignal.any, as its README does", () => {
  const readme = readFileSync(new URL("../../packages/sdk/README.md", import.meta.url), "utf8");
  expect(manifest.engines.node).toBe(">=20.3");
  expect(readme).toContain("Node ≥ 20.3.");
});

test("the README names every reason of a failure of the SDK itself", () => {
  const readOf = (path: string) =>
    readFileSync(new URL(`../../packages/sdk/${path}`, import.meta.url), "utf8");
  const [, type = ""] = /^export type ClientReason =([\s\S]+?);$/m.exec(readOf("src/error.ts"))!;
  const reasons = [...type.matchAll(/\| "([A-Z_]+)"/g)].map(([, reason]) => reason!);
  expect(reasons.length).toBeGreaterThan(10);
  const readme = readOf("README.md");
  expect(reasons.filter((reason) => !readme.includes(`\`${reason}\``))).toEqual([]);
});

describe("amounts", () => {
  test.each([
    ["1.5", 18, 1_500_000_000_000_000_000n],
    ["0.000001", 6, 1n],
    ["25", 0, 25n],
    ["1.500000000", 6, 1_500_000n],
    ["115792089237316195423570985008687907853269984665640564039457584007913129639935", 0, 2n ** 256n - 1n],
  ])("%s with %i decimals is %i", (text, decimals, amount) => {
    expect(parseAmount(text, decimals)).toBe(amount);
  });

  test.each(["", "-1", "1e18", "1,5", "0x10", ".5", "1.", "1.2.3", "one", "1.0000001"])(
    "%j is refused",
    (text) => {
      expect(() => parseAmount(text, 6)).toThrow(expect.objectContaining({ reason: "BAD_AMOUNT" }));
    },
  );

  test("what is written is read back", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.nat(30), (amount, decimals) => {
        expect(parseAmount(formatAmount(amount, decimals), decimals)).toBe(amount);
      }),
    );
  });
});

describe("answers of the service in memory", () => {
  let world: Awaited<ReturnType<typeof createPayingWorld>>;
  beforeAll(async () => {
    world = await createPayingWorld();
  });
  afterAll(() => world.app.close());

  test("every decimal integer of an offer is a bigint, and nothing that is signed is touched", async () => {
    const braid = createBraid({ url: "http://braid.test", fetch: fetchOf(world) });
    const pair = {
      chainID: 1,
      fromTokenAddress: USDC,
      toTokenAddress: WETH,
      amount: 10n ** 9n,
      slippage: 10,
    };
    const quote = await braid.quote({ ...pair, takerAddress: PAYER, deadline: 1_700_001_200 });
    // The details of a notice are for people and logs: each has fields of its own, amounts as decimal texts.
    const { permit, notices: _notices, ...rest } = quote;
    const texts: string[] = [];
    JSON.stringify(rest, (_key, value) => {
      if (typeof value === "string" && /^\d+$/.test(value)) texts.push(`${_key} ${value}`);
      return typeof value === "bigint" ? null : value;
    });
    expect(texts).toEqual([]);
    expect(permit!.permit2!.permit_nonce).toBeTypeOf("bigint");
    expect(permit!.permit2!.typed_data).toMatchObject({ message: { permitted: { amount: "1000000000" } } });
  });

  test("the default deadline of a quote is 20 minutes by this machine's clock", async () => {
    const braid = createBraid({ url: "http://braid.test", fetch: fetchOf(world) });
    const pair = {
      chainID: 1,
      fromTokenAddress: USDC,
      toTokenAddress: WETH,
      amount: 10n ** 9n,
      slippage: 10,
    };
    const before = Math.floor(Date.now() / 1000);
    const { valid_until } = await braid.quote(pair);
    expect(valid_until).toBeGreaterThanOrEqual(before + 1_200);
    expect(valid_until).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 1_200);
    const slow = vi.spyOn(Date, "now").mockReturnValue(1_600_000_000_000);
    const refused = braid.quote(pair);
    await expect(refused).rejects.toMatchObject({
      reason: "VALIDATION",
      message: expect.stringMatching(/lies before .* this machine's clock/),
    });
    slow.mockRestore();
  });

  test("a refusal whose details are not as the API says is a failure of the service all the same", async () => {
    const body = {
      reason: "NO_ROUTE",
      message: "No route.",
      details: [null, "x", { field: "a", reason: "b" }],
    };
    const braid = createBraid({
      url: "http://braid.test",
      fetch: async () => Response.json(body, { status: 400 }),
    });
    const pair = { chainID: 1, fromTokenAddress: USDC, toTokenAddress: WETH, amount: 1n, slippage: 10 };
    const details = [{ field: "a", reason: "b" }];
    await expect(braid.quote(pair)).rejects.toMatchObject({
      name: "BraidError",
      reason: "NO_ROUTE",
      details,
    });
  });
});
