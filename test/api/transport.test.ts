import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { preferred } from "../../src/http/guard/compression.ts";
import { expectFailure, get, gotOf } from "./ask.ts";
import { createWorld, LONELY, USDC, WETH } from "./world.ts";

/** How answers travel: compression, caching, and what node would refuse without a word. */

const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000" };
const SCRIPT = `export const text = ${JSON.stringify("braid ".repeat(2_000))};`;

let root: string;
let api: Awaited<ReturnType<typeof createWorld>>;
let origin: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "braid-transport-"));
  mkdirSync(join(root, "assets"));
  writeFileSync(join(root, "index.html"), "<!doctype html><title>page</title>");
  writeFileSync(join(root, "assets", "index-B1a2C3d4.js"), SCRIPT);
  api = await createWorld({ pageRoot: root });
  origin = await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await api.app.close();
  rmSync(root, { recursive: true });
});

const raw = (url: string, headers = {}) => api.app.inject({ url, headers });

describe("compression", () => {
  const decode = { br: brotliDecompressSync, gzip: gunzipSync } as const;

  test.each(["br", "gzip"] as const)("%s for 1 KiB and more: documents, lists, files", async (encoding) => {
    for (const url of ["/openapi.json", "/v1/1/tokens", "/assets/index-B1a2C3d4.js"]) {
      const plain = await raw(url);
      const packed = await raw(url, { "accept-encoding": encoding });
      expect([plain.headers["content-encoding"], packed.headers["content-encoding"]]).toEqual([
        undefined,
        encoding,
      ]);
      expect(packed.headers.vary).toBe("Accept-Encoding");
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
      expect(decode[encoding](packed.rawPayload).toString()).toBe(plain.body);
    }
  });

  test("an offer is compressed, and a client over a socket reads it as it is", async () => {
    const answer = await fetch(`${origin}/v1/1/price?${new URLSearchParams(pair)}`);
    expect(answer.headers.get("content-encoding")).toMatch(/^(br|gzip)$/);
    expect(((await answer.json()) as { token_in: string }).token_in).toBe(WETH);
  });

  test("not below 1 KiB, not without being asked, not where it is refused", async () => {
    const encodingOf = async (url: string, accept: string) =>
      (await raw(url, { "accept-encoding": accept })).headers["content-encoding"];
    expect(await encodingOf("/v1/platforms", "br")).toBeUndefined();
    expect(await encodingOf("/openapi.json", "identity")).toBeUndefined();
    expect(await encodingOf("/openapi.json", "br;q=0, gzip;q=0")).toBeUndefined();
  });

  test("the client's weights decide, then brotli", () => {
    expect(preferred("gzip, deflate, br, zstd")).toBe("br");
    expect(preferred("gzip;q=0.9, br;q=0.1")).toBe("gzip");
    expect(preferred("*")).toBe("br");
    expect(preferred("br;q=0, *")).toBe("gzip");
    expect(preferred("GZIP")).toBe("gzip");
    for (const none of [undefined, "", "deflate", "br;q=nonsense"]) expect(preferred(none)).toBeUndefined();
  });
});

describe("caching", () => {
  test.each([
    ["/v1/1/tokens", "public, max-age=15"],
    ["/openapi.json", "public, max-age=300"],
  ])("%s has an ETag, and 304 for whoever has it", async (url, control) => {
    const first = await raw(url);
    const etag = String(first.headers.etag);
    expect([etag, first.headers["cache-control"]]).toEqual([expect.stringMatching(/^W\/".{20,}"$/), control]);
    for (const tag of [etag, `"other", ${etag.slice(2)}`, "*"]) {
      const again = await raw(url, { "if-none-match": tag, "accept-encoding": "br" });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", etag]);
    }
    expect((await raw(url, { "if-none-match": 'W/"other"' })).statusCode).toBe(200);
  });

  test("offers and failures are kept by nobody", async () => {
    const offer = await get(api, "/v1/1/price", pair);
    const failure = await get(api, "/v1/2/tokens");
    for (const { headers } of [offer, failure]) {
      expect([headers.etag, headers["cache-control"]]).toEqual([undefined, "no-store"]);
    }
  });
});

/** Sends bytes as they are and reads until the server closes. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("utf8");
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
    socket.write(bytes);
  });
}

function failureIn(text: string) {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const lines = head.split("\r\n").slice(1);
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(": ")[0]!.toLowerCase(), line.split(": ")[1]]),
  );
  return gotOf(Number(head.split(" ")[1]), headers, body);
}

describe("what node would refuse without a word", () => {
  test("a missing Host and an Expect that nobody gives have a body like every failure", async () => {
    const path = "GET /v1/platforms HTTP/1.1\r\nConnection: close\r\n";
    const hostless = expectFailure(failureIn(await exchange(`${path}\r\n`)), 400, "VALIDATION");
    expect(hostless.details[0]!.field).toBe("Host");
    const expecting = await exchange(`${path}Host: x\r\nExpect: the-unexpected\r\n\r\n`);
    expect(expectFailure(failureIn(expecting), 400, "VALIDATION").details[0]!.field).toBe("Expect");
  });

  test("HTTP/1.0 has no Host, and 100-continue goes on", async () => {
    expect(await exchange("GET /v1/platforms HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
    const list = "POST /v2/tokens/list HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n";
    expect(await exchange(`${list}Content-Length: 2\r\n\r\n{}`)).toMatch(
      /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /,
    );
  });
});

test("a refused request for an offer leaves its id in the log, without its parameters", async () => {
  api.world.log.length = 0;
  const headers = { "x-request-id": "price-17" };
  await get(api, "/v1/1/price", { ...pair, toTokenAddress: LONELY }, headers);
  expect(api.world.log).toHaveLength(1);
  expect(api.world.log[0]).toMatch(/^no offer .*price-17.*NO_ROUTE/);
  expect(api.world.log[0]).not.toContain(LONELY);
  await get(api, "/v1/1/quote", { ...pair, slippage: "x" }, headers);
  expect(api.world.log[1]).toContain('"fields":["slippage"]');
  await get(api, "/nowhere", {}, headers);
  expect(api.world.log).toHaveLength(2);
});
