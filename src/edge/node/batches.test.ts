import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Endpoint, openEndpoint } from "./endpoint.ts";

/** What an endpoint learns about the size of its batches, over a real socket. */

type Item = { readonly id: number };
type Refusal = (items: readonly Item[]) => { readonly status: number; readonly body: string } | undefined;

let refusal: Refusal;
/** Items of each body that was answered. */
let answered: number[];
let server: Server;
let endpoint: Endpoint;

beforeEach(async () => {
  answered = [];
  refusal = () => undefined;
  server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const body = JSON.parse(text) as Item | Item[];
    const items = Array.isArray(body) ? body : [body];
    const refused = refusal(items);
    if (refused !== undefined) return response.writeHead(refused.status).end(refused.body);
    answered.push(items.length);
    const all = items.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x1" }));
    return response.end(JSON.stringify(Array.isArray(body) ? all : all[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = openEndpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 0, {
    ...{ maxBytes: 100_000, batchSize: 16, listens: false },
    onWake: () => undefined,
  });
});

afterEach(async () => {
  endpoint.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ask = (count: number) =>
  endpoint.send(
    Array.from({ length: count }, () => ({ method: "eth_call", params: [] })),
    5_000,
  );
const above = (most: number, refused: (items: readonly Item[]) => ReturnType<Refusal>): Refusal => {
  return (items) => (items.length > most ? refused(items) : undefined);
};
const error = { code: -32600, message: "batch too large" };

test.each<[string, Refusal]>([
  [
    "one error in a list, under the first request's id, as geth",
    ([first]) => ({ status: 200, body: JSON.stringify([{ jsonrpc: "2.0", id: first!.id, error }]) }),
  ],
  ["one error", () => ({ status: 200, body: JSON.stringify({ jsonrpc: "2.0", id: null, error }) })],
  ["HTTP 413 of a proxy", () => ({ status: 413, body: "<html>Request Entity Too Large</html>" })],
])("a batch that is refused by %s is asked for in smaller ones", async (_, refused) => {
  refusal = above(5, refused);
  expect((await ask(16)).every(({ ok }) => ok)).toBe(true);
  expect(answered).toEqual([4, 4, 4, 4]);
  expect(endpoint.batchSize()).toBe(4);
});

test("an error of the moment makes batches smaller for a while only", async () => {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32603, message: "internal error" },
  });
  refusal = above(1, () => ({ status: 500, body }));
  await ask(16);
  expect(endpoint.batchSize()).toBe(1);
  refusal = () => undefined;
  for (let k = 0; k < 2_000 && endpoint.batchSize() < 16; k++) await ask(32);
  expect(endpoint.batchSize()).toBe(16);
});

test("a limit that stays is met ever more seldom", async () => {
  let refusals = 0;
  refusal = above(5, () => {
    refusals++;
    return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id: null, error }) };
  });
  for (let k = 0; k < 500; k++) await ask(16);
  expect(answered.reduce((sum, count) => sum + count)).toBe(8_000);
  expect(refusals).toBeLessThan(20);
});
