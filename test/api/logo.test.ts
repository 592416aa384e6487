import { afterAll, beforeAll, expect, test } from "vitest";
import type { LogoPort } from "../../src/service/ports/ports-logos.ts";
import { expectFailure, get } from "./ask.ts";
import { createWorld, DAI, USDC, WETH } from "./world.ts";

const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const asked: string[] = [];
const logos: LogoPort = {
  has: ({ address }) => address !== WETH,
  async of({ address }) {
    asked.push(address);
    return address === USDC ? { type: "image/png", bytes } : undefined;
  },
};

let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  api = await createWorld({ logos });
});
afterAll(() => api.app.close());

test("a logo is a picture that no browser takes for anything else, and is kept for a day", async () => {
  const path = `/v1/1/tokens/${USDC}/logo`;
  const got = await api.app.inject({ url: path });
  expect([got.statusCode, got.rawPayload.equals(bytes)]).toEqual([200, true]);
  expect(got.headers).toMatchObject({
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=86400",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  const again = await api.app.inject({ url: path, headers: { "if-none-match": String(got.headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});

test("where there is no logo that is said, and tokens that are not on the list are not even looked for", async () => {
  expectFailure(await get(api, `/v1/1/tokens/${DAI}/logo`), 404, "NOT_FOUND");
  const before = asked.length;
  expectFailure(await get(api, `/v1/1/tokens/0x${"99".repeat(20)}/logo`), 404, "NOT_FOUND");
  expect(asked.length).toBe(before);
  expectFailure(await get(api, `/v1/7/tokens/${USDC}/logo`), 400, "UNSUPPORTED_CHAIN");
  expectFailure(await get(api, "/v1/1/tokens/usdc/logo"), 400, "VALIDATION");
});

test("the token list says which tokens may have one", async () => {
  const { tokens } = (await get(api, "/v1/1/tokens")).json as {
    tokens: { address: string; has_logo: boolean }[];
  };
  expect(tokens.filter(({ has_logo }) => !has_logo).map(({ address }) => address)).toEqual([WETH]);
});
