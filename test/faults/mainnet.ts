import { isDeepStrictEqual } from "node:util";
import { pino } from "pino";
import { ethereum } from "../../src/chains/ethereum/ethereum.ts";
import type { Chain as ChainRecord, Hex, Pool, View } from "../../src/core/types.ts";
import { type RunningChain, serveChain } from "../../src/edge/serve-chain.ts";
import { defaultEdgeSettings, type EdgeSettings } from "../../src/edge/settings.ts";
import { openTokenRegistry } from "../../src/edge/token-lists/registry.ts";
import { protocols } from "../../src/protocols/index.ts";
import { type Chain, type ChainOptions, createChain } from "../chain/blocks/chain.ts";
import { isPair, type PoolState } from "../chain/model/states.ts";
import { createBackend } from "../chain/node/backend.ts";
import { type FakeNode, startFakeNode } from "../chain/node/fake-node.ts";
import { type Profile, profileOf } from "../chain/node/profiles.ts";

/** The edge in this process on a small fake mainnet, whose nodes misbehave on command. */
export type Trial = {
  readonly chain: Chain;
  readonly nodes: readonly FakeNode[];
  readonly served: RunningChain;
  /** Lines of the log. */
  readonly lines: string[];
  /** Waits until the newest block of the chain is committed. @throws Error with the newest lines of the log */
  arrived(what: string): Promise<void>;
  /** Waits until `met`. */
  until(met: () => boolean, what: string): Promise<void>;
  close(): Promise<void>;
};

export type TrialOptions = {
  readonly profiles?: readonly Profile[];
  readonly settings?: Partial<EdgeSettings>;
  readonly chain?: Partial<ChainOptions>;
  /** Over websockets instead of HTTP. */
  readonly sockets?: boolean;
  /** Called with the nodes before anything is asked of them. */
  readonly prepare?: (nodes: readonly FakeNode[], chain: Chain) => void;
};

const SIZES = { v2: 600, v3: 300, v4: 150 };
/** Nothing is timed by it: after so long it is taken that something never happens, on a busy machine too. */
const PATIENCE_MS = 240_000;

/** Deployments that the fake chain has, and none of those whose addresses have no code there. */
export function recordOf({ universe }: Chain): ChainRecord {
  const ids = new Set(["wrapped-native", ...universe.ranges.map(({ id }) => id)]);
  return { ...ethereum, deployments: ethereum.deployments.filter(({ id }) => ids.has(id)) };
}

export async function openTrial(options: TrialOptions = {}): Promise<Trial> {
  const chain = createChain({ seed: 5, sizes: SIZES, built: 20, busyHistory: false, ...options.chain });
  const nodes: FakeNode[] = [];
  for (const profile of options.profiles ?? [profileOf("local")]) {
    const node = await startFakeNode(createBackend(chain, profile), { profile });
    chain.onBlock(() => node.push());
    nodes.push(node);
  }
  options.prepare?.(nodes, chain);
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const tokens = openTokenRegistry(undefined, log);
  const served = serveChain({
    chain: recordOf(chain),
    endpoints: nodes.map(({ url, wsUrl }) => (options.sockets === true ? wsUrl : url)),
    registry: protocols,
    router: ethereum.wrappedNative,
    tokens,
    settings: {
      ...defaultEdgeSettings,
      pollMs: 40,
      attemptMs: 3000,
      selfCheckBlocks: 1,
      ...options.settings,
    },
    log,
  });
  await served.start();
  const until: Trial["until"] = async (met, what) => {
    const limit = performance.now() + PATIENCE_MS;
    while (!met()) {
      if (performance.now() > limit)
        throw new Error(`it never happened: ${what}\n${lines.slice(-5).join("")}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    chain,
    nodes,
    served,
    lines,
    until,
    arrived: (what) => until(() => headOf(served) === chain.head().hash, what),
    async close() {
      await served.stop();
      for (const node of nodes) await node.close();
      tokens.close();
    },
  };
}

export function headOf({ market }: RunningChain): string | undefined {
  const status = market.status();
  return status.phase === "live" ? status.head.hash : undefined;
}

/**
 * Compares every state in memory with the chain's own at the block that the market says it stands at.
 *
 * @returns pools compared, and what differs
 */
export function compare({ chain, served }: Pick<Trial, "chain" | "served">): Compared {
  const status = served.market.status();
  if (status.phase !== "live") return { compared: 0, wrong: ["the market is not live"] };
  return compareStates(chain, { head: status.head.hash, view: served.market.view(), pools: served.pools() });
}

export type Compared = { readonly compared: number; readonly wrong: readonly string[] };

/** What a market holds at a block. */
export type Holding = { readonly head: Hex; readonly view: View; readonly pools: Iterable<Pool> };

export function compareStates(chain: Chain, { head, view, pools }: Holding): Compared {
  const block = chain.byHash(head);
  if (block === undefined) return { compared: 0, wrong: [`block ${head} is not of the chain`] };
  const wrong: string[] = [];
  let compared = 0;
  for (const pool of pools) {
    const number = chain.universe.byKey(pool.id as Hex);
    const held = view.get(pool.stateIds[0]);
    if (number === undefined || held === undefined) continue;
    compared++;
    const right = chain.state(number, block);
    if (right === undefined) wrong.push(`${pool.id} does not exist at block ${block.number}`);
    else if (!isSame(held as Held, right)) wrong.push(describe(pool, block.number));
  }
  return { compared, wrong };
}

type Held = Readonly<Record<string, unknown>> & { readonly lowest?: number; readonly highest?: number };

function describe({ id, deployment }: Pool, number: number): string {
  return `${deployment} ${id} is not what it is at block ${number}`;
}

/** Ticks are compared where the edge knows them. */
function isSame(held: Held, right: PoolState): boolean {
  if (isPair(right)) return isDeepStrictEqual(held.reserves, right.reserves);
  const { sqrtPriceX96, tick, liquidity, ticks, nets, grosses } = right;
  const known = ticks.flatMap((at, k) => (at >= held.lowest! && at <= held.highest! ? [k] : []));
  const own = { sqrtPriceX96: held.sqrtPriceX96, tick: held.tick, liquidity: held.liquidity };
  return (
    isDeepStrictEqual(own, { sqrtPriceX96, tick, liquidity }) &&
    isDeepStrictEqual(
      held.ticks,
      known.map((k) => ticks[k]),
    ) &&
    isDeepStrictEqual(
      held.nets,
      known.map((k) => nets[k]),
    ) &&
    isDeepStrictEqual(
      held.grosses,
      known.map((k) => grosses[k]),
    )
  );
}

/** @throws Error where a state differs, or hardly any was compared */
export function mustBeExact(trial: Pick<Trial, "chain" | "served">, least = 30): void {
  const { compared, wrong } = compare(trial);
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${compared} states are wrong: ${wrong[0]}`);
  if (compared < least) throw new Error(`only ${compared} states are there to compare`);
}
