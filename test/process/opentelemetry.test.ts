import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NATIVE } from "../../src/core/types.ts";
import { USDC } from "../../src/devnet/plan/addresses.ts";
import { ONE_THREAD, type Stack, startStack } from "../support/stack.ts";

/** The recipe of docs/guide/operate.md, word for word: traces of the whole program at a collector. */

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
};
type Export = { resourceSpans: { resource: object; scopeSpans: { spans: Span[] }[] }[] };

const spans: Span[] = [];
const bodies: string[] = [];
const keys = new Set<string | string[] | undefined>();
const collector = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  keys.add(request.headers["x-key"]);
  bodies.push(`${request.url} ${body}`);
  for (const { scopeSpans } of (JSON.parse(body) as Export).resourceSpans)
    spans.push(...scopeSpans.flatMap((scope) => scope.spans));
  response.end("{}");
});

let stack: Stack;
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const guide = readFileSync("docs/guide/operate.md", "utf8");
  const [, options] = /NODE_OPTIONS="([^"]+)"/.exec(guide) ?? [];
  stack = await startStack({
    ...ONE_THREAD,
    NODE_OPTIONS: options!,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=of%20ours",
    DEVNET_BLOCK_TIME_MS: "0",
  });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  collector.close();
});

const of = (traceId: string) => spans.filter((span) => span.traceId === traceId);
const value = ({ attributes }: Span, key: string) => {
  const found = attributes.find((one) => one.key === key)?.value;
  return found?.stringValue ?? found?.intValue;
};

test("a quote is a span under its caller's, with its stages and the requests to nodes below it", async () => {
  const [traceId, parent] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const taker = `0x${"12".repeat(20)}`;
  const query = `fromTokenAddress=${NATIVE}&toTokenAddress=${USDC}&amount=1000000000000000000&slippage=10&takerAddress=${taker}`;
  const response = await fetch(`${stack.url}/v1/31337/quote?${query}`, {
    headers: { traceparent: `00-${traceId}-${parent}-01` },
  });
  expect(response.status).toBe(200);
  await expect.poll(() => of(traceId).some(({ kind }) => kind === 2), { timeout: 20_000 }).toBe(true);
  const all = of(traceId);
  const server = all.find(({ kind }) => kind === 2)!;
  expect(server).toMatchObject({ name: "GET /v1/:chainID/quote", parentSpanId: parent });
  expect(value(server, "http.response.status_code")).toBe("200");
  expect(value(server, "braid.request_id")).toBe(response.headers.get("x-request-id"));
  const stages = all.filter(({ kind }) => kind === 1);
  expect(stages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["wait", "search", "settle", "encode", "simulate"]),
  );
  for (const stage of stages) {
    expect(stage.parentSpanId).toBe(server.spanId);
    expect(BigInt(stage.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(stage.startTimeUnixNano));
    expect(BigInt(stage.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(server.endTimeUnixNano));
  }
  const nodes = all.filter(({ kind }) => kind === 3);
  expect(nodes.length).toBeGreaterThan(0);
  expect(value(nodes[0]!, "server.address")).toBe("127.0.0.1");
  expect(bodies.every((body) => body.startsWith("/v1/traces ") && body.includes('"service.name"'))).toBe(
    true,
  );
  expect(bodies.join()).not.toContain(taker.slice(2));
  expect([...keys]).toEqual(["of ours"]);
});

test("a caller who does not sample is not traced, and a request without a caller is a trace of its own", async () => {
  const traceId = "1af7651916cd43dd8448eb211c80319c";
  await fetch(`${stack.url}/livez`, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-00` } });
  await fetch(`${stack.url}/nowhere`);
  const failed = () => spans.find((span) => value(span, "http.response.status_code") === "404");
  await expect.poll(failed, { timeout: 20_000 }).toBeDefined();
  expect(failed()!.parentSpanId).toBeUndefined();
  expect(of(traceId)).toEqual([]);
});
