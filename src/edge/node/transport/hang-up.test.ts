import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { hangUp } from "./hang-up.ts";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** 2,000 frames that ask for an answer, each with as much as such a frame may have. */
const PINGS = Buffer.alloc(2_000 * 127, Buffer.concat([Buffer.from([0x89, 125]), Buffer.alloc(125)]));

const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** An open websocket, and the connection of its server, which says nothing and answers no close. */
async function connected(): Promise<{ ws: WebSocket; theirs: Duplex }> {
  const server = createServer();
  const upgraded = once(server, "upgrade");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const ws = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const opened = once(ws, "open");
  const [request, theirs] = (await upgraded) as [{ headers: Record<string, string> }, Duplex];
  const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
  theirs.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  );
  theirs.on("error", () => undefined);
  ends.push(() => {
    theirs.destroy();
    server.close();
  });
  await opened;
  return { ws, theirs };
}

test("the connection of a server that answers no close ends all the same", async () => {
  const { ws, theirs } = await connected();
  const closed = once(ws, "close");
  const ended = once(theirs.resume(), "end");
  hangUp(ws);
  await Promise.all([closed, ended]);
  expect(ws.readyState).toBe(WebSocket.CLOSED);
});

test("a server that sends pings and reads none of the answers is cut", async () => {
  const { ws, theirs } = await connected();
  const closed = once(ws, "close");
  let left = 200;
  const send = (): void => void (left-- > 0 && theirs.write(PINGS, send));
  theirs.pause();
  send();
  await closed;
  left = 0;
  expect(ws.readyState).toBe(WebSocket.CLOSED);
});

test("a server that reads the answers to its pings is kept", async () => {
  const { ws, theirs } = await connected();
  theirs.resume();
  for (let k = 0; k < 20; k++)
    await new Promise<void>((resolve) => void theirs.write(PINGS, () => resolve()));
  const message = once(ws, "message");
  theirs.write(Buffer.from([0x81, 1, 65]));
  expect(((await message)[0] as MessageEvent).data).toBe("A");
  hangUp(ws);
});
