import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Address } from "../../../src/core/types.ts";
import { BadInput } from "../market/fields.ts";
import type { Board, Edge } from "../orders/board.ts";
import { type Answer, judgeEdges, type Task } from "../proof/judge.ts";
import type { Rival } from "./compare.ts";

/** A pool as an adapter gets it; `state` is the decoded one, integers as bigint. */
export type PeerPool = {
  readonly address: Address;
  readonly protocol: string;
  readonly tokens: readonly Address[];
  readonly state: unknown;
  /** Gas units of a usual crossing. */
  readonly gas: number;
};

export type PeerOrder = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  /** Units of the token bought that a unit of gas costs; 0 where gas is free. */
  readonly gasPriceOut: number;
  /** Pool crossings at most; Infinity = no cap. */
  readonly maxLegs: number;
};

/** What the router sends through a pool, in smallest units of `tokenIn`; all flows together may form any graph. */
export type PeerFlow = {
  readonly pool: Address;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: number;
};

/** A router over one market. No flows: it found nothing. */
export type Peer = { route(order: PeerOrder): readonly PeerFlow[] | Promise<readonly PeerFlow[]> };

/** What an adapter file exports. */
export type PeerModule = {
  createPeer(market: { readonly native: Address; readonly pools: readonly PeerPool[] }): Peer | Promise<Peer>;
};

/** The adapters in the folder that `BENCH_PEERS_DIR` names: `<name>.peer.mjs` files; none where it is not set. */
export async function loadPeers(board: Board, folder: string | undefined): Promise<Rival[]> {
  if (folder === undefined || folder === "") return [];
  const files = filesIn(folder);
  const market = { native: board.market.native, pools: peerPools(board) };
  const edges = new Map(board.edges.map((edge) => [keyOf(edge), edge]));
  return Promise.all(
    files.map(async (file) => {
      const { createPeer } = (await import(pathToFileURL(resolve(folder, file)).href)) as PeerModule;
      const peer = await createPeer(market);
      const answer = (task: Task) => ask(peer, task, edges);
      return { name: file.replace(".peer.mjs", ""), answer };
    }),
  );
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(".peer.mjs"));
  } catch (error) {
    throw new BadInput(`BENCH_PEERS_DIR: ${join(folder)} cannot be read (${(error as Error).message})`);
  }
}

function peerPools({ market, edges }: Board): PeerPool[] {
  const gas = new Map(edges.map((edge) => [edge.pool, edge.gas]));
  return market.pools.map((pool) => ({
    address: pool.address,
    protocol: pool.deployment,
    tokens: pool.tokens,
    state: market.states.get(pool.id),
    gas: gas.get(pool) ?? 0,
  }));
}

function keyOf({ pool, i, j }: Edge): string {
  return `${pool.id} ${pool.tokens[i]} ${pool.tokens[j]}`;
}

async function ask(peer: Peer, task: Task, edges: ReadonlyMap<string, Edge>): Promise<Answer | undefined> {
  const { board, from, to, amount, gasOut, maxLegs } = task;
  const [tokenIn, tokenOut] = [board.tokens[from]!, board.tokens[to]!];
  const flows = await peer.route({ tokenIn, tokenOut, amountIn: amount, gasPriceOut: gasOut, maxLegs });
  const known = flows.flatMap(({ pool, tokenIn: sold, tokenOut: bought, amountIn }) => {
    const edge = edges.get(`${pool} ${sold} ${bought}`.toLowerCase());
    return edge === undefined ? [] : [{ edge, amount: amountIn }];
  });
  return judgeEdges(task, known);
}
