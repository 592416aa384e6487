import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openEndpoint } from "./endpoint.ts";

const answers: string[] = [];
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const [status, body] = answers.shift()!.split(" ", 2) as [string, string];
    response.writeHead(Number(status), { "content-type": "application/json" }).end(body);
  });
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

test("failed requests are counted by kind, and a revert is an answer", async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = openEndpoint(url, 0, {
    maxBytes: 10_000,
    batchSize: 10,
    listens: false,
    onWake: () => undefined,
  });
  const error = (code: number, message: string) =>
    `200 ${JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } })}`;
  answers.push(error(3, "reverted"), error(-32601, "unknown"), "500 {}", "500 {}");
  for (let n = answers.length; n > 0; n--)
    await endpoint.send([{ method: "eth_call", params: [] }], 5_000).catch(() => undefined);
  expect(endpoint.health.counts).toEqual({ unsupported: 1, transport: 2 });
  endpoint.close();
});
