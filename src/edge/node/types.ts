import type { Head, Hex, Log } from "../../core/types.ts";

/** A block header as far as the follower reads it. */
export type Header = Head & {
  readonly logsBloom: Hex;
  /** Wei per gas; undefined on chains without EIP-1559. */
  readonly baseFeeWei: bigint | undefined;
  /** What the next block's is by Ethereum's rule, which chains may have of their own; undefined where it cannot be told. */
  readonly nextBaseFeeWei: bigint | undefined;
  /** Undefined where the node shows none. */
  readonly receiptsRoot: Hex | undefined;
  /** The fields were seen to hash to `hash`: bloom and receipts root are the block's own. */
  readonly isSealed: boolean;
};

/** A block by both names: the hash pins it, the number is for nodes that take no hash. */
export type BlockRef = { readonly number: number; readonly hash: Hex };

/** A log with its place on the chain. */
export type ChainLog = Log & { readonly blockNumber: number; readonly logIndex: number };

/**
 * Logs of one block, and what they are worth. `proven`: they hash to the header. `told`: one endpoint says so, and nothing
 * contradicts it. `doubted`: there are none, or they contradict the header, so that they only hint at what changed.
 */
export type BlockLogs = {
  readonly logs: readonly ChainLog[];
  readonly trust: "proven" | "told" | "doubted";
  /** Those that two endpoints tell differently, and nothing proves. */
  readonly disputed: readonly ChainLog[];
};

/** One JSON-RPC request without its id. */
export type Request = { readonly method: string; readonly params: readonly unknown[] };

/** What the indexer reads of a chain. Every method rejects with NodeFailure. */
export type ChainReader = {
  /** The header of the block with this hash; undefined where no node knows it. */
  headerByHash(hash: Hex): Promise<Header | undefined>;
  /** Headers first … last of what the nodes hold for the canonical chain; a number beyond it is undefined. */
  headersByNumber(first: number, last: number): Promise<(Header | undefined)[]>;
  /** All logs of these blocks with one of `topics` first, in chain order, each block with what they are worth. */
  logsOf(headers: readonly Header[], topics: readonly Hex[]): Promise<BlockLogs[]>;
  /** Logs of `addresses` in blocks first … last, for history that no reorg reaches. */
  logsIn(range: LogRange): AsyncIterable<ChainLog[]>;
  /** The same, the newest pages first; each says at which block it begins. */
  logsBefore(range: LogRange): AsyncIterable<{ readonly first: number; readonly logs: ChainLog[] }>;
  /** Answers of calls at one block, in order; a call that reverts is "0x". */
  read(calls: readonly { to: Hex; data: Hex }[], block: BlockRef): Promise<Hex[]>;
};

export type LogRange = {
  readonly first: number;
  readonly last: number;
  readonly addresses: readonly Hex[];
  readonly topics: readonly Hex[];
  /** Blocks of the first page, where a width that this endpoint answers is known. */
  readonly width?: number | undefined;
};
