import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Block, FakeChain } from "./fake-chain.ts";
import { readFrames, textFrame } from "./frames.ts";

/** How a node misbehaves. */
export type Fault =
  | "none"
  | "http-500"
  | "reset"
  | "html"
  | "429-text"
  | "429-json"
  | "limit-code"
  | "hang"
  | "garbage"
  | "huge"
  /** Logs of a block asked for by hash are always none. */
  | "empty-logs"
  /** Batches are refused with one error object. */
  | "no-batch";

export type FakeNode = {
  readonly url: string;
  readonly wsUrl: string;
  fault: Fault;
  /** Blocks behind the chain's tip. */
  lag: number;
  /** Requests by method. */
  readonly asked: Map<string, number>;
  /** Whether new heads are pushed to subscribers. */
  pushes: boolean;
  push(): void;
  /** Cuts every websocket. */
  cut(): void;
  close(): Promise<void>;
};

type Body = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** A node of a fake chain on a real socket of the loopback interface. */
export async function startFakeNode(chain: FakeChain, port = 0): Promise<FakeNode> {
  const sockets = new Set<Duplex>();
  const state = { fault: "none" as Fault, lag: 0, pushes: true, asked: new Map<string, number>() };
  const server = createServer((request, response) => {
    serve(request, response, (body) => answerAll(chain, state, body)).catch(() => response.destroy());
  });
  server.on("upgrade", (request, socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    accept(request, socket);
    readFrames(socket, (text) => {
      if (state.fault === "hang") return;
      if (state.fault === "reset") socket.destroy();
      else socket.write(textFrame(JSON.stringify(answerOne(chain, state, JSON.parse(text) as Body))));
    });
  });
  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
    respond: (body: unknown) => unknown,
  ): Promise<void> => {
    let text = "";
    for await (const part of request) text += part;
    if (spoil(state.fault, response)) return;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(respond(JSON.parse(text))));
  };
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const node: Omit<FakeNode, keyof typeof state> = {
    url: `http://${host}`,
    wsUrl: `ws://${host}`,
    push() {
      const params = { subscription: "0x1", result: {} };
      const message = JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params });
      if (state.pushes) for (const socket of sockets) socket.write(textFrame(message));
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

/** Answers in place of the node; false where the fault does not concern the transport. */
function spoil(fault: Fault, response: ServerResponse): boolean {
  switch (fault) {
    case "http-500":
      response.writeHead(500).end("Internal Server Error");
      return true;
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Maintenance</body></html>");
      return true;
    case "429-text":
      response.writeHead(429, { "retry-after": "1" }).end("Too Many Requests");
      return true;
    case "429-json":
      response
        .writeHead(429)
        .end(JSON.stringify({ jsonrpc: "2.0", error: { code: 429, message: "slow down" } }));
      return true;
    case "garbage":
      response.writeHead(200).end('{"jsonrpc":"2.0","id":1,"resu');
      return true;
    case "huge":
      response.writeHead(200).end(`"${"x".repeat(3_000_000)}"`);
      return true;
    case "reset":
      response.destroy();
      return true;
    case "hang":
      return true;
    default:
      return false;
  }
}

type State = { readonly fault: Fault; readonly lag: number; readonly asked: Map<string, number> };

function answerAll(chain: FakeChain, state: State, body: unknown): unknown {
  if (!Array.isArray(body)) return answerOne(chain, state, body as Body);
  if (state.fault === "no-batch") {
    return { jsonrpc: "2.0", id: null, error: { code: -32600, message: "batches are not allowed" } };
  }
  // Nodes may answer in any order.
  return body.map((one: Body) => answerOne(chain, state, one)).reverse();
}

function answerOne(chain: FakeChain, state: State, { id, method, params }: Body): unknown {
  state.asked.set(method, (state.asked.get(method) ?? 0) + 1);
  const error = (facts: unknown) => ({ jsonrpc: "2.0", id, error: facts });
  if (state.fault === "limit-code") return error({ code: -32005, message: "daily request count exceeded" });
  if (state.fault === "empty-logs" && method === "eth_getLogs") return { jsonrpc: "2.0", id, result: [] };
  const head = chain.at(Math.max(0, chain.tip().number - state.lag)) as Block;
  try {
    return { jsonrpc: "2.0", id, result: chain.answer(method, params, head) };
  } catch (failure) {
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
