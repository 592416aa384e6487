import type { Call, Head, Hex, Log } from "../../core/types.ts";

/** The fields of a block header that the follower uses. */
export type Header = Head & {
  readonly logsBloom: Hex;
  /** Wei per gas; undefined on chains without EIP-1559. */
  readonly baseFeeWei: bigint | undefined;
  /**
   * The next block's base fee by Ethereum's rule (EIP-1559), wei per gas; a chain may have a rule of its own. Undefined
   * where the base fee, the gas used or the gas limit is missing.
   */
  readonly nextBaseFeeWei: bigint | undefined;
  /** Undefined where the node's answer has none. */
  readonly receiptsRoot: Hex | undefined;
  /**
   * Whether the fields were found to hash to `hash`, so that the bloom and the receipts root are certainly the block's.
   */
  readonly isSealed: boolean;
};

/** A block by hash and number: the hash identifies it; the number is for nodes that take no block hash in calls. */
export type BlockRef = { readonly number: number; readonly hash: Hex };

/** A log with its block number and its index in the block. */
export type ChainLog = Log & { readonly blockNumber: number; readonly logIndex: number };

/**
 * Logs of one block, and how far they can be trusted. `proven`: they follow from the header's hash, by the receipts
 * root or the bloom. `told`: an endpoint reports them, and no receipts were shown that contradict the header.
 * `doubted`: no endpoint reports logs, or such receipts were shown; the logs then only hint at what changed.
 */
export type BlockLogs = {
  readonly logs: readonly ChainLog[];
  readonly trust: "proven" | "told" | "doubted";
  /** Logs on which two endpoints disagree and which nothing proves. */
  readonly disputed: readonly ChainLog[];
};

/** One JSON-RPC request without its id. */
export type Request = { readonly method: string; readonly params: readonly unknown[] };

/** What the indexer reads of a chain. Every method rejects with NodeFailure. */
export type ChainReader = {
  /** The header of the block with this hash; undefined where no node knows it. */
  headerByHash(hash: Hex): Promise<Header | undefined>;
  /** Headers `first` to `last` of the nodes' canonical chain; undefined for a number above their head. */
  headersByNumber(first: number, last: number): Promise<(Header | undefined)[]>;
  /** All logs of these blocks whose topic0 is one of `topics`, in chain order, with the trust in them by block. */
  logsOf(headers: readonly Header[], topics: readonly Hex[]): Promise<BlockLogs[]>;
  /** Logs of `addresses` in blocks `first` to `last`, oldest page first; for history that no reorg reaches. */
  logsIn(range: LogRange): AsyncIterable<ChainLog[]>;
  /** Logs as those of `logsIn`, newest page first; each page names the block at which it begins. */
  logsBefore(range: LogRange): AsyncIterable<{ readonly first: number; readonly logs: ChainLog[] }>;
  /**
   * Answers of calls on the state of one block, in order; "0x" for a call that reverts. No call changes what a call of
   * another contract answers.
   */
  read(calls: readonly Call[], block: BlockRef): Promise<Hex[]>;
};

export type LogRange = {
  readonly first: number;
  readonly last: number;
  readonly addresses: readonly Hex[];
  readonly topics: readonly Hex[];
  /** Number of blocks in the first page, where a width that the endpoint answers is known. */
  readonly width?: number | undefined;
};
