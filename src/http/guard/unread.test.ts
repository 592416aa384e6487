import { connect, type Socket } from "node:net";
import fastify from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import type { App } from "../app-types.ts";
import { registerUnread } from "./unread.ts";

const TIMEOUT_MS = 50;
/** More than the buffers of both sockets take. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let app: App;
let client: Socket;
afterEach(async () => {
  client.destroy();
  await app.close();
});

/** A server whose only route waits for `ready` and then answers `body`. */
async function serve(body: Buffer, ready: Promise<void> = Promise.resolve()): Promise<number> {
  app = fastify({ keepAliveTimeout: 60_000, forceCloseConnections: true }) as unknown as App;
  registerUnread(app, TIMEOUT_MS);
  app.get("/", async (_request, reply) => {
    await ready;
    return reply.send(body) as never;
  });
  return Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
}

/** Sends a request and does not read its response. */
function ask(port: number): void {
  client = connect(port, "127.0.0.1")
    .pause()
    .on("error", () => undefined);
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
}

const closed = (): Promise<void> =>
  new Promise((resolve) => {
    app.server.once("connection", (socket) => socket.once("close", () => resolve()));
  });

test("a client that does not read its response is disconnected", async () => {
  const port = await serve(LARGE);
  const end = closed();
  ask(port);
  await end;
});

test("a request whose response takes longer than the limit is answered, and its connection stays", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const port = await serve(Buffer.from("late"), promise);
  let timeouts = 0;
  app.server.on("connection", (socket) => socket.prependListener("timeout", () => timeouts++));
  ask(port);
  await vi.waitFor(() => expect(timeouts).toBe(1), { timeout: 10_000 });
  resolve();
  let text = "";
  client.on("data", (data) => (text += data)).resume();
  await vi.waitFor(() => expect(text).toContain("late"), { timeout: 10_000 });
  expect(client.closed).toBe(false);
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await vi.waitFor(() => expect(text.match(/late/g)).toHaveLength(2), { timeout: 10_000 });
});
