import type { Address, Hex, Log } from "../../../src/core/types.ts";
import { bloomOf } from "../../../src/edge/node/logs/bloom.ts";
import { BALANCER_VAULT } from "../model/families.ts";
import { mix, words } from "../model/hash.ts";
import { firstState, isPair } from "../model/states.ts";
import type { Range, Universe } from "../model/universe.ts";
import {
  CREATION,
  creationLog,
  type Placed,
  place,
  SWAP_BALANCER,
  SWAP_V4,
  swapLogTicks,
  TRADER,
} from "./events.ts";
import { BASE_FEE_WEI, type Header } from "./seal.ts";
import { EMPTY_ROOT } from "./trie.ts";

/** The blocks below the first one that is really built: headers and logs by formula. */
export type History = {
  /** The last block of it. */
  readonly last: number;
  header(number: number): Header;
  hash(number: number): Hex;
  /** The number of the block with this hash. */
  numberOf(hash: Hex): number | undefined;
  /** The block in which the pool was created; undefined: not in the history. */
  createdIn(pool: number): number | undefined;
  /** Rows that the filter may match in these blocks, at most. */
  estimate(filter: HistoryFilter): number;
  logs(filter: HistoryFilter): Placed[];
};

export type HistoryFilter = {
  readonly first: number;
  readonly last: number;
  /** undefined: of any. */
  readonly addresses: ReadonlySet<Address> | undefined;
  readonly topics: readonly (ReadonlySet<Hex> | undefined)[];
};

export type HistoryOptions = {
  readonly universe: Universe;
  readonly genesis: Hex;
  readonly last: number;
  readonly lastTimestamp: number;
  readonly blockSeconds: number;
  /** Pools of a range that the history has; the rest is created later. */
  readonly made: (range: Range) => number;
  /** Whether busy singletons leave swaps in every block. */
  readonly isBusy: boolean;
};

/** Rows of traffic that a busy singleton leaves in each block; they are what a filter that is too wide downloads. */
type Noise = {
  readonly address: Address;
  readonly topic: Hex;
  readonly from: number;
  readonly perBlock: number;
};

const VAULT_FROM = 12_272_146;
const NOISE_INDEX = 10_000;

export function createHistory(options: HistoryOptions): History {
  const { universe, last } = options;
  const mark = (number: number) =>
    [0, 1, 2, 3, 4].map((k) => mix(universe.seed, number, k, 99).toString(16).padStart(8, "0")).join("");
  const hash = (number: number): Hex =>
    number === 0 ? options.genesis : `0x${mark(number)}${number.toString(16).padStart(24, "0")}`;
  const numberOf = (of: Hex) => {
    if (of === options.genesis) return 0;
    const number = Number.parseInt(of.slice(42), 16);
    return number <= last && hash(number) === of ? number : undefined;
  };
  const placeIn = (log: Log, number: number, index: number) =>
    place(
      log,
      { number, hash: hash(number) },
      { log: index, transaction: index, hash: words(number, index).replace("0x00", "0x7a") as Hex },
    );
  const sources = sourcesOf(options, placeIn);
  const logs = (filter: HistoryFilter) =>
    sources
      .flatMap((source) => (source.mayMatch(filter) ? source.rows(filter) : []))
      .filter((row) => matches(row, filter))
      .sort(
        (a, b) => Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex),
      );
  return {
    last,
    hash,
    numberOf,
    header: (number) => headerOf(options, { number, hash }, logs),
    createdIn(pool) {
      const range = universe.rangeOf(pool);
      const k = pool - range.first;
      const made = options.made(range);
      return k < made ? creationBlock(range, k, { last, made }) : undefined;
    },
    estimate: (filter) =>
      sources.reduce((sum, source) => sum + (source.mayMatch(filter) ? source.count(filter) : 0), 0),
    logs,
  };
}

export function matches(log: Log, { addresses, topics }: Omit<HistoryFilter, "first" | "last">): boolean {
  if (addresses !== undefined && !addresses.has(log.address)) return false;
  return topics.every((wanted, k) => wanted === undefined || wanted.has(log.topics[k] as Hex));
}

type Source = {
  mayMatch(filter: HistoryFilter): boolean;
  count(filter: HistoryFilter): number;
  rows(filter: HistoryFilter): Placed[];
};
type PlaceIn = (log: Log, number: number, index: number) => Placed;

function sourcesOf(options: HistoryOptions, placeIn: PlaceIn): Source[] {
  const { ranges } = options.universe;
  const manager = ranges.find(({ kind }) => kind === "v4");
  const noises: Noise[] = [
    { address: BALANCER_VAULT, topic: SWAP_BALANCER, from: VAULT_FROM, perBlock: 1 },
    ...(manager
      ? [{ address: manager.factory, topic: SWAP_V4, from: manager.fromBlock ?? 0, perBlock: 4 }]
      : []),
  ];
  return [
    ...ranges.map((range, k) => creations(options, range, { k, placeIn })),
    ...(options.isBusy ? noises : []).map((noise, k) => traffic(options, noise, { k, placeIn })),
  ];
}

function concerns({ addresses, topics }: HistoryFilter, address: Address, topic: Hex): boolean {
  return (
    (addresses === undefined || addresses.has(address)) && (topics[0] === undefined || topics[0].has(topic))
  );
}

/** The k-th pool of a factory: they are spread evenly over the blocks since its first. */
function creationBlock(
  { fromBlock }: Range,
  k: number,
  { last, made }: { readonly last: number; readonly made: number },
): number {
  return fromBlock + Math.floor(((last - fromBlock) * k) / made);
}

function creations(
  options: HistoryOptions,
  range: Range,
  { k: family, placeIn }: { k: number; placeIn: PlaceIn },
): Source {
  const { universe } = options;
  const made = options.made(range);
  const blockOf = (k: number) => creationBlock(range, k, { last: options.last, made });
  /** The first pool that was created in block `number` or later. */
  const from = (number: number) => {
    if (number <= range.fromBlock) return 0;
    let k = Math.max(
      0,
      Math.floor(((number - range.fromBlock) * made) / (options.last - range.fromBlock)) - 2,
    );
    while (k < made && blockOf(k) < number) k++;
    return k;
  };
  return {
    mayMatch: (filter) => concerns(filter, range.factory, CREATION[range.kind]),
    count: ({ first, last }) => from(last + 1) - from(first),
    rows({ first, last, topics }) {
      const rows: Placed[] = [];
      const end = from(last + 1);
      const wants = topics[1] !== undefined || topics[2] !== undefined;
      for (let k = from(first); k < end; k++) {
        const pool = range.first + k;
        if (wants && range.kind !== "v4" && !pairMatches(universe, pool, topics)) continue;
        const number = blockOf(k);
        const log = creationLog(universe, pool, { numbered: k + 1, first: firstPrice(universe, pool) });
        rows.push(placeIn(log, number, family * 1000 + (k - from(number))));
      }
      return rows;
    },
  };
}

function pairMatches(universe: Universe, pool: number, topics: HistoryFilter["topics"]): boolean {
  const [a, b] = universe.pairAddresses(pool);
  const has = (wanted: ReadonlySet<Hex> | undefined, address: Address) =>
    wanted === undefined || wanted.has(`0x${address.slice(2).padStart(64, "0")}`);
  return has(topics[1], a) && has(topics[2], b);
}

function firstPrice(universe: Universe, pool: number): readonly [bigint, number] {
  if (universe.rangeOf(pool).kind !== "v4") return [0n, 0];
  const state = firstState(universe, pool);
  return isPair(state) ? [0n, 0] : [state.sqrtPriceX96, state.tick];
}

function traffic(
  options: HistoryOptions,
  noise: Noise,
  { k: kind, placeIn }: { k: number; placeIn: PlaceIn },
): Source {
  const { universe } = options;
  const blocks = (filter: HistoryFilter) => Math.max(0, filter.last - Math.max(filter.first, noise.from) + 1);
  const v4 = universe.ranges.find(({ factory }) => factory === noise.address);
  const rowOf = (number: number, n: number): Log => {
    const at = mix(universe.seed, number, n, kind);
    if (v4 === undefined || v4.count === 0) {
      const id = words(BigInt(at) << 96n);
      return { address: noise.address, topics: [noise.topic, id, TRADER, TRADER], data: words(at, at + 1) };
    }
    const pool = v4.first + (at % v4.count);
    const swap = {
      amount0: BigInt(at),
      amount1: -BigInt(at),
      sqrtPriceX96: 2n ** 96n,
      liquidity: BigInt(at),
      tick: 0,
    };
    return swapLogTicks(universe, pool, swap);
  };
  return {
    mayMatch: (filter) => concerns(filter, noise.address, noise.topic),
    count: (filter) => blocks(filter) * noise.perBlock,
    rows(filter) {
      const rows: Placed[] = [];
      for (let number = Math.max(filter.first, noise.from); number <= filter.last; number++) {
        for (let n = 0; n < noise.perBlock; n++) {
          rows.push(placeIn(rowOf(number, n), number, NOISE_INDEX + kind * 100 + n));
        }
      }
      return rows;
    },
  };
}

function headerOf(
  { lastTimestamp, blockSeconds, last }: HistoryOptions,
  { number, hash }: { readonly number: number; readonly hash: (number: number) => Hex },
  logs: History["logs"],
): Header {
  const own = number === 0 ? [] : logs({ first: number, last: number, addresses: undefined, topics: [] });
  return {
    number,
    hash: hash(number),
    parentHash: number === 0 ? `0x${"00".repeat(32)}` : hash(number - 1),
    timestamp: Math.max(0, Math.floor(lastTimestamp - (last - number) * blockSeconds)),
    logsBloom: bloomOf(own),
    receiptsRoot: EMPTY_ROOT,
    transactionsRoot: EMPTY_ROOT,
    stateRoot: hash(number),
    gasUsed: 0,
    baseFeePerGas: BASE_FEE_WEI,
    extraData: "0x",
  };
}
