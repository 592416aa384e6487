import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address, Hex } from "../../src/core/types.ts";
import { type Devnet, startDevnet } from "../../src/devnet/index.ts";
import { bloomOf } from "../../src/edge/node/logs/bloom.ts";
import { logs as readLogs } from "../../src/edge/node/parse.ts";
import { type RunningChain, serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { protocols } from "../../src/protocols/index.ts";
import { silent } from "./follow.ts";

/** The edge on a real node: blocks are mined when the test says so. */

const abi = parseAbi([
  "function deposit() payable",
  "function transfer(address, uint256)",
  "function sync()",
]);
const settings = { ...defaultEdgeSettings, pollMs: 20, selfCheckBlocks: 1, selfCheckPools: 6 };
let devnet: Devnet;
let served: RunningChain;
const tokens = openTokenRegistry(undefined, silent);
const open: RunningChain[] = [];

beforeAll(async () => {
  devnet = await startDevnet({
    chainId: 31337,
    port: 0,
    dataDir: undefined,
    traffic: false,
    blockTimeMs: 0,
    log: () => undefined,
  });
  served = await serve(devnet.url);
});

afterAll(async () => {
  for (const one of open) await one.stop();
  await devnet?.stop();
});

async function serve(url: string): Promise<RunningChain> {
  const chain = serveChain({
    chain: devnet.chain,
    endpoints: [url],
    registry: protocols,
    router: devnet.chain.wrappedNative,
    tokens,
    settings,
    log: silent,
  });
  open.push(chain);
  await chain.start();
  await chain.ready;
  return chain;
}

async function rpc<T>(method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(devnet.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}

const send = (to: Address, data: Hex, value = 0n) =>
  rpc("eth_sendTransaction", {
    from: devnet.accounts[0],
    to,
    data,
    value: `0x${value.toString(16)}`,
    gas: "0x100000",
  });

/** Gives wrapped native coin to a pair and lets it take notice. */
async function feed(pair: Address, amount: bigint): Promise<void> {
  const { wrappedNative } = devnet.chain;
  await send(wrappedNative, encodeFunctionData({ abi, functionName: "deposit" }), amount);
  await send(wrappedNative, encodeFunctionData({ abi, functionName: "transfer", args: [pair, amount] }));
  await send(pair, encodeFunctionData({ abi, functionName: "sync" }));
}

type Block = { number: Hex; hash: Hex; logsBloom: Hex };
const newest = () => rpc<Block>("eth_getBlockByNumber", "latest", false);

async function mined(): Promise<Block> {
  await rpc("evm_mine");
  return caughtUp();
}

async function caughtUp(): Promise<Block> {
  const block = await newest();
  for (let tries = 0; tries < 12_000; tries++) {
    const status = served.market.status();
    if (status.phase === "live" && status.head.hash === block.hash) return block;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the follower does not arrive");
}

const pairsOf = (one: RunningChain) =>
  [...one.pools()].filter(
    (pool) => pool.protocol === "uniswap-v2" && pool.tokens.includes(devnet.chain.wrappedNative),
  );
const pairs = () =>
  pairsOf(served)
    .slice(0, 3)
    .map((pool) => pool.address);

/** What a follower that starts now makes of the chain. */
async function fresh(): Promise<ReturnType<typeof statesOf>> {
  const other = await serve(devnet.url);
  const states = statesOf(other);
  await other.stop();
  return states;
}

/** When a state was read is no part of what it says: a follower read it earlier than a fresh sync does. */
const said = (state: unknown): object => {
  const { past, ...rest } = (state ?? {}) as { past?: object };
  const read = past && { ...past, readAt: undefined };
  return { ...rest, past: read, readAt: undefined, readFor: undefined, onlyIn: undefined };
};

const statesOf = (one: RunningChain) => {
  const view = one.market.view();
  return new Map([...one.pools()].map((pool) => [pool.id, said(view.get(pool.stateIds[0]))] as const).sort());
};

test("the whole market is read, every token is known, and gas has a price", async () => {
  const { pools, refused, quarantined } = served.market.counts();
  expect(pools).toBeGreaterThan(60);
  // Two designs share Balancer's vault, whose logs name no factory: both announce every pool, one of them refuses it.
  const ofVault = [...served.pools()].filter(({ protocol }) =>
    ["balancer-v2", "gyroscope"].includes(protocol),
  );
  expect({ refused, quarantined }).toEqual({
    refused: { "made by a factory that is not listed": ofVault.length / 2 },
    quarantined: 0,
  });
  for (const pool of served.pools()) {
    for (const token of pool.tokens) expect(tokens.port.get(31337, token)).toBeDefined();
  }
  expect(served.gas.levels()?.high.maxFeePerGasWei).toBeGreaterThan(0n);
});

test("blocks with logs are applied, and the chain agrees with every state", async () => {
  for (const pair of pairs()) await feed(pair, 10n ** 18n);
  const block = await mined();
  const all = readLogs(await rpc("eth_getLogs", { blockHash: block.hash }));
  expect(all.length).toBeGreaterThan(8);
  expect(bloomOf(all)).toBe(block.logsBloom);
  expect(statesOf(served)).toEqual(await fresh());
  expect(served.market.counts().quarantined).toBe(0);
});

test("a websocket sees the same", async () => {
  const socket = await serve(devnet.url.replace("http", "ws"));
  expect(statesOf(socket)).toEqual(statesOf(served));
  await feed(pairs()[0] as Address, 10n ** 17n);
  const block = await mined();
  expect(await socket.market.waitFor(Number(block.number), 2000)).toBe(true);
  expect(statesOf(socket)).toEqual(statesOf(served));
  await socket.stop();
});

test.each([1, 2, 5])("a reorg %i deep of a real node leaves the state of a fresh sync", async (depth) => {
  const before = statesOf(served);
  for (let k = 0; k < depth; k++) {
    await feed(pairs()[k % 3] as Address, 10n ** 18n);
    await mined();
  }
  expect(statesOf(served)).not.toEqual(before);
  await rpc("anvil_reorg", depth, []);
  await caughtUp();
  expect(statesOf(served)).toEqual(before);
  await mined();
  expect(statesOf(served)).toEqual(await fresh());
});

test("a transaction is run on the block that is named, and what reverts says why", async () => {
  const { wrappedNative } = devnet.chain;
  const from = devnet.accounts[0] as Address;
  const status = served.market.status();
  if (status.phase !== "live") throw new Error("not live");
  const { head } = status;
  const data = encodeFunctionData({ abi, functionName: "deposit" });
  const deposit = await served.node.simulate({ from, to: wrappedNative, data, value: 5n }, head);
  expect(deposit).toMatchObject({ ok: true, blockHash: head.hash });
  expect(deposit.gasUsed).toBeGreaterThan(21_000n);
  const unknown = { ...head, hash: `0x${"12".repeat(32)}` as Hex };
  const elsewhere = await served.node.simulate({ from, to: wrappedNative, data, value: 5n }, unknown);
  expect(elsewhere.ok).toBe(true);
  expect(elsewhere.blockHash).toBeUndefined();
  const tooMuch = encodeFunctionData({ abi, functionName: "transfer", args: [from, 10n ** 30n] });
  const token = pairsOf(served)[0]?.tokens.find((one) => one !== wrappedNative) as Address;
  const failing = await served.node.simulate({ from, to: token, data: tooMuch, value: 0n }, head);
  expect(failing.ok).toBe(false);
  expect(failing.data.length).toBeGreaterThan(10);
});

test("calls: an answer, and 0x for what reverts", async () => {
  const { wrappedNative } = devnet.chain;
  expect(BigInt(await served.node.call(wrappedNative, "0x313ce567"))).toBe(18n);
  const transfer = encodeFunctionData({ abi, functionName: "transfer", args: [wrappedNative, 1n] });
  expect(await served.node.call(wrappedNative, transfer)).toBe("0x");
  expect(await served.node.getBalance(devnet.accounts[1] as Address)).toBeGreaterThan(10n ** 20n);
});
