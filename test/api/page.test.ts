import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectFailure, get, post } from "./ask.ts";
import { createWorld } from "./world.ts";

type TestWorld = Awaited<ReturnType<typeof createWorld>>;

let root: string;
let api: TestWorld;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "braid-page-"));
  mkdirSync(join(root, "assets"));
  writeFileSync(join(root, "index.html"), "<!doctype html><title>page</title>");
  writeFileSync(join(root, "assets", "index-B1a2C3d4.js"), "export {};");
  api = await createWorld({ pageRoot: root });
});
afterAll(async () => {
  await api.app.close();
  rmSync(root, { recursive: true });
});

describe("the page", () => {
  test("is served with a policy that lets it reach nobody else", async () => {
    const got = await get(api, "/");
    expect([got.status, got.text]).toEqual([200, "<!doctype html><title>page</title>"]);
    const policy = String(got.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(policy).not.toMatch(/https?:/);
    expect(got.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    });
  });

  test("its hashed files last, and other paths are still answered as JSON", async () => {
    const file = await get(api, "/assets/index-B1a2C3d4.js");
    expect([file.status, file.headers["cache-control"]]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
    for (const path of [
      "/assets/none.js",
      "/index.htm",
      "/../package.json",
      "/assets/..%2f..%2fpackage.json",
    ]) {
      expectFailure(await get(api, path), 404, "NOT_FOUND");
    }
    expectFailure(await post(api, "/", "{}"), 405, "METHOD_NOT_ALLOWED");
  });

  test("where it is not built, a line says how to build it", async () => {
    const bare = await createWorld({ pageRoot: join(root, "assets") });
    const got = await get(bare, "/");
    expect([got.status, got.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(got.text).toContain("npm run");
    await bare.app.close();
  });
});

describe("the API reference", () => {
  test("asks no other host for anything", async () => {
    const short = await get(api, "/docs/reference");
    expect([short.status, short.headers.location]).toEqual([301, "/docs/reference/"]);
    const got = await get(api, "/docs/reference/");
    expect(got.status).toBe(200);
    expect(got.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(got.text).toContain('"url": "/openapi.json"');
    expect(got.text).toContain('"withDefaultFonts": false');
    expect(String(got.headers["content-security-policy"])).toContain("connect-src 'self'");
    const script = await get(api, "/docs/reference/js/scalar.js");
    expect([script.status, script.headers["content-type"]]).toEqual([
      200,
      "application/javascript; charset=utf-8",
    ]);
  });

  test("/openapi.json is the document", async () => {
    const { json } = await get(api, "/openapi.json");
    expect([json.openapi, json.info.title]).toEqual(["3.1.0", "Braid"]);
  });
});

describe("operation", () => {
  test("metrics name routes by pattern and chains by id", async () => {
    await get(api, "/v1/424242/price");
    await get(api, "/some/where");
    const { text } = await get(api, "/metrics");
    expect(text).toContain('route="/v1/:chainID/price",status="400"');
    expect(text).not.toContain("424242");
    expect(text).not.toContain("/some/where");
    expect(text).toContain('braid_chain_block{chain="1"} 100');
    expect(text).toContain('braid_chain_fit{chain="1"} 1');
  });

  test("health tells the block, its age and the pools of every chain", async () => {
    const { json } = await get(api, "/health");
    expect(json).toMatchObject({ status: "ok", version: "0.0.0-test", searches_running: 0 });
    expect(json.chains[0]).toMatchObject({
      chainId: 1,
      phase: "live",
      trouble: null,
      block_number: 100,
      pools: 6,
    });
  });
});
