import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import { signRequest } from "../wire/signed-request.ts";
import { openPushListener, type PushLimits, type PushListener } from "./listener.ts";

const SECRET = "the secret of Alpha";
const log = pino({ level: "silent" });

let listener: PushListener | undefined;
const sockets: Socket[] = [];
const agents: Agent[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const agent of agents.splice(0)) agent.destroy();
  await listener?.close();
});

let lastTimestamp = 1_700_000_000_000;

async function open(limits: Partial<PushLimits>, trustedProxies = 0): Promise<void> {
  listener = await openPushListener({
    ...{ host: "127.0.0.1", port: 0, limits, trustedProxies, log },
    pushers: [{ name: "Alpha", secret: SECRET, push: () => undefined }],
    unixMs: () => lastTimestamp,
    monotonicMs: () => 0,
  });
}

type Dialled = {
  readonly socket: Socket;
  /** All data that was received until the server closed the connection. */
  readonly said: Promise<string>;
};

/** A connection that sends `text` and then nothing more. */
async function dial(text = ""): Promise<Dialled> {
  const socket = connect(listener!.port, "127.0.0.1");
  sockets.push(socket);
  const said = new Promise<string>((resolve) => {
    let all = "";
    socket.on("data", (part) => (all += part));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(all));
  });
  await once(socket, "connect");
  if (text !== "") socket.write(text);
  return { socket, said };
}

/** An HTTP agent that keeps one connection open, as a maker does. */
function maker() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

type Sent = { agent?: Agent; secret?: string; headers?: Record<string, string> };

/** Pushes signed levels. @returns the status and the body */
async function push({ agent = maker(), secret = SECRET, headers = {} }: Sent = {}) {
  const body = "{}";
  const timestamp = String(++lastTimestamp);
  const signature = signRequest({ secret, timestamp, line: "POST /levels", body });
  const signed = { "x-braid-timestamp": timestamp, "x-braid-signature": signature };
  const sending = request({
    ...{ agent, port: listener!.port, path: "/levels", method: "POST" },
    headers: { "x-braid-maker": "Alpha", ...signed, ...headers },
  });
  sending.end(body);
  const [response] = await once(sending, "response");
  let text = "";
  for await (const part of response) text += part;
  return { status: response.statusCode as number, text };
}

const QUICK = { requestMs: 60, checkMs: 10 };
const HEAD = "POST /levels HTTP/1.1\r\nhost: x\r\nx-braid-maker: Alpha\r\n";

test.each<[string, string]>([
  ["says nothing", ""],
  ["stops within the first line", "POST /lev"],
  ["stops within a header", `${HEAD}x-slow: `],
  ["stops within the body", `${HEAD}content-length: 100\r\n\r\n{`],
])("who %s is told so and closed", async (_what, text) => {
  await open(QUICK);
  const { said } = await dial(text);
  expect(await said).toMatch(/^HTTP\/1.1 408 [\s\S]*connection: close[\s\S]*request: not whole after 60 ms/);
});

test("who sends a byte from time to time is closed as well", async () => {
  await open(QUICK);
  const { socket, said } = await dial(`${HEAD}content-length: 100000\r\n\r\n`);
  const dripping = setInterval(() => socket.write("1"), 5);
  expect(await said).toMatch(/^HTTP\/1.1 408 /);
  clearInterval(dripping);
});

test.each<[string, string, RegExp]>([
  [
    "a body that says it is too large, of which nothing is read",
    `${HEAD}content-length: 300000\r\n\r\n`,
    /413 [\s\S]*body: 300000 bytes, more than 262144/,
  ],
  [
    "a body in chunks that is too large",
    `${HEAD}transfer-encoding: chunked\r\n\r\n50000\r\n${"1".repeat(0x50000)}\r\n`,
    /413 [\s\S]*body: \d+ bytes so far, more than 262144/,
  ],
  ["headers that are too large", `${HEAD}x-long: ${"1".repeat(9_000)}\r\n\r\n`, /431 [\s\S]*headers: more/],
  ["what is no HTTP", "hello\r\n\r\n", /400 [\s\S]*request: no HTTP that can be read/],
])("%s is refused by name, and the connection ends", async (_what, text, answer) => {
  await open({});
  expect(await (await dial(text)).said).toMatch(answer);
});

test("the oldest connection that nobody signed on makes room, and a maker's own stays", async () => {
  await open({ connectionsOfAddress: 3 });
  const agent = maker();
  expect((await push({ agent })).status).toBe(204);
  const silent: Dialled[] = [];
  for (let k = 0; k < 5; k++) silent.push(await dial());
  expect(await Promise.all([silent[0]!.said, silent[1]!.said])).toEqual(["", ""]);
  expect((await push({ agent })).status).toBe(204);
  expect((await push()).status).toBe(204);
  expect(silent.slice(3).map(({ socket }) => socket.readyState)).toEqual(["open", "open"]);
});

test("the oldest connection of a maker makes room for its next one", async () => {
  await open({ connectionsOfMaker: 2 });
  const agents = [maker(), maker(), maker()];
  const begun: Socket[] = [];
  for (const agent of agents) {
    agent.on("free", (socket: Socket) => begun.push(socket));
    expect((await push({ agent })).status).toBe(204);
  }
  await expect.poll(() => begun.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  expect((await push({ agent: agents[0]! })).status).toBe(204);
});

test("behind a proxy connections are bounded in all, and the oldest makes room there too", async () => {
  await open({ connections: 4 }, 1);
  const silent: Dialled[] = [];
  for (let k = 0; k < 6; k++) silent.push(await dial());
  expect(await Promise.all([silent[0]!.said, silent[1]!.said])).toEqual(["", ""]);
  expect((await push()).status).toBe(204);
});

test("an address that was refused too often is refused unread; a maker that has signed is heard there", async () => {
  await open({ refusalsAMinute: 3 });
  const agent = maker();
  expect((await push({ agent })).status).toBe(204);
  const statuses: number[] = [];
  for (let k = 0; k < 4; k++) statuses.push((await push({ secret: "somebody else's secret" })).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect(await push({ headers: { "x-braid-maker": "Gamma" } })).toEqual({
    status: 429,
    text: JSON.stringify({ error: "address: 127.0.0.1: more than 3 refused requests in a minute" }),
  });
  expect((await push({ agent })).status).toBe(204);
});

test("behind a proxy each caller has its own limit, by the entry that the proxy wrote", async () => {
  await open({ refusalsAMinute: 1 }, 1);
  const from = (address: string, secret?: string) =>
    push({ headers: { "x-forwarded-for": address }, ...(secret === undefined ? {} : { secret }) });
  const statuses = [
    (await from("203.0.113.9, 198.51.100.7", "not the secret")).status,
    (await from("203.0.113.8, 198.51.100.7")).status,
    (await from("198.51.100.7, 203.0.113.9")).status,
  ];
  expect(statuses).toEqual([401, 429, 204]);
});

test("behind a proxy a connection on which a maker has pushed frees no other caller from the limit", async () => {
  await open({ refusalsAMinute: 1 }, 1);
  const agent = maker();
  const from = (address: string, secret?: string) =>
    push({ agent, headers: { "x-forwarded-for": address }, ...(secret === undefined ? {} : { secret }) });
  const statuses = [
    (await from("203.0.113.9")).status,
    (await from("203.0.113.9", "not the secret")).status,
    (await from("203.0.113.9", "not the secret")).status,
    (await from("198.51.100.7", "not the secret")).status,
    (await from("198.51.100.7")).status,
    (await from("203.0.113.9")).status,
  ];
  expect(statuses).toEqual([204, 401, 401, 401, 429, 204]);
});
