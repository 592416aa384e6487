import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { readFrames, textFrame } from "./frames.ts";
import { createLimiter, refuse } from "./limiter.ts";
import { type Profile, profileOf } from "./profiles.ts";
import { bent, type Fault, spoil } from "./spoil.ts";

/** What a node serves: a chain by its blocks, and the answers to requests. */
export type Served<B> = {
  tip(): B;
  at(number: number): B | undefined;
  /** The newest header as a subscription tells it. */
  pushed?(): object;
  /** @param head what the node takes for the newest block; throws what becomes the error object */
  answer(method: string, params: readonly unknown[], head?: B): unknown;
};

export type Traffic = {
  /** HTTP bodies and websocket messages. */
  requests: number;
  /** Requests in them. */
  items: number;
  /** Items that were refused for their number. */
  limited: number;
  bytesIn: number;
  bytesOut: number;
};

export type FakeNode = {
  readonly url: string;
  /** The same by an address that does not look like one of this machine, which clients treat otherwise. */
  readonly farUrl: string;
  readonly wsUrl: string;
  fault: Fault;
  /** Blocks behind the chain's tip. */
  lag: number;
  /** Further blocks behind of the machines that a balancer asks in turn; empty where one machine answers everything. */
  balanced: readonly number[];
  /** Items by method. */
  readonly asked: Map<string, number>;
  readonly traffic: Traffic;
  /** Milliseconds that a method takes, beside the profile's. */
  readonly slow: Map<string, number>;
  /** Whether new heads are pushed to subscribers. */
  pushes: boolean;
  push(): void;
  /** Cuts every websocket. */
  cut(): void;
  /** Leaves every websocket open and never reads it again, as where a router on the way forgot the connection. */
  freeze(): void;
  close(): Promise<void>;
};

type Body = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
type State = Pick<FakeNode, "fault" | "lag" | "balanced" | "slow" | "pushes" | "asked" | "traffic">;

type Service<B> = {
  readonly chain: Served<B>;
  readonly state: State;
  readonly profile: Profile;
  readonly limiter: ReturnType<typeof createLimiter>;
};

export type NodeOptions = {
  readonly port?: number;
  readonly profile?: Profile;
  /** Answers requests of other paths than "/": true where it did. */
  readonly control?: (request: IncomingMessage, response: ServerResponse) => boolean;
};

/** A node of a fake chain on a real socket of the loopback interface. */
export async function startFakeNode<B extends { readonly number: number }>(
  chain: Served<B>,
  { port = 0, profile = profileOf("local"), control }: NodeOptions = {},
): Promise<FakeNode> {
  const sockets = new Set<Duplex>();
  const state: State = {
    fault: "none",
    lag: 0,
    balanced: [],
    slow: new Map(),
    pushes: true,
    asked: new Map(),
    traffic: { requests: 0, items: 0, limited: 0, bytesIn: 0, bytesOut: 0 },
  };
  const service: Service<B> = { chain, state, profile, limiter: createLimiter(profile) };
  const server = createServer((request, response) => {
    if (request.url !== "/" && control?.(request, response) === true) return;
    serve(service, request, response).catch(() => response.destroy());
  });
  server.on("upgrade", (request, socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    accept(request, socket);
    readFrames(socket, (text) => void overSocket(service, socket, text));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const node: Omit<FakeNode, keyof State> = {
    url: `http://${host}`,
    farUrl: `http://${host.replace("127.0.0.1", "[::ffff:127.0.0.1]")}`,
    wsUrl: `ws://${host}`,
    push() {
      const params = { subscription: "0x1", result: chain.pushed?.() ?? {} };
      const message = JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params });
      if (state.pushes) for (const socket of sockets) socket.write(textFrame(message));
    },
    freeze() {
      for (const socket of sockets) socket.removeAllListeners("data").pause();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return Object.assign(state, node);
}

async function serve<B extends { readonly number: number }>(
  service: Service<B>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const { state, profile, limiter } = service;
  const body = JSON.parse(bytes.toString("utf8")) as Body | readonly Body[];
  const items = Array.isArray(body) ? body.length : 1;
  state.traffic.requests++;
  state.traffic.items += items;
  state.traffic.bytesIn += bytes.length;
  if (spoil(state.fault, response)) return;
  await held(Math.max(profile.latencyMs, ...slowness(state, body)));
  response.setHeader("content-type", "application/json");
  const waitMs = limiter.take(items);
  if (waitMs > 0) {
    state.traffic.limited += items;
    refuse({ profile, response, waitMs }, body);
    return;
  }
  const text = JSON.stringify(answerAll(service, body));
  state.traffic.bytesOut += text.length;
  response.end(text);
}

/** A timer of 0 ms would take a millisecond. */
async function held(ms: number): Promise<void> {
  if (ms > 0) await wait(ms);
}

/** Milliseconds that the slow ones of the requests take. */
function slowness({ slow }: State, body: Body | readonly Body[]): number[] {
  return (Array.isArray(body) ? body : [body]).map(({ method }: Body) => slow.get(method) ?? 0);
}

async function overSocket<B extends { readonly number: number }>(
  service: Service<B>,
  socket: Duplex,
  text: string,
): Promise<void> {
  const { state, profile, limiter } = service;
  state.traffic.requests++;
  state.traffic.items++;
  state.traffic.bytesIn += text.length;
  if (state.fault === "hang") return;
  if (state.fault === "reset") {
    socket.destroy();
    return;
  }
  const body = JSON.parse(text) as Body;
  await held(Math.max(profile.latencyMs, ...slowness(state, body)));
  const isOver = limiter.take(1) > 0;
  if (isOver) state.traffic.limited++;
  const answer = isOver
    ? { jsonrpc: "2.0", id: body.id, error: { code: 429, message: profile.limitMessage } }
    : answerOne(service, body);
  const out = JSON.stringify(answer);
  state.traffic.bytesOut += out.length;
  socket.write(textFrame(out));
}

function answerAll<B extends { readonly number: number }>(
  service: Service<B>,
  body: Body | readonly Body[],
): unknown {
  const { state, profile } = service;
  if (!Array.isArray(body)) return answerOne(service, body as Body);
  if (state.fault === "no-batch") {
    return { jsonrpc: "2.0", id: null, error: { code: -32600, message: "batches are not allowed" } };
  }
  if (body.length > profile.maxBatch) return { jsonrpc: "2.0", id: null, error: profile.batchError };
  // Nodes may answer in any order.
  return (body as readonly Body[]).map((one) => answerOne(service, one)).reverse();
}

function answerOne<B extends { readonly number: number }>(
  { chain, state }: Service<B>,
  { id, method, params }: Body,
): unknown {
  state.asked.set(method, (state.asked.get(method) ?? 0) + 1);
  const error = (facts: unknown) => ({ jsonrpc: "2.0", id, error: facts });
  if (state.fault === "limit-code") return error({ code: -32005, message: "daily request count exceeded" });
  const behind = state.balanced[state.traffic.requests % state.balanced.length] ?? 0;
  const head = chain.at(Math.max(0, chain.tip().number - state.lag - behind)) as B;
  try {
    return {
      jsonrpc: "2.0",
      id,
      result: bent(state.fault, method, chain.answer(method, params ?? [], head)),
    };
  } catch (failure) {
    if (failure instanceof Error)
      return error({ code: -32603, message: `internal error: ${failure.message}` });
    return error(failure);
  }
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

function accept(request: IncomingMessage, socket: Duplex): void {
  const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  );
}
