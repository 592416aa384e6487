import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { load } from "./load.ts";
import { percentile } from "./reading.ts";

test("clients ask one after the other over one connection each, and count what was not answered with 200", async () => {
  const connections = new Set();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    connections.add(request.socket);
    asked.push(request.url!);
    response.statusCode = asked.length % 2 === 0 ? 503 : 200;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const path = (n: number) => `/${n}`;
  const seen = await load({ url: `http://127.0.0.1:${port}`, clients: 3, durationMs: 100, path });
  server.close();
  expect(connections.size).toBe(3);
  expect(seen.answers).toBe(asked.length);
  expect(new Set(asked).size).toBe(asked.length);
  expect(seen.good).toBe(Math.ceil(asked.length / 2));
  expect(seen.p50Ms).toBeLessThanOrEqual(seen.maxMs);
});

test("a client that is told to come again in a second does not ask before", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(503, { "retry-after": "1" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const path = (n: number) => `/${n}`;
  const seen = await load({ url: `http://127.0.0.1:${port}`, clients: 2, durationMs: 300, path });
  server.close();
  expect([asked.length, seen.answers, seen.good]).toEqual([2, 2, 0]);
});

test("nobody who answers is a request that failed", async () => {
  const server = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const seen = await load({ url: `http://127.0.0.1:${port}`, clients: 1, durationMs: 20, path: () => "/" });
  server.close();
  expect(seen).toMatchObject({ good: 0, perSecond: 0 });
  expect(seen.answers).toBeGreaterThan(0);
});

test("percentiles", () => {
  expect([0, 0.5, 0.99, 1].map((part) => percentile([4, 1, 3, 2], part))).toEqual([1, 3, 4, 4]);
  expect(percentile([], 0.5)).toBeNaN();
});
