import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silent } from "../../../test/faults/follow.ts";
import type { Protocol } from "../../core/protocol.ts";
import { type Deployment, type Hex, NATIVE, type Pool } from "../../core/types.ts";
import { type Devnet, startDevnet } from "../../devnet/index.ts";
import { protocols } from "../../protocols/index.ts";
import { createDispatch } from "../indexer/dispatch.ts";
import { openEndpoint } from "../node/endpoint.ts";
import { createReader } from "../node/node.ts";
import { header } from "../node/parse.ts";
import { createPinned, type Pinned } from "../node/pinned.ts";
import { createSeals } from "../node/sealed/seal.ts";
import { createRpc, type Rpc } from "../node/transport/rpc.ts";
import type { ChainLog, ChainReader, Header } from "../node/types.ts";
import { defaultEdgeSettings, nodeSettings } from "../settings.ts";
import { createLens, type Lens } from "./lens.ts";
import { hintedPools } from "./named.ts";
import { poolsOfPairs } from "./pairs.ts";

/** Runs the lens on the devnet's contracts and compares its answers with logs and single calls. */

let devnet: Devnet;
let rpc: Rpc;
let reader: ChainReader;
let pinned: Pinned;
let head: Header;
let announced: Map<string, { pool: Pool; protocol: Protocol; deployment: Deployment }>;

beforeAll(async () => {
  const quiet = { traffic: false, blockTimeMs: 0, log: () => undefined };
  devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  const settings = {
    ...nodeSettings(devnet.chain, defaultEdgeSettings),
    attemptMs: 30_000,
    deadlineMs: 60_000,
  };
  const endpoint = openEndpoint(devnet.url, 0, { ...settings, listens: false, onWake: () => undefined });
  endpoint.health.verified = true;
  rpc = createRpc([endpoint], settings, new AbortController().signal);
  reader = createReader({
    ...{ rpc, multicall: devnet.chain.multicall, settings, seals: createSeals(), log: silent },
    onDispute: () => undefined,
  });
  pinned = createPinned({ rpc, options: { deadlineMs: settings.deadlineMs }, log: silent });
  head = header(await rpc.request("eth_getBlockByNumber", ["latest", false])) as Header;
  announced = await byLogs();
}, 120_000);
afterAll(() => devnet?.stop());

async function byLogs(): Promise<typeof announced> {
  const pools: typeof announced = new Map();
  for (const deployment of devnet.chain.deployments) {
    const protocol = protocols.get(deployment.protocol)!;
    const range = {
      first: 0,
      last: head.number,
      addresses: [deployment.factory],
      topics: protocol.creations,
    };
    const logs: ChainLog[] = [];
    if (protocol.creations.length > 0) for await (const page of reader.logsIn(range)) logs.push(...page);
    for (const log of logs) {
      const pool = protocol.discover(log, deployment);
      if (pool !== undefined) pools.set(pool.id, { pool, protocol, deployment });
    }
  }
  return pools;
}

const refusing =
  (refused: (call: Parameters<Pinned>[0][number]) => boolean): Pinned =>
  async (calls, block) => {
    if (!calls.some(refused)) return pinned(calls, block);
    return calls.map(() => ({ ok: true, result: "0x" }));
  };

const forms: readonly [string, () => Lens][] = [
  ["by a state override", () => createLens(pinned, silent)],
  [
    "in a call without a recipient",
    () =>
      createLens(
        refusing(({ overrides }) => overrides !== undefined),
        silent,
      ),
  ],
  [
    "call by call",
    () =>
      createLens(
        refusing(({ to, overrides }) => to === undefined || overrides !== undefined),
        silent,
      ),
  ],
];

describe.each(forms)("%s", (_name, lens) => {
  test("the pools of all pairs of tokens are those that the factories' logs announce", async () => {
    const tokens = [...new Set([...announced.values()].flatMap(({ pool }) => pool.tokens))];
    const pairs = tokens.flatMap((a, i) => tokens.slice(i + 1).map((b) => [a, b] as const));
    const source = {
      chain: devnet.chain,
      dispatch: createDispatch(devnet.chain, protocols, silent),
      reader,
      lens: lens(),
    };
    const found = await poolsOfPairs(source, pairs, head);
    const pools = new Map(found.map(({ pool }) => [pool.id, pool]));
    const asked = [...announced.values()].filter(
      ({ protocol, deployment }) => protocol.byPair(deployment) !== undefined,
    );
    expect(asked.length).toBeGreaterThan(20);
    const missing = asked.filter(({ pool }) => !pools.has(pool.id)).map(({ pool }) => pool);
    // Pools with unusual fees, and those with hooks, are known only by their logs.
    for (const { facts } of missing)
      expect(facts).not.toMatchObject({ fee: 3000, hooks: `0x${"00".repeat(20)}` });
    expect(missing.filter(({ protocol }) => protocol === "pancake-infinity-cl")).toEqual([]);
    for (const [id, pool] of pools) expect(pool).toEqual(announced.get(id)?.pool);
    expect(pools.size).toBeGreaterThan(asked.length * 0.8);
  }, 120_000);
});

/** Designs whose pools are found by pair, although tokens and key do not determine the pool's facts. */
const DESCRIBED = ["liquidity-book", "curve-crypto"];

test("pools that need more than the factory's answer equal those that their logs announce", async () => {
  const expected = [...announced.values()].filter(({ protocol }) => DESCRIBED.includes(protocol.name));
  expect(expected.length).toBe(7);
  const pairs = expected.flatMap(({ pool: { tokens } }) =>
    tokens.flatMap((a, k) => tokens.slice(k + 1).map((b) => [b, a] as const)),
  );
  const dispatch = createDispatch(devnet.chain, protocols, silent);
  const pairSources = dispatch.pairSources.filter((source) => source.deployment.match(/liquidity|crypto/));
  const source = {
    ...{ chain: devnet.chain, dispatch: { pairSources }, reader },
    lens: createLens(pinned, silent),
  };
  const found = await poolsOfPairs(source, pairs, head);
  expect(new Set(found.map(({ pool }) => pool))).toEqual(new Set(expected.map(({ pool }) => pool)));
  for (const { of, balances } of found) {
    expect([...of].sort()).toEqual(of);
    for (const balance of balances) expect(balance).toBeGreaterThan(0n);
  }
});

/** Designs whose pools a record can name. */
const VAULTS = ["balancer-v2", "balancer-v3", "gyroscope"];

test.each(forms)(
  "%s: pools that a record names are what the vault says of them, and others are left out",
  async (_name, lens) => {
    const expected = [...announced.values()].filter(({ protocol }) => VAULTS.includes(protocol.name));
    const nothing = { v2: `0x${"ab".repeat(32)}`, v3: `0x${"ab".repeat(20)}` };
    const deployments = devnet.chain.deployments
      .filter(({ protocol }) => VAULTS.includes(protocol))
      .map((deployment): Deployment => {
        const own = expected.filter((one) => one.deployment === deployment).map(({ pool }) => pool);
        const isThird = deployment.protocol === "balancer-v3";
        const names = own.map((pool) => (isThird ? pool.id : String(pool.facts.poolId)));
        const hints = [...names, isThird ? nothing.v3 : nothing.v2].join(" ");
        return { ...deployment, facts: { ...deployment.facts, hints } };
      });
    const { hinted } = createDispatch({ ...devnet.chain, deployments }, protocols, silent);
    expect(hinted.length).toBe(expected.length + VAULTS.length);
    const found = await hintedPools({ reader, lens: lens() }, hinted, head);
    // The vault knows every pool, whichever factory made it; the factory is checked where the pool's state is read.
    expect(new Set(found)).toEqual(new Set(expected.map(({ pool }) => pool)));
  },
  60_000,
);

test("pools of the native coin are found by the pair with the wrapped coin", async () => {
  const found = await poolsOfPairs(
    {
      chain: devnet.chain,
      dispatch: createDispatch(devnet.chain, protocols, silent),
      reader,
      lens: createLens(pinned, silent),
    },
    [...announced.values()]
      .filter(({ pool }) => pool.tokens.includes(NATIVE) && pool.tokens.length === 2)
      .map(({ pool }) => [pool.tokens[0]!, pool.tokens[1]!] as const),
    head,
  );
  expect(found.some(({ pool }) => pool.tokens.includes(NATIVE))).toBe(true);
});

test.each(forms.slice(0, 2))(
  "ticks read %s are the answers of single calls",
  async (_name, lens) => {
    const ticked = [...announced.values()].filter(
      ({ pool, protocol }) => protocol.bitmap(pool) !== undefined,
    );
    expect(new Set(ticked.map(({ protocol }) => protocol.name)).size).toBeGreaterThanOrEqual(2);
    const chosen = ticked.filter((_, k) => k % 3 === 0).slice(0, 12);
    const answers = await lens().ticks(
      chosen.map(({ pool, protocol }) => protocol.bitmap(pool)!),
      head,
    );
    const at = { blockNumber: head.number, timestamp: head.timestamp };
    for (const [k, { pool, protocol }] of chosen.entries()) {
      const single: Hex[] = [];
      for (let calls = protocol.reads(pool, single); calls.length > 0; calls = protocol.reads(pool, single))
        single.push(...(await reader.read(calls, head)));
      const state = protocol.load(pool, answers[k]!, at);
      expect(state).toEqual(protocol.load(pool, single, at));
      expect(state).toHaveProperty("liquidity");
    }
  },
  120_000,
);

test("calls made by the lens are answered as single calls are, failing ones with 0x", async () => {
  const calls = [...announced.values()].flatMap(({ pool, protocol }) => protocol.reads(pool, []).slice(0, 3));
  const failing = { to: devnet.chain.wrappedNative, data: "0x12345678" } as const;
  const all = [...calls.slice(0, 200), failing];
  const answers = await reader.read(all, head);
  expect(await createLens(pinned, silent).read(all, head)).toEqual(answers);
  // Each of these uses 30,000 by the lens's own estimate.
  let requests = 0;
  const counted: typeof pinned = (...asked) => {
    requests++;
    return pinned(...asked);
  };
  const small = createLens(counted, silent, { lanes: 1, mostGas: 300_000 });
  for (let turn = 1; turn <= 2; turn++) {
    expect(await small.read(all, head)).toEqual(answers);
    expect(requests).toBeGreaterThanOrEqual((turn * all.length) / 10);
  }
}, 60_000);

test("the pairs that a factory enumerates are the pools that its logs announced", async () => {
  const deployment = devnet.chain.deployments.find(({ id }) => id === "uniswap-v2")!;
  const expected = [...announced.values()].filter((one) => one.deployment === deployment);
  const pairs = await createLens(pinned, silent).enumerate(
    deployment.factory,
    [0, expected.length - 1],
    head,
  );
  const source = createDispatch(devnet.chain, protocols, silent).pairSources.find(
    ({ target, numbered }) => numbered && target === deployment.factory,
  )!;
  const pools = pairs.map(({ named, tokens }) => source.poolOf(tokens, named, undefined, []));
  const byId = (list: readonly (Pool | undefined)[]) => list.toSorted((a, b) => (a!.id < b!.id ? -1 : 1));
  expect(byId(pools)).toEqual(byId(expected.map(({ pool }) => pool)));
});
