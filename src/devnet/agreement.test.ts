import { afterAll, beforeAll, expect, test } from "vitest";
import { readState } from "../../test/support/read-state.ts";
import type { Protocol } from "../core/protocol.ts";
import { emptyGraph } from "../core/routing/market-graph/graph.ts";
import { completeMarket } from "../core/routing/market-graph/round-trips.ts";
import { patchGraph } from "../core/routing/market-graph/update.ts";
import { type Address, type At, type Hex, type Log, NATIVE, type Pool } from "../core/types.ts";
import { SCHEMA } from "../edge/store/pool-file.ts";
import { protocols } from "../protocols/index.ts";
import { type Devnet, startDevnet } from "./index.ts";
import { DAI, PYUSD, USDC, USDS, WETH } from "./plan/addresses.ts";
import { prices } from "./plan/market.ts";
import { createRpc, type Rpc } from "./rpc.ts";

/**
 * If there are token prices at which no sale to any pool is profitable, then no cycle of pools is: the value can only
 * fall with each hop. The pools of all protocols are read from a new devnet and quoted in every direction by their own
 * maths.
 */

type Loaded = { readonly protocol: Protocol; readonly pool: Pool };
type Worths = ReadonlyMap<Address, number>;

/** Tolerated profit for rounding, about a thousandth of a US dollar. */
const DUST_WEI = 3e12;
/** Values of the amounts sold, from a cent to millions of US dollars. */
const SIZES_WEI = Array.from({ length: 17 }, (_, k) => 10 ** (13.5 + k / 2));

let devnet: Devnet;
let rpc: Rpc;
let head: At;
const pools: Loaded[] = [];
const states = new Map<string, unknown>();

beforeAll(async () => {
  const quiet = { traffic: false, blockTimeMs: 0, log: () => undefined };
  devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  rpc = createRpc(devnet.url);
  const block = await rpc.call<{ number: Hex; timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
  head = { blockNumber: Number(block.number), timestamp: Number(block.timestamp) };
  const logs = await rpc.call<Log[]>("eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest" }]);
  for (const deployment of devnet.chain.deployments) {
    const protocol = protocols.get(deployment.protocol)!;
    const announced = logs.filter(({ address }) => address === deployment.factory);
    const found = [
      ...protocol.seeds(deployment),
      ...announced.flatMap((log) => protocol.discover(log, deployment) ?? []),
    ];
    for (const pool of found) await load({ protocol, pool });
  }
});
afterAll(() => devnet?.stop());

async function load({ protocol, pool }: Loaded): Promise<void> {
  const state = await readState(rpc, protocol, pool, head);
  // A vault also logs pools of other protocols, whose states are refused.
  if (Object.hasOwn(state as object, "refusal")) return;
  states.set(pool.stateIds[0], state);
  pools.push({ protocol, pool });
}

/** The fill of a sale by the pool's own maths; undefined where the pool does not fill it. */
function sale({ protocol, pool }: Loaded, [i, j]: readonly [number, number], amount: bigint, at: At) {
  return protocol.quote({ get: (id) => states.get(id) }, pool, i, j, amount, "in", at);
}

function directions(pool: Pool): (readonly [number, number])[] {
  return pool.tokens.flatMap((_, i) => pool.tokens.flatMap((_, j) => (i === j ? [] : [[i, j] as const])));
}

/** Market prices, with shares of pools and vaults at the geometric mean of their lowest cost and highest proceeds. */
function worthsOf(at: At): Worths {
  const worths = new Map(prices)
    .set(NATIVE, 1)
    .set(USDS, prices.get(DAI)!)
    .set(PYUSD, prices.get(DAI)! * 1e12);
  for (const loaded of pools) {
    const share = loaded.pool.tokens.findIndex((token) => !worths.has(token));
    if (share === -1) continue;
    const probe = 1e20;
    const rates = loaded.pool.tokens.flatMap((token, k) => {
      const worth = worths.get(token);
      if (worth === undefined) return [];
      const amount = BigInt(Math.round(probe / worth));
      const bought = sale(loaded, [k, share], amount, at)!.amountOut;
      const brought = sale(loaded, [share, k], bought, at)!.amountOut;
      return [probe / Number(bought), (Number(brought) * worth) / Number(bought)];
    });
    const cheapest = Math.min(...rates.filter((_, k) => k % 2 === 0));
    const dearest = Math.max(...rates.filter((_, k) => k % 2 === 1));
    worths.set(loaded.pool.tokens[share]!, Math.sqrt(cheapest * dearest));
  }
  return worths;
}

/** Every direction of a pool that is profitable at these prices, with its profit. */
function payers(worths: Worths, at: At): string[] {
  return pools.flatMap((loaded) =>
    directions(loaded.pool).flatMap(([i, j]) => {
      const [sold, bought] = [loaded.pool.tokens[i]!, loaded.pool.tokens[j]!].map(
        (token) => worths.get(token)!,
      );
      const gains = SIZES_WEI.map((size) => {
        const fill = sale(loaded, [i, j], BigInt(Math.floor(size / sold!)), at);
        return fill === undefined ? 0 : Number(fill.amountOut) * bought! - Number(fill.amountIn) * sold!;
      });
      const most = Math.max(...gains);
      return most > DUST_WEI ? [`${loaded.pool.deployment} ${loaded.pool.id} ${i}>${j}: ${most} wei`] : [];
    }),
  );
}

const after = (seconds: number): At => ({ ...head, timestamp: head.timestamp + seconds });

test("no pool of any design pays at the market's prices, now and a day later", () => {
  expect(new Set(pools.map(({ pool }) => pool.deployment))).toEqual(
    new Set(devnet.chain.deployments.map(({ id }) => id)),
  );
  for (const at of [after(12), after(86_400)]) {
    const worths = worthsOf(at);
    expect(pools.flatMap(({ pool }) => pool.tokens).filter((token) => !worths.has(token))).toEqual([]);
    expect(payers(worths, at)).toEqual([]);
  }
});

test("the search takes it for a market without arbitrage", () => {
  const graph = emptyGraph(protocols, WETH);
  const all = pools.map(({ pool }) => pool);
  patchGraph(graph, { pools: all, removed: [] }, { get: (id) => states.get(id) }, after(12));
  completeMarket(graph);
  expect(graph.edges).toBeGreaterThan(2 * all.length);
  const designs = graph.arbitrageFree.gainers.map((edge) => graph.entries[graph.owner[edge]!]!.pool.protocol);
  expect(designs).toEqual([]);
});

test("a dollar that were worth a thousandth more would be bought of many pools", () => {
  const at = after(12);
  const worths = new Map(worthsOf(at)).set(DAI, prices.get(DAI)! * 1.001);
  expect(payers(worths, at).length).toBeGreaterThan(5);
});

test("100 USDC buy 100 DAI to within a tenth of a percent", () => {
  const [sold, wanted] = [100n * 10n ** 6n, 100n * 10n ** 18n];
  const paid = pools.flatMap((loaded) => {
    const [i, j] = [loaded.pool.tokens.indexOf(USDC), loaded.pool.tokens.indexOf(DAI)];
    return i === -1 || j === -1 ? [] : [sale(loaded, [i, j], sold, after(12))?.amountOut ?? 0n];
  });
  const best = paid.reduce((most, amount) => (amount > most ? amount : most), 0n);
  expect(Number(best - wanted) / Number(wanted)).toBeLessThan(0.001);
  expect(Number(best - wanted) / Number(wanted)).toBeGreaterThan(-0.001);
});

/** The facts of a design's pools, each with the types that it may have; `?` = some pools lack it. */
function factsByDesign(): Record<string, string> {
  const designs = Map.groupBy(pools, ({ pool }) => pool.protocol);
  const shape = (loaded: readonly Loaded[]) => {
    const names = new Set(loaded.flatMap(({ pool }) => Object.keys(pool.facts)));
    const types = (name: string) => [...new Set(loaded.map(({ pool }) => typeof pool.facts[name]))].sort();
    const field = (name: string) =>
      `${name}: ${types(name).join(" | ")}`.replace(/: (.*) \| undefined$/, "?: $1");
    return [...names].sort().map(field).join(", ");
  };
  return Object.fromEntries([...designs].map(([name, loaded]) => [name, shape(loaded)]));
}

/**
 * What a checkpoint keeps of pools between runs, at `schema`. A program that keeps other facts must not take those of its
 * predecessor: where a row of this list changes, `SCHEMA` of the checkpoint increases with it. A new design is a row more
 * and no reason for it, since no checkpoint has pools of it.
 */
const KEPT = {
  schema: 3,
  facts: {
    algebra: "plugin?: string, pluginFactory?: string, version: string",
    "balancer-v2": "factories: string, poolId: string",
    "balancer-v3": "design: string, hasRates: boolean, hook: string, hookAddress: string",
    "balancer-v3-buffer": "",
    converter: "kind: string",
    "curve-crypto": "implementation: string",
    "curve-llamma": "",
    "curve-stable": "implementation: string, own: number",
    dodo: "kind: string",
    ekubo: "config: string, isRouted: boolean, lens: string",
    erc4626: "kind: string",
    fluid: "resolver: string",
    "fluid-lite": "deployer: string, salt: string",
    gyroscope: "factories: string, poolId: string",
    iziswap: "feePpm: number, spacing: number",
    "liquidity-book": "binStep: number, version: string",
    maverick: "tickSpacing: number",
    "maverick-v2": "accessor: string, lookback: number, tickSpacing: number",
    "pancake-infinity-bin": "fee: number, hooks: string, listed: boolean, parameters: number",
    "pancake-infinity-cl": "fee: number, hooks: string, listed: boolean, parameters: number",
    psm: "",
    psm3: "",
    solidly: "factory: string, feeCall: string, feeDenominator: number, solver: string, stable: boolean",
    "uniswap-v2": "feePpm: number",
    "uniswap-v3": "feePpm: number, tickSpacing: number",
    "uniswap-v4": "family: string, fee: number, hooks: string, stateView: string, tickSpacing: number",
    woofi: "version: string",
    "wrapped-native": "",
  },
};

test("a checkpoint keeps of pools what its schema stands for", () => {
  expect({ schema: SCHEMA, facts: factsByDesign() }).toEqual(KEPT);
});
