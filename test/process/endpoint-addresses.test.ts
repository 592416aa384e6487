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
  mining = setInterval(() => chain.mine(), 2_000);
  const urls = [`${node.url}/${KEY}`, `http://${rudeHost}/v2/${KEY}`, `http://127.0.0.1:1/${KEY}`];
  hosts = [...urls.map((url) => new URL(url).host), "secret.example", KEY];
  stack = await startStack({ RPC_URL_1: urls.join(","), MAX_STATE_AGE_MS: "3000" });
}, 120_000);
afterAll(async () => {
  clearInterval(mining);
  await stack?.stop();
  await node?.close();
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

test("while all is well, and with each fault of a node", async () => {
  await expect
    .poll(async () => (await fetch(`${stack.url}/readyz`)).status, { timeout: 120_000, interval: 500 })
    .toBe(200);
  await expectSilence();
  for (const fault of FAULTS.toReversed()) {
    node.fault = fault;
    await setTimeout(700);
    await expectSilence();
  }
  await expect
    .poll(async () => (await fetch(`${stack.url}/readyz`)).status, { timeout: 120_000, interval: 500 })
    .toBe(503);
  await expectSilence();
});

test("a chain that no endpoint serves names none of them by its address, whatever they answer", async () => {
  const { port } = rude.address() as AddressInfo;
  const urls = [`http://127.0.0.1:${port}/v2/${KEY}`, `http://127.0.0.1:1/${KEY}`];
  const alone = await startStack({ RPC_URL_1: urls.join(",") });
  try {
    const told = async () => (await fetch(`${alone.url}/readyz?chain=1`)).text();
    await expect.poll(told, { timeout: 30_000 }).toMatch(/endpoint [12] does not answer: /);
    const texts = [await told(), await (await fetch(`${alone.url}/v1/1/price?${PAIR}`)).text()];
    expect(hosts.filter((host) => texts.some((text) => text.includes(host)))).toEqual([]);
  } finally {
    await alone.stop();
  }
}, 60_000);

test("a chain that no endpoint serves says by the place of the last one found out what is wrong with it", async () => {
  node.fault = "wrong-chain";
  const alone = await startStack({ RPC_URL_1: `${node.url}/${KEY}` });
  try {
    const told = async () => (await fetch(`${alone.url}/readyz?chain=1`)).text();
    await expect.poll(told, { timeout: 30_000 }).toContain("endpoint 1 is of another chain: chain id ");
    const priced = await (await fetch(`${alone.url}/v1/1/price?${PAIR}`)).text();
    expect(priced).toContain("endpoint 1 is of another chain");
    expect(hosts.filter((host) => priced.includes(host))).toEqual([]);
  } finally {
    await alone.stop();
  }
}, 60_000);
