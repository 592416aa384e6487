import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { readFrames, textFrame } from "../../../../test/chain/node/frames.ts";
import { openSocket } from "./socket.ts";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const REQUEST = { jsonrpc: "2.0", id: 7, method: "eth_chainId", params: [] };
const ANSWER = { jsonrpc: "2.0", id: 7, result: "0x1" };

const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A client of a server that answers each message by these texts, one after the other. */
async function clientOf(texts: readonly string[]) {
  const sockets: Duplex[] = [];
  const server = createServer();
  server.on("upgrade", (request, socket) => {
    const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    socket.on("error", () => undefined);
    sockets.push(socket);
    readFrames(socket, () => {
      for (const text of texts) socket.write(textFrame(text));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const pushed: unknown[] = [];
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openSocket(url, 1_000_000, {
    onWake: (head) => void pushed.push(head),
    onDrop: () => undefined,
  });
  ends.push(client.close, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { client, pushed };
}

test.each(["null", "5", '"text"', "[]", "{}", '{"id":null,"result":1}', '{"method":"eth_notice"}'])(
  "a message %s, which answers nothing, is passed over",
  async (text) => {
    const { client } = await clientOf([text, JSON.stringify(ANSWER)]);
    expect(await client.post(REQUEST, 30_000)).toEqual(ANSWER);
  },
);

test.each([undefined, null, 5, {}])(
  "a notification with the parameters %s wakes, and no more",
  async (params) => {
    const notice = JSON.stringify({ method: "eth_subscription", params });
    const { client, pushed } = await clientOf([notice, JSON.stringify(ANSWER)]);
    expect(await client.post(REQUEST, 30_000)).toEqual(ANSWER);
    expect(pushed).toEqual([undefined]);
  },
);

const NESTED = `{"id":7,"result":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;

test.each([
  ["not JSON", "<html>"],
  ["large and nested without end", NESTED],
])("a message that is %s ends the connection", async (_what, text) => {
  const { client } = await clientOf([text, JSON.stringify(ANSWER)]);
  await expect(client.post(REQUEST, 30_000)).rejects.toMatchObject({ kind: "transport" });
});
