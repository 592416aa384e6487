import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ROUTER_ADDRESS } from "../../src/core/encoding/index.ts";
import type { Protocol, Registry } from "../../src/core/protocol.ts";
import type { Address, Chain } from "../../src/core/types.ts";
import { type Devnet, startDevnet } from "../../src/devnet/index.ts";
import { type RunningChain, serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { protocols } from "../../src/protocols/index.ts";
import { silent } from "./follow.ts";

/** Checks of reported pools on a real node, with real pools and a design that may be wrong about them. */

const V3: Address = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
const V2: Address = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc";
const tokens = openTokenRegistry(undefined, silent);
const open: RunningChain[] = [];
let devnet: Devnet;

beforeAll(async () => {
  const chain = { chainId: 31337, port: 0, dataDir: undefined, traffic: false, blockTimeMs: 0 };
  devnet = await startDevnet({ ...chain, log: () => undefined });
});

afterAll(async () => {
  for (const one of open) await one.stop();
  await devnet?.stop();
});

async function serve(registry: Registry, chain: Chain = devnet.chain): Promise<RunningChain> {
  const settings = { ...defaultEdgeSettings, pollMs: 20, selfCheckBlocks: 0 };
  const served = serveChain({
    chain,
    endpoints: [devnet.url],
    registry,
    router: ROUTER_ADDRESS,
    tokens,
    settings,
    log: silent,
  });
  open.push(served);
  await served.start();
  await served.ready;
  return served;
}

/** A design that promises a unit more than its pools pay. */
function boasting(name: string): Registry {
  const honest = protocols.get(name) as Protocol;
  const quote: Protocol["quote"] = (...asked) => {
    const fill = honest.quote(...asked);
    return fill && { ...fill, amountOut: fill.amountOut + 1n };
  };
  return new Map([...protocols, [name, { ...honest, quote }]]);
}

async function outcomeOf(served: RunningChain, pool: Address) {
  const total = () => Object.values(served.checks.counts()).reduce((sum, count) => sum + count, 0);
  const before = total();
  served.checks.report([pool]);
  await vi.waitUntil(() => total() > before, { timeout: 240_000 });
  const { quarantined } = served.market.counts();
  return { ...served.checks.counts(), quarantined };
}

const NONE = { sound: 0, wrong: 0, inconclusive: 0, unvetted: 0, dropped: 0, quarantined: 0 };

test("a pool that pays what its design says is sound, whatever was reported", async () => {
  const served = await serve(protocols);
  expect(await outcomeOf(served, V3)).toEqual({ ...NONE, sound: 1 });
  expect(await outcomeOf(served, V2)).toEqual({ ...NONE, sound: 2 });
});

test.each([
  ["uniswap-v3", V3],
  ["uniswap-v2", V2],
] as const)("a pool of %s that pays a unit less than its design says is quarantined", async (name, pool) => {
  const served = await serve(boasting(name));
  expect(await outcomeOf(served, pool)).toEqual({ ...NONE, wrong: 1, quarantined: 1 });
});

test("the same pool stays where one of its tokens is not vetted", async () => {
  const served = await serve(boasting("uniswap-v3"), { ...devnet.chain, vettedTokens: [] });
  expect(await outcomeOf(served, V3)).toEqual({ ...NONE, unvetted: 1 });
});

test("most pools of every design of vetted tokens can be run, and all that run are sound", async () => {
  const served = await serve(protocols);
  const vetted = [...served.pools()].filter(({ tokens }) => tokens.every(served.isVetted));
  const ran = new Set<string>();
  for (const { id, protocol } of vetted) {
    const before = served.checks.counts().sound;
    const { sound, wrong } = await outcomeOf(served, id as Address);
    expect(wrong, `${protocol} ${id}`).toBe(0);
    if (sound > before) ran.add(protocol);
  }
  expect([...ran].sort()).toEqual([...new Set(vetted.map(({ protocol }) => protocol))].sort());
}, 300_000);
