import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { App } from "../app-types.ts";
import { createDrain, type Drain } from "./drain.ts";
import { createGate, type Gate } from "./gate.ts";

/** More connections than shutdown takes event loop turns, each of which accepts one connection. */
const MANY = 400;
const GRACE_MS = 20_000;
/** A delay that no test waits out: a shutdown that waits for it makes the test time out. */
const LONG_MS = 3_600_000;
/** A delay that tests wait out, and within which they ask again. */
const DELAY_MS = 2_000;

let server: Server;
let port: number;
let drain: Drain;
let gate: Gate;
const sockets = new Set<Socket>();

beforeEach(async () => {
  type Hook = Parameters<App["addHook"]>[1] &
    ((request: object, reply: object, done: (refusal?: Error) => void) => void);
  const hooks: Hook[] = [];
  server = createServer((request, response) => {
    const reply = (refusal?: Error) => response.end(refusal?.name ?? (drain.begun() ? "ending" : "on"));
    response.setHeader("connection", "close");
    for (const hook of hooks) hook(request, response, reply);
  });
  const app = { server, addHook: (_name: string, hook: Hook) => hooks.push(hook) } as unknown as App;
  gate = createGate(1);
  drain = createDrain(app, gate);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server.close();
});

function open(): Socket {
  const socket = connect(port, "127.0.0.1");
  sockets.add(socket);
  return socket;
}

/** @returns the body of the response, or the code of the socket error */
function ask(socket = open()): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    socket.on("close", () => resolve(text.split("\r\n\r\n")[1] ?? "nothing"));
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  });
}

test("connections that wait to be accepted when the port is to be closed are accepted and answered", async () => {
  const asked = Array.from({ length: MANY }, () => ask());
  // The connections are now in the kernel's accept queue, and the server has not accepted them yet.
  await new Promise((resolve) => setImmediate(resolve));
  const over = drain.run(0, GRACE_MS);
  const answers = await Promise.all(asked);
  expect(answers.filter((answer) => !["on", "ending"].includes(answer))).toEqual([]);
  await over;
  expect(await ask()).toBe("ECONNREFUSED");
});

test("whoever is between two connections is not taken to have left", async () => {
  const first = open();
  await once(server, "connection");
  const over = drain.run(DELAY_MS, GRACE_MS);
  first.destroy();
  await wait(200);
  expect(await ask()).toContain("ending");
  await over;
  expect(server.listening).toBe(false);
});

test("a client that opens a connection for each request has the delay, though none is open when the end begins", async () => {
  expect(await ask()).toBe("on");
  const over = drain.run(DELAY_MS, GRACE_MS);
  await wait(200);
  expect(await ask()).toContain("ending");
  await over;
  expect(server.listening).toBe(false);
});

test("nobody connected is no reason to wait", async () => {
  await drain.run(LONG_MS, GRACE_MS);
  expect(server.listening).toBe(false);
});

test("where the searches in work do not end, requests that wait behind them are refused and not cut off", async () => {
  let finish: () => void = () => undefined;
  const search = gate.run(
    "somebody",
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const first = open();
  await once(server, "connection");
  const over = drain.run(0, GRACE_MS);
  await wait(50);
  expect(await ask(first)).toBe("BraidError");
  finish();
  await Promise.all([search, over]);
});
