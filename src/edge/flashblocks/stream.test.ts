import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { brotliCompressSync } from "node:zlib";
import pino from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { binaryFrame, readFrames, textFrame } from "../../../test/chain/node/frames.ts";
import type { Partial } from "./partial.ts";
import { openFlashblocks } from "./stream.ts";

/** The stream over real sockets: forms of messages, invalid messages, and the end of the connection. */

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const MOST_BYTES = 10_000;

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function serve() {
  const sockets: Duplex[] = [];
  const texts: string[] = [];
  const server: Server = createServer();
  server.on("upgrade", (request, socket) => {
    const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    socket.on("error", () => undefined);
    readFrames(socket, (text) => texts.push(text));
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const taken: Partial[] = [];
  let losses = 0;
  const stream = openFlashblocks({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    preview: { take: (partial) => void taken.push(partial), lose: () => void losses++ },
    maxBytes: MOST_BYTES,
    log: pino({ level: "silent" }),
  });
  stream.start();
  ends.push(stream.stop, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await vi.waitUntil(() => texts.length > 0, { timeout: 10_000 });
  return { sockets, texts, taken, stream, losses: () => losses };
}

const piece = (index: number, filling = "") =>
  JSON.stringify({
    payload_id: "0x01",
    index,
    diff: { transactions: [] },
    metadata: { receipts: {}, filling },
  });
const indexes = (taken: readonly Partial[]) => taken.map(({ index }) => index);

test("text, binary and packed messages are taken; the subscription is asked for; answers to it are no pieces", async () => {
  const { sockets, texts, taken, losses } = await serve();
  expect(JSON.parse(texts[0]!)).toMatchObject({ method: "eth_subscribe", params: ["newFlashblocks"] });
  const [socket] = sockets as [Duplex];
  socket.write(textFrame('{"jsonrpc":"2.0","id":1,"result":"0x9"}'));
  socket.write(textFrame(piece(0)));
  socket.write(binaryFrame(Buffer.from(piece(1))));
  socket.write(binaryFrame(brotliCompressSync(piece(2))));
  await vi.waitUntil(() => taken.length === 3, { timeout: 10_000 });
  expect(indexes(taken)).toEqual([0, 1, 2]);
  expect(losses()).toBe(0);
});

test("a message that cannot be unpacked, or would be too large, is a loss and takes no memory", async () => {
  const { sockets, taken, losses } = await serve();
  const [socket] = sockets as [Duplex];
  socket.write(binaryFrame(Buffer.from([1, 2, 3])));
  socket.write(binaryFrame(brotliCompressSync(piece(1, "x".repeat(50 * MOST_BYTES)))));
  socket.write(textFrame(piece(2, "x".repeat(MOST_BYTES))));
  socket.write(textFrame(piece(3)));
  await vi.waitUntil(() => taken.length === 1, { timeout: 10_000 });
  expect(indexes(taken)).toEqual([3]);
  expect(losses()).toBe(3);
});

test("a connection that is cut is a loss, and is opened again", async () => {
  const { sockets, taken, losses } = await serve();
  sockets[0]!.destroy();
  await vi.waitUntil(() => sockets.length === 2, { timeout: 10_000 });
  expect(losses()).toBe(1);
  sockets[1]!.write(textFrame(piece(5)));
  await vi.waitUntil(() => taken.length === 1, { timeout: 10_000 });
  expect(indexes(taken)).toEqual([5]);
});

test("a connection that falls silent is replaced, even if the other side never closes it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  ends.push(() => vi.useRealTimers());
  const { sockets, losses } = await serve();
  sockets[0]!.removeAllListeners("data").pause();
  await vi.advanceTimersByTimeAsync(16_000);
  await vi.waitUntil(() => sockets.length === 2, { timeout: 10_000 });
  expect(losses()).toBe(1);
});

test("stopping ends the connection", async () => {
  const { sockets, stream } = await serve();
  const ended = new Promise<void>((resolve) => sockets[0]!.once("close", resolve));
  await stream.stop();
  await ended;
});
