import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChain } from "../chain/blocks/chain.ts";
import { createBackend } from "../chain/node/backend.ts";
import { type FakeNode, startFakeNode } from "../chain/node/fake-node.ts";
import { profileOf } from "../chain/node/profiles.ts";
import type { Fault } from "../chain/node/spoil.ts";
import { type Stack, startStack } from "../support/stack.ts";

/** Addresses of endpoints hold keys of providers: whatever goes wrong with one, no answer names its host or its path. */

const KEY = "KEY9f3c";
const TOKEN = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
/** Faults of which a node's client says something; the first of them also ends what can be priced. */
const FAULTS: readonly Fault[] = ["http-500", "html", "limit-code", "garbage", "wrong-chain"];
const PAIR = `fromTokenAddress=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee&toTokenAddress=${TOKEN}&amount=1000000000000000000`;
const PATHS = [
  ...["/health", "/status", "/metrics", "/readyz", "/v1/1/gasprices", `/v1/1/price?${PAIR}`],
  `/v1/1/transaction/allowance?tokenAddress=${TOKEN}&walletAddress=${TOKEN}`,
];

const chain = createChain({ seed: 2, sizes: { v2: 60, v3: 20, v4: 20 } });
let node: FakeNode;
/** A node of another chain than that for which it is given. */
let stranger: FakeNode;
/** An endpoint that answers with words of its own, which name it. */
let rude: Server;
let stack: Stack;
let mining: NodeJS.Timeout;
let hosts: string[];

beforeAll(async () => {
  const profile = profileOf("local");
  node = await startFakeNode(createBackend(chain, profile), { profile });
  rude = createServer((request, response) => {
    request.resume();
    const error = { code: -32000, message: `limit reached: https://secret.example/v2/${KEY}` };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => rude.once("listening", resolve));
  const rudeHost = `127.0.0.1:${(rude.address() as AddressInfo).port}`;
  stranger = await startFakeNode(createBackend(chain, profile), { profile });
  stranger.fault = "wrong-chain";
  mining = setInterval(() => chain.mine(), 2_000);
  const urls = [`${node.url}/${KEY}`, `http://${rudeHost}/v2/${KEY}`, `http://127.0.0.1:1/${KEY}`];
  const foreign = `${stranger.url}/${KEY}`;
  hosts = [...[...urls, foreign].map((url) => new URL(url).host), "secret.example", KEY];
  stack = await startStack({
    RPC_URL_1: urls.join(","),
    RPC_URL_10: urls.slice(1).join(","),
    RPC_URL_8453: foreign,
    MAX_STATE_AGE_MS: "3000",
    // Search threads of three chains would take most of the time, and speak to no endpoint.
    ROUTE_WORKERS: "0",
  });
}, 120_000);
afterAll(async () => {
  clearInterval(mining);
  await stack?.stop();
  await node?.close();
  await stranger?.close();
  rude?.close();
});

async function expectSilence(): Promise<void> {
  for (const path of PATHS) {
    const answer = await fetch(stack.url + path);
    const text = `${JSON.stringify(Object.fromEntries(answer.headers))} ${await answer.text()}`;
    expect(
      hosts.filter((host) => text.includes(host)),
      path,
    ).toEqual([]);
  }
}

/** What is said of a chain that cannot be served: why it is not ready, and why it is not priced. */
async function toldOf(id: number, why: RegExp): Promise<string[]> {
  const told = async () => (await fetch(`${stack.url}/readyz?chain=${id}`)).text();
  await expect.poll(told, { timeout: 30_000 }).toMatch(why);
  return [await told(), await (await fetch(`${stack.url}/v1/${id}/price?${PAIR}`)).text()];
}

test("a chain that no endpoint serves names none of them by its address, whatever they answer", async () => {
  const texts = await toldOf(10, /endpoint [12] does not answer: /);
  expect(hosts.filter((host) => texts.some((text) => text.includes(host)))).toEqual([]);
});

test("a chain that no endpoint serves says by the place of the last one found out what is wrong with it", async () => {
  const texts = await toldOf(8453, /endpoint 1 is of another chain: chain id /);
  expect(texts[1]).toContain("endpoint 1 is of another chain");
  expect(hosts.filter((host) => texts.some((text) => text.includes(host)))).toEqual([]);
});

test("while all is well, and with each fault of a node", async () => {
  await expect
    .poll(async () => (await fetch(`${stack.url}/readyz?chain=1`)).status, {
      timeout: 120_000,
      interval: 500,
    })
    .toBe(200);
  await expectSilence();
  for (const fault of FAULTS.toReversed()) {
    node.fault = fault;
    await setTimeout(700);
    await expectSilence();
  }
  await expect
    .poll(async () => (await fetch(`${stack.url}/readyz?chain=1`)).status, {
      timeout: 120_000,
      interval: 500,
    })
    .toBe(503);
  await expectSilence();
});
