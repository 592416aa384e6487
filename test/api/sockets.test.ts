import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectFailure, type Got, gotOf, queryOf } from "./ask.ts";
import { createWorld, USDC, WETH } from "./world.ts";

/** What only a real socket shows: limits of the parser, slow clients, browsers' questions. */

type TestWorld = Awaited<ReturnType<typeof createWorld>>;

let api: TestWorld;
let origin: string;
/** Gives up on slow clients at once; everybody else is asked elsewhere, so that a busy machine is not slow. */
let impatient: TestWorld;
let impatientOrigin: string;

beforeAll(async () => {
  const host = "127.0.0.1";
  api = await createWorld();
  origin = await api.app.listen({ host, port: 0 });
  impatient = await createWorld({ http: { requestTimeoutMs: 300, timeoutCheckMs: 50 } });
  impatientOrigin = await impatient.app.listen({ host, port: 0 });
});
afterAll(async () => {
  await api.app.close();
  await impatient.app.close();
});

/** Sends bytes as they are, and parses what comes until the server closes as one answer. */
const raw = async (bytes: string, to = origin): Promise<Got> => parse(await sent(bytes, to));

/** Sends bytes as they are and reads until the server closes. */
function sent(bytes: string, to = origin): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(to).port), "127.0.0.1");
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("utf8");
    });
    socket.on("close", () => resolve(text));
    socket.on("error", (error) => (text === "" ? reject(error) : resolve(text)));
    socket.write(bytes);
  });
}

function parse(text: string): Got {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  return gotOf(Number(first.split(" ")[1]), headers, text.slice(end + 4));
}

async function ask(path: string, init: RequestInit = {}): Promise<Got> {
  const response = await fetch(`${origin}${path}`, init);
  return gotOf(response.status, Object.fromEntries(response.headers), await response.text());
}

const close = "Host: x\r\nConnection: close\r\n";

describe("requests that never become one", () => {
  test("408: half a header", async () => {
    const head = "GET /v1/platforms HTTP/1.1\r\nHost: x\r\nX-Half: ";
    expectFailure(await raw(head, impatientOrigin), 408, "TIMEOUT");
  });

  test("408: a body that does not come", async () => {
    const head = `POST /v2/tokens/list HTTP/1.1\r\n${close}Content-Length: 100\r\n\r\n{"fil`;
    expectFailure(await raw(head, impatientOrigin), 408, "TIMEOUT");
  });

  test("413: a body that is announced too large, or comes too large in chunks", async () => {
    const announced = `POST /v2/tokens/list HTTP/1.1\r\n${close}Content-Length: 999999999\r\n\r\n`;
    expectFailure(await raw(announced), 413, "TOO_LARGE");
    const body = JSON.stringify({ filter: { names: ["x".repeat(300_000)] } });
    const stream = new Blob([body]).stream();
    const init = { method: "POST", body: stream, duplex: "half" } as RequestInit;
    expectFailure(await ask("/v2/tokens/list", init), 413, "TOO_LARGE");
  });

  test("414: a URL beyond the limit, and one beyond what the parser holds", async () => {
    expectFailure(await ask(`/v1/platforms?x=${"y".repeat(9_000)}`), 414, "TOO_LARGE");
    const got = await raw(`GET /v1/platforms?x=${"y".repeat(60_000)} HTTP/1.1\r\n${close}\r\n`);
    expectFailure(got, 414, "TOO_LARGE");
  });

  test("431: headers beyond the limit", async () => {
    const got = await raw(`GET /v1/platforms HTTP/1.1\r\n${close}X-Big: ${"y".repeat(60_000)}\r\n\r\n`);
    expectFailure(got, 431, "TOO_LARGE");
  });

  test.each([
    ["no HTTP at all", "hello there\r\n\r\n"],
    ["a method that nobody knows", `BREW /coffee HTTP/1.1\r\n${close}\r\n`],
    ["a broken header", `GET / HTTP/1.1\r\n${close}bad header\r\n\r\n`],
    ["two lengths", `POST / HTTP/1.1\r\n${close}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
  ])("400: %s", async (_name, text) => {
    expectFailure(await raw(text), 400, "VALIDATION");
  });

  test("a client that goes away takes nobody with it", async () => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    socket.write("POST /v2/tokens/list HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{");
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await ask("/livez")).status).toBe(200);
  });

  test("a client that resets its connection right after its request is no bug of the service", async () => {
    api.world.log.length = 0;
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    const isClosed = new Promise((resolve) => socket.on("close", resolve));
    socket.write("GET /v1/platforms HTTP/1.1\r\nHost: x\r\n\r\n", () => socket.resetAndDestroy());
    await isClosed;
    expect((await ask("/livez")).status).toBe(200);
    expect(api.world.log).toEqual([]);
  });
});

describe("paths and methods on the wire", () => {
  test("unknown path, unknown method, method that a framework does not know", async () => {
    expectFailure(await ask("/v1/nope"), 404, "NOT_FOUND");
    const got = await ask("/v1/platforms", { method: "DELETE" });
    expectFailure(got, 405, "METHOD_NOT_ALLOWED");
    expect(got.headers.allow).toBe("GET, HEAD, OPTIONS");
    const propfind = await raw(`PROPFIND /v1/platforms HTTP/1.1\r\n${close}\r\n`);
    expectFailure(propfind, 405, "METHOD_NOT_ALLOWED");
    expectFailure(await raw(`PROPFIND /nope HTTP/1.1\r\n${close}\r\n`), 404, "NOT_FOUND");
    expectFailure(await raw(`QUERY /nope HTTP/1.1\r\n${close}\r\n`), 404, "NOT_FOUND");
  });

  test("HEAD answers the headers alone", async () => {
    const got = await ask("/v1/platforms", { method: "HEAD" });
    expect([got.status, got.text, Number(got.headers["content-length"]) > 0]).toEqual([200, "", true]);
    expect((await ask("/nope", { method: "HEAD" })).status).toBe(404);
  });

  test("HEAD opens no stream: the connection answers the next request", async () => {
    const query = queryOf({ fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000" });
    const head = `HEAD /v1/1/price/stream?${query} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answers = await sent(`${head}GET /livez HTTP/1.1\r\n${close}\r\n`);
    expect(answers.match(/^HTTP\/1\.1 \d+|^allow: .*/gm)).toEqual([
      "HTTP/1.1 405",
      "allow: GET, OPTIONS",
      "HTTP/1.1 200",
    ]);
  });

  test("bad percent-encoding: 400 in the path, text like any other in the query", async () => {
    expectFailure(await raw(`GET /v1/%zz/price HTTP/1.1\r\n${close}\r\n`), 400, "VALIDATION");
    expectFailure(await raw(`GET /v1/1/price?amount=%zz HTTP/1.1\r\n${close}\r\n`), 400, "VALIDATION");
    expect((await raw(`GET /v1/platforms?%zz=%zz HTTP/1.1\r\n${close}\r\n`)).status).toBe(200);
  });

  test("a query named __proto__ or constructor is an unknown parameter like any other", async () => {
    const query = queryOf({ fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000" });
    const got = await ask(`/v1/1/price?${query}&__proto__=1&__proto__[amount]=2&constructor=3`);
    expect(got.status).toBe(200);
  });

  test("CORS: the browser's question, its request, and the headers it may read", async () => {
    const preflight = await ask("/v1/1/price", {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "x-api-key,content-type",
      },
    });
    expect([preflight.status, preflight.text]).toEqual([204, ""]);
    expect(preflight.headers["access-control-allow-origin"]).toBe("*");
    expect(preflight.headers["access-control-allow-methods"]).toBe("GET, POST, OPTIONS");
    const allowed = String(preflight.headers["access-control-allow-headers"]).toLowerCase();
    for (const header of ["x-api-key", "authorization", "content-type", "accept", "last-event-id"]) {
      expect(allowed).toContain(header);
    }
    const got = await ask("/v1/platforms", { headers: { origin: "https://app.example" } });
    expect(got.headers["access-control-allow-origin"]).toBe("*");
    const exposed = String(got.headers["access-control-expose-headers"]).toLowerCase();
    for (const header of ["ratelimit-remaining", "retry-after", "x-request-id"])
      expect(exposed).toContain(header);
  });

  test("a GET with a content type and without a body is fine", async () => {
    for (const type of ["application/json", "text/plain;charset=UTF-8", "nonsense"]) {
      expect((await ask("/v1/platforms", { headers: { "content-type": type } })).status).toBe(200);
    }
  });
});

describe("the end", () => {
  test("a draining service answers, closes and is not ready", async () => {
    const ending = await createWorld();
    const url = await ending.app.listen({ host: "127.0.0.1", port: 0 });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    void ending.drain(60_000, 0);
    const platforms = await fetch(`${url}/v1/platforms`);
    expect([platforms.status, platforms.headers.get("connection")]).toEqual([200, "close"]);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    await ending.app.close();
  });

  test("a request in work is answered while the service closes", async () => {
    const ending = await createWorld();
    const url = await ending.app.listen({ host: "127.0.0.1", port: 0 });
    let release = () => {};
    ending.world.hold = new Promise((resolve) => {
      release = resolve;
    });
    const query = queryOf({ fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000" });
    const answer = fetch(`${url}/v1/1/price?${query}`);
    await expect
      .poll(async () => JSON.parse(await (await fetch(`${url}/health`)).text()).searches_running)
      .toBe(1);
    const closed = ending.drain(0, 5_000).then(() => ending.app.close());
    release();
    const { status, headers } = await answer;
    expect([status, headers.get("connection")]).toEqual([200, "close"]);
    await closed;
  });
});
