import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { httpPost } from "./http.ts";

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function listening(server: Pick<Server, "listen" | "address" | "close" | "once">): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (answer: RequestListener) => listening(createServer(answer));
/** A server that answers each request with what `answer` writes, byte by byte. */
const serveRaw = (answer: (socket: Socket, request: number) => void) => {
  let requests = 0;
  return listening(
    createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", () => answer(socket, ++requests));
    }) as unknown as Server,
  );
};
const written = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

const ANSWER = { jsonrpc: "2.0", id: 1, result: "0x1" };
const ask = (url: string, maxBytes = 1_000) => httpPost(url, maxBytes)({ id: 1 }, 2_000);

test("an answer is read, compressed or not, and what is asked arrives with its length", async () => {
  const seen: unknown[] = [];
  const url = await serve((request, response) => {
    request.on("data", (body) => seen.push([request.headers["content-length"], String(body)]));
    const isFirst = seen.length === 0;
    request.on("end", () => {
      if (!isFirst) return void response.end(JSON.stringify(ANSWER));
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync(JSON.stringify(ANSWER)));
    });
  });
  const post = httpPost(url, 1_000);
  expect([await post({ id: 1 }, 2_000), await post({ id: 2 }, 2_000)]).toEqual([ANSWER, ANSWER]);
  expect(seen).toEqual([
    ["8", '{"id":1}'],
    ["8", '{"id":2}'],
  ]);
});

test("a large answer that is nested without end is refused unread", async () => {
  const nested = `{"result":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
  const url = await serve((_request, response) => {
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync(nested));
  });
  await expect(ask(url, 3_000_000)).rejects.toMatchObject({ kind: "transport" });
});

test("a user and a password are sent as basic auth", async () => {
  const url = await serve((request, response) =>
    response.end(JSON.stringify({ result: request.headers.authorization })),
  );
  const answer = await ask(url.replace("//", "//us%40er:pa%3Ass@"));
  expect(answer).toEqual({ result: `Basic ${Buffer.from("us@er:pa:ss").toString("base64")}` });
});

test("an answer over the bound is refused as a range, also where only its decompressed form is", async () => {
  const long = JSON.stringify({ result: "0".repeat(5_000) });
  const plain = await serve((_request, response) => response.end(long));
  const packed = await serve((_request, response) => {
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync(long));
  });
  for (const url of [plain, packed]) await expect(ask(url)).rejects.toMatchObject({ kind: "range" });
  expect(await ask(plain, 10_000)).toEqual(JSON.parse(long));
});

const encoded = (encoding: string, body: Buffer | string) =>
  serve((_request, response) => {
    response.setHeader("content-encoding", encoding);
    response.end(body);
  });

test.each([
  ["a redirect", () => serve((_request, response) => response.writeHead(301, { location: "/" }).end())],
  ["a page", () => serve((_request, response) => response.end("<html>"))],
  ["an encoding that was not asked for", () => encoded("br", brotliCompressSync(JSON.stringify(ANSWER)))],
  ["bytes that are not gzip", () => encoded("gzip", JSON.stringify(ANSWER))],
  ["half of a gzip", () => encoded("gzip", gzipSync(JSON.stringify(ANSWER)).subarray(0, 30))],
  ["half of a body", () => serveRaw((socket) => socket.end(written(JSON.stringify(ANSWER)).slice(0, 60)))],
  [
    "another protocol",
    () =>
      serveRaw((socket) =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
      ),
  ],
  ["no HTTP", () => serveRaw((socket) => socket.write("SSH-2.0-OpenSSH_9.2\r\n"))],
  ["a connection that is closed", () => serveRaw((socket) => socket.destroy())],
])("%s is no usable answer", async (_what, start) => {
  await expect(ask(await start())).rejects.toMatchObject({ kind: "transport" });
});

test("nobody there, an answer that stops and a signal end the wait", async () => {
  await expect(ask("http://127.0.0.1:1")).rejects.toMatchObject({
    kind: "transport",
    message: "connection failed",
  });
  const stopping = await serveRaw((socket) => socket.write(written(JSON.stringify(ANSWER)).slice(0, 60)));
  await expect(httpPost(stopping, 1_000)({}, 100)).rejects.toThrow("no answer within 100 ms");
  const aborting = new AbortController();
  const waiting = httpPost(stopping, 1_000)({}, 5_000, aborting.signal);
  setTimeout(() => aborting.abort(), 50);
  await expect(waiting).rejects.toThrow("connection failed");
  await expect(httpPost(stopping, 1_000)({}, 5_000, aborting.signal)).rejects.toThrow("connection failed");
});

test("a request over a connection that its server closes as it is used again is sent once more", async () => {
  const url = await serveRaw((socket, request) =>
    request === 2 ? socket.resetAndDestroy() : socket.write(written(JSON.stringify({ result: request }))),
  );
  const post = httpPost(url, 1_000);
  expect(await post({}, 2_000)).toEqual({ result: 1 });
  expect(await post({}, 2_000)).toEqual({ result: 3 });
});

test("a limit keeps the time that it asks to wait", async () => {
  const url = await serve((_request, response) => response.writeHead(429, { "retry-after": "7" }).end("{}"));
  await expect(ask(url)).rejects.toMatchObject({ kind: "rate-limit", retryAfterMs: 7_000 });
});
