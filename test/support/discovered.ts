import pino from "pino";
import { expect, vi } from "vitest";
import { type Address, type Chain, NATIVE, type Pool } from "../../src/core/types.ts";
import { type Devnet, startDevnet } from "../../src/devnet/index.ts";
import { type RunningChain, serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { protocols } from "../../src/protocols/index.ts";

const settings = { ...defaultEdgeSettings, attemptMs: 20_000, indexDeadlineMs: 60_000 };

/** A devnet whose chain is served from its logs, to compare chains with that are discovered while they are served. */
export async function startWorld() {
  const quiet = { traffic: false, blockTimeMs: 1_000, log: () => undefined };
  const devnet = await startDevnet({ chainId: 31_337, port: 0, dataDir: undefined, ...quiet });
  const silent = pino({ level: "silent" });
  const tokens = openTokenRegistry(undefined, silent);
  const running: RunningChain[] = [];
  const serve = (chain: Chain, registry = tokens, log = silent, url = devnet.url): RunningChain => {
    const parts = {
      registry: protocols,
      router: devnet.chain.wrappedNative,
      tokens: registry,
      settings,
      log,
    };
    const served = serveChain({ chain, endpoints: [url], ...parts });
    running.push(served);
    void served.start();
    return served;
  };
  const whole = serve(devnet.chain);
  await whole.ready;
  return {
    devnet,
    whole,
    tokens,
    serve,
    hubbed: (count: number): Chain => ({ ...devnet.chain, hubs: busiest(devnet, whole).slice(0, count) }),
    genesis: () => genesis(devnet.url),
    /** Compares states with those of the chain that was built from its logs. @returns how many */
    sameStates: (served: RunningChain, pools: Iterable<Pool>) => expectSameStates(whole, served, pools),
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
      tokens.close();
      await devnet.stop();
    },
  };
}

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Tokens by how many pools have them, the wrapped coin first. */
export function busiest(devnet: Devnet, whole: RunningChain): Address[] {
  const counts = new Map<Address, number>();
  for (const { tokens: of } of whole.pools())
    for (const token of of) counts.set(token, (counts.get(token) ?? 0) + 1);
  const order = [...counts.keys()].filter((token) => token !== NATIVE);
  const rank = (token: Address) =>
    token === devnet.chain.wrappedNative ? Number.POSITIVE_INFINITY : counts.get(token)!;
  return order.sort((a, b) => rank(b) - rank(a));
}

const patience = { timeout: 60_000, interval: 20 };

export const live = (served: RunningChain) =>
  vi.waitUntil(() => served.market.status().phase === "live", patience);

export const complete = (served: RunningChain) =>
  vi.waitUntil(() => served.discovery!.coverage().phase === "complete", patience);

/** A state without the time at which it was read. */
function timeless(state: unknown): string {
  return JSON.stringify(state, (key, value: unknown) => {
    if (key === "readAt") return undefined;
    return typeof value === "bigint" ? `${value}n` : value;
  });
}

function expectSameStates(whole: RunningChain, served: RunningChain, pools: Iterable<Pool>): number {
  const [mine, theirs] = [served.market.view(), whole.market.view()];
  let count = 0;
  for (const { id, stateIds } of pools) {
    const [state, expected] = [mine.get(stateIds[0]), theirs.get(stateIds[0])];
    expect(timeless(state), id).toBe(timeless(expected));
    count++;
  }
  return count;
}

async function genesis(url: string): Promise<`0x${string}`> {
  const body = { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["0x0", false] };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return ((await answer.json()) as { result: { hash: `0x${string}` } }).result.hash;
}
