import type { Hex } from "../../../src/core/types.ts";
import { bloomOf } from "../../../src/edge/node/logs/bloom.ts";
import { MAINNET_GENESIS } from "../model/families.ts";
import { mix, quantity } from "../model/hash.ts";
import { firstState, type PoolState } from "../model/states.ts";
import { createUniverse, MAINNET_SIZES, type Range, type Sizes, type Universe } from "../model/universe.ts";
import { type Placed, place } from "./events.ts";
import { createHistory, type History, type HistoryFilter, matches } from "./history.ts";
import { encodeReceipt, type Header, seal, type Transaction } from "./seal.ts";
import { MAINNET_TRAFFIC, type Traffic, work } from "./traffic.ts";

export type ChainOptions = {
  readonly seed: number;
  readonly chainId?: number;
  readonly genesis?: Hex;
  readonly sizes?: Sizes;
  /** Number of the newest block at the start. */
  readonly head?: number;
  /** How many of the newest blocks are really built, with hashes, blooms and roots that can be verified. */
  readonly built?: number;
  /** May be a fraction: blocks of one second then share its time. */
  readonly blockSeconds?: number;
  readonly traffic?: Traffic;
  /** Whether the history holds the swaps of busy singletons too; true unless told otherwise. */
  readonly busyHistory?: boolean;
  /** Unix seconds of the newest block at the start. */
  readonly headTimestamp?: number;
};

/** A block that was really built. */
export type Block = Header & {
  readonly transactions: readonly Transaction[];
  readonly parent: Block | undefined;
  /** Pairs of the growing factory up to this block. */
  readonly pairs: number;
};

/** A block by what tells it from others: one that was built, or one of the history. */
export type BlockRef = (Header & { readonly transactions?: undefined }) | Block;

export type Chain = {
  readonly chainId: number;
  readonly universe: Universe;
  readonly history: History;
  head(): Block;
  /** The newest canonical block with this number. */
  at(number: number): BlockRef | undefined;
  byHash(hash: Hex): BlockRef | undefined;
  /** The pool as this block left it; undefined: it does not exist yet. */
  state(pool: number, block: BlockRef): PoolState | undefined;
  /** Pools of a factory in this block. */
  made(range: Range, block: BlockRef): number;
  mine(traffic?: Partial<Traffic>): Block;
  /** Replaces the newest blocks by others, one more than there were. @returns the new head */
  reorg(depth: number): Block;
  /** Takes the newest blocks back; what is mined next is another fork. */
  rewind(depth: number): void;
  /** Logs of canonical blocks first … last. */
  logs(filter: HistoryFilter): Placed[];
  logsOf(block: BlockRef): Placed[];
  onBlock(listener: (block: Block) => void): () => void;
};

/** Pairs that the growing factory has in store for new blocks. */
const FRESH = 500;
const HEAD = 23_500_000;

export function createChain(options: ChainOptions): Chain {
  const { seed, chainId = 1, genesis = MAINNET_GENESIS, sizes = MAINNET_SIZES, head = HEAD } = options;
  const { built = 300, blockSeconds = 12, headTimestamp = Math.floor(Date.now() / 1000) } = options;
  const traffic = options.traffic ?? MAINNET_TRAFFIC;
  const universe = createUniverse(seed, sizes);
  const growing = universe.ranges[0] as Range;
  const fresh = Math.min(FRESH, Math.floor(growing.count / 10));
  const made = (range: Range) => (range === growing ? range.count - fresh : range.count);
  const last = head - built;
  const lastTimestamp = headTimestamp - Math.floor(built * blockSeconds);
  const { busyHistory: isBusy = true } = options;
  const history = createHistory({ universe, genesis, last, lastTimestamp, blockSeconds, made, isBusy });
  const busy = busyPools(universe);
  const listeners = new Set<(block: Block) => void>();
  const canonical: Block[] = [];
  const known = new Map<Hex, Block>();
  const versions = new Map<number, { readonly block: Block; readonly state: PoolState }[]>();
  const states = remembering((pool: number) => firstState(universe, pool), 50_000);
  let forks = 0;

  const isOn = (block: Block, tip: Block) => {
    if (block.number > tip.number) return false;
    let at: Block | undefined = tip;
    while (at !== undefined && at.number >= block.number) {
      if (at === block) return true;
      if (canonical[at.number - last - 1] === at) return canonical[block.number - last - 1] === block;
      at = at.parent;
    }
    return false;
  };
  const state: Chain["state"] = (pool, block) => {
    const list = block.transactions ? versions.get(pool) : undefined;
    const version = list?.findLast((one) => isOn(one.block, block as Block));
    if (version !== undefined) return version.state;
    const createdIn = history.createdIn(pool);
    return createdIn !== undefined && createdIn <= block.number ? states(pool) : undefined;
  };
  const mineOn = (parent: Block | undefined, own: Traffic): Block => {
    const number = (parent?.number ?? last) + 1;
    const pairs = parent?.pairs ?? made(growing);
    const isCreating = own.creationEvery > 0 && number % own.creationEvery === 0 && pairs < growing.count;
    const salt = mix(seed, number, forks);
    const before = parent ?? history.header(last);
    const done = work({
      universe,
      salt,
      traffic: own,
      busy,
      before: (pool) => state(pool, before),
      fresh: isCreating ? { pool: growing.first + pairs, numbered: pairs + 1 } : undefined,
    });
    const header = seal({
      number,
      parentHash: before.hash,
      timestamp: Math.floor(lastTimestamp + (number - last) * blockSeconds),
      transactions: done.transactions,
      extraData: `0x${mix(seed, forks).toString(16).padStart(8, "0")}`,
    });
    const block: Block = {
      ...header,
      transactions: done.transactions,
      parent,
      pairs: pairs + (isCreating ? 1 : 0),
    };
    for (const [pool, after] of done.states) {
      const list = versions.get(pool);
      if (list === undefined) versions.set(pool, [{ block, state: after }]);
      else list.push({ block, state: after });
    }
    canonical.push(block);
    known.set(block.hash, block);
    return block;
  };
  while (canonical.length < built) mineOn(canonical.at(-1), traffic);

  const chain: Chain = {
    chainId,
    universe,
    history,
    head: () => canonical.at(-1) as Block,
    at: (number) =>
      number <= last ? (number >= 0 ? history.header(number) : undefined) : canonical[number - last - 1],
    byHash(hash) {
      const number = known.has(hash) ? undefined : history.numberOf(hash);
      return number === undefined ? known.get(hash) : history.header(number);
    },
    state,
    made(range, block) {
      if (range === growing && block.transactions) return block.pairs;
      const end = range.first + made(range);
      let [low, high] = [range.first, end];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((history.createdIn(middle) ?? 0) <= block.number) low = middle + 1;
        else high = middle;
      }
      return low - range.first;
    },
    mine(own = {}) {
      const block = mineOn(canonical.at(-1), { ...traffic, ...own });
      receiptsOf(block);
      for (const listener of listeners) listener(block);
      return block;
    },
    rewind(depth) {
      forks++;
      canonical.length = Math.max(1, canonical.length - depth);
    },
    reorg(depth) {
      const height = canonical.length;
      chain.rewind(depth);
      while (canonical.length < height) mineOn(canonical.at(-1), traffic);
      return chain.mine();
    },
    logs: (filter) => [
      ...(filter.first <= last ? history.logs({ ...filter, last: Math.min(filter.last, last) }) : []),
      ...canonical
        .slice(Math.max(0, filter.first - last - 1), Math.max(0, filter.last - last))
        .flatMap((block) => chain.logsOf(block).filter((log) => matches(log, filter))),
    ],
    logsOf(block) {
      if (block.transactions === undefined) {
        const { number } = block;
        return history.logs({ first: number, last: number, addresses: undefined, topics: [] });
      }
      return placed(block);
    },
    onBlock(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return chain;
}

const placedLogs = new WeakMap<Block, Placed[]>();

function placed(block: Block): Placed[] {
  const kept = placedLogs.get(block);
  if (kept !== undefined) return kept;
  const rows: Placed[] = [];
  for (const [transaction, { hash, logs }] of block.transactions.entries()) {
    for (const log of logs) rows.push(place(log, block, { log: rows.length, transaction, hash }));
  }
  placedLogs.set(block, rows);
  return rows;
}

type Receipts = { readonly shown: readonly object[]; readonly encoded: readonly Hex[] };

/** A node that sealed a block holds its receipts, and does not make them anew for each who asks. */
const madeReceipts = new WeakMap<Block, Receipts>();

/** The receipts of a block as `eth_getBlockReceipts` shows them, and encoded as the trie holds them. */
export function receiptsOf(block: Block): Receipts {
  const kept = madeReceipts.get(block);
  if (kept !== undefined) return kept;
  let cumulative = 0;
  const rows = Map.groupBy(placed(block), ({ transactionHash }) => transactionHash);
  const encoded: Hex[] = [];
  const shown = block.transactions.map((transaction, k) => {
    cumulative += transaction.gasUsed;
    encoded.push(encodeReceipt(transaction, cumulative));
    return {
      transactionHash: transaction.hash,
      transactionIndex: quantity(k),
      blockHash: block.hash,
      blockNumber: quantity(block.number),
      type: "0x2",
      status: "0x1",
      cumulativeGasUsed: quantity(cumulative),
      gasUsed: quantity(transaction.gasUsed),
      effectiveGasPrice: quantity(2n * block.baseFeePerGas),
      logsBloom: bloomOf(transaction.logs),
      logs: rows.get(transaction.hash) ?? [],
    };
  });
  const receipts = { shown, encoded };
  madeReceipts.set(block, receipts);
  return receipts;
}

function busyPools(universe: Universe): number[][] {
  const busy: [number[], number[]] = [[], []];
  for (let pool = 0; pool < universe.count; pool++) {
    const rank = universe.rank(pool);
    if (rank < 2) busy[rank as 0 | 1].push(pool);
  }
  return busy;
}

function remembering<V>(compute: (key: number) => V, most: number): (key: number) => V {
  const known = new Map<number, V>();
  return (key) => {
    const old = known.get(key);
    if (old !== undefined) return old;
    if (known.size >= most) known.clear();
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
