import type { Chain } from "../core/types.ts";
import type { NodeSettings } from "./node/node.ts";
import { isLoopback } from "./node/transport/loopback.ts";

/** Settings of the edge that an operator may change. */
export type EdgeSettings = {
  /**
   * Milliseconds between two requests for the head. Unset: an eighth of the block time, within 250 ms (600 ms on a
   * chain of several blocks a second) … 1,500 ms, from when the next block is due; a node on this machine is asked as
   * soon as it has one.
   */
  readonly pollMs: number | undefined;
  /** Longest wait for one attempt of a request at one node. */
  readonly attemptMs: number;
  /** Longest wait of the indexer for one read, over all attempts. */
  readonly indexDeadlineMs: number;
  /** Longest wait of a request's own read: balance, allowance, simulation. */
  readonly readDeadlineMs: number;
  /**
   * Blocks within which all of the deepest pools are compared with the chain; 0 = never. On a fast chain, periods of 2
   * or 4 s instead.
   */
  readonly selfCheckBlocks: number;
  /** Number of pools that count as the deepest. */
  readonly selfCheckPools: number;
  /** A token is active when one of its pools holds at least this value of it, in whole native coins. */
  readonly activeDepthNative: number;
  /** Milliseconds between two rankings of the token list by the market's depth. */
  readonly rankMs: number;
  /** Largest answer accepted from a node, bytes. */
  readonly maxBytes: number;
  /** Whether the transactions of each block are read, one request a block. */
  readonly readBlocks: boolean;
  /** Search threads of one chain; 0 = the main thread searches for routes. */
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

/** Milliseconds between two requests for the head of this chain. */
export function pollMsOf(chain: Chain, { pollMs }: EdgeSettings): number {
  const least = chain.blockTimeMs < 1000 ? 600 : 250;
  return pollMs ?? Math.min(1500, Math.max(least, Math.floor(chain.blockTimeMs / 8)));
}

/**
 * On a fast chain the receipts of each block are larger than everything else that is read, so a block is proven only
 * once in this time.
 */
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
