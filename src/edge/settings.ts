import type { Chain } from "../core/types.ts";
import type { NodeSettings } from "./node/node.ts";
import { isLoopback } from "./node/transport/loopback.ts";

/** What an operator may set of the edge. */
export type EdgeSettings = {
  /**
   * Between two questions for the head. Unset: an eighth of the block time, 250 ms (500 ms on a chain of several blocks a second)
   * … 1,500 ms, from when the next block is due; a node on this machine is asked as soon as it has one.
   */
  readonly pollMs: number | undefined;
  /** A node that has not answered after this is given up for this request. */
  readonly attemptMs: number;
  /** Longest wait of the indexer for one read, all attempts together. */
  readonly indexDeadlineMs: number;
  /** Longest wait of a request's own read: balance, allowance, simulation. */
  readonly readDeadlineMs: number;
  /** Within so many blocks the deepest pools are compared with the chain; 0 = never. On a fast chain, in so many times 2 or 4 s. */
  readonly selfCheckBlocks: number;
  /** How many pools count as the deepest. */
  readonly selfCheckPools: number;
  /** A token is active when one of its pools holds this much of it, in whole native coins. */
  readonly activeDepthNative: number;
  /** The order of the token list follows the market this often. */
  readonly rankMs: number;
  /** Largest answer taken from a node. */
  readonly maxBytes: number;
  /** Whether the transactions of each block are read, one request a block. */
  readonly readBlocks: boolean;
  /** Threads that search for routes of one chain at a time; 0 = the thread that answers requests does. */
  readonly searchThreads: number;
};

export const defaultEdgeSettings: EdgeSettings = {
  pollMs: undefined,
  attemptMs: 5000,
  indexDeadlineMs: 20_000,
  readDeadlineMs: 3000,
  selfCheckBlocks: 32,
  selfCheckPools: 1000,
  activeDepthNative: 1,
  rankMs: 300_000,
  maxBytes: 64 * 1024 * 1024,
  readBlocks: false,
  searchThreads: 0,
};

/** Milliseconds between two questions for the head of this chain. */
export function pollMsOf(chain: Chain, { pollMs }: EdgeSettings): number {
  const least = chain.blockTimeMs < 1000 ? 600 : 250;
  return pollMs ?? Math.min(1500, Math.max(least, Math.floor(chain.blockTimeMs / 8)));
}

/** On a fast chain the receipts of each block weigh more than all else that is read: some blocks are proven, each so often. */
const PROOF_MS = 12_000;

/** Settings of the node client for one chain. */
export function nodeSettings(
  chain: Chain,
  settings: EdgeSettings,
  urls: readonly string[] = [],
): NodeSettings {
  return {
    pollMs: pollMsOf(chain, settings),
    adapts: settings.pollMs === undefined,
    blockTimeMs: chain.blockTimeMs,
    attemptMs: settings.attemptMs,
    deadlineMs: settings.indexDeadlineMs,
    hedgeMinMs: 100,
    hedgeMaxMs: 2000,
    lagBlocks: Math.max(2, Math.ceil(2000 / chain.blockTimeMs)),
    maxBytes: settings.maxBytes,
    batchSize: 100,
    proofBlocks: urls.every(isLoopback) ? 1 : Math.max(1, Math.floor(PROOF_MS / chain.blockTimeMs)),
    opinions: urls.length > 1,
    multicallSize: 300,
    lanes: 4,
    firstWindow: 2000,
    maxWindow: 100_000,
  };
}
