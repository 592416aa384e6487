import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { type Address, type Chain, type Head, type Hex, NATIVE } from "../../core/types.ts";
import type { Market } from "../market/market.ts";
import { chunks } from "../node/pace/pace.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { ChainReader } from "../node/types.ts";
import { CALLS_PER_TOKEN, type Metadata, metadataCalls, readMetadata } from "./metadata.ts";
import { rankTokens } from "./rank.ts";
import type { TokenRegistry } from "./registry.ts";

type FollowTokensRequest = {
  readonly chain: Chain;
  readonly market: Market;
  readonly reader: ChainReader;
  readonly registry: TokenRegistry;
  readonly genesis: () => Hex | undefined;
  /** Whether the lists' tokens of this chain id live on this chain. */
  readonly listed: boolean;
  /** In wei of the native coin. */
  readonly activeDepth: number;
  /** The order follows the depth of the market this often. */
  readonly rankMs: number;
  readonly log: Logger;
};

const TOKENS_AT_ONCE = 2000;

/** Contracts that are remembered for saying nothing usable: anybody may ask for any address. */
const MOST_MUTE = 20_000;
/** Tokens that are remembered; those of no pool in the market go first. */
const MOST_TOKENS = 60_000;

type Known = {
  readonly metadata: Map<Address, Metadata>;
  /** Contracts that say nothing usable; asked again after a restart. */
  readonly mute: Set<Address>;
  /** Tokens of pools that came into the market and were not read yet. */
  readonly arrived: Set<Address>;
  loaded: boolean;
  rankedAt: number;
};

type FollowedTokens = {
  /**
   * Takes over a block, one at a time.
   *
   * @returns true once every token of the block is known; false where a node failed: the next block tries again
   */
  takeOver(head: Head): Promise<boolean>;
  /** Reads tokens that no list has, where they are tokens. */
  know(tokens: readonly Address[], head: Head): Promise<void>;
};

/**
 * Keeps the token list of one chain: the shipped lists from the start, then what contracts say, ranked by depth.
 */
export function followTokens(request: FollowTokensRequest): FollowedTokens {
  const known: Known = {
    metadata: new Map(),
    mute: new Set(),
    arrived: new Set(),
    loaded: false,
    rankedAt: Number.NEGATIVE_INFINITY,
  };
  rank(request, known);
  request.market.onChange(({ added }) => {
    for (const { tokens } of added)
      for (const token of tokens) if (isFresh(known, token)) known.arrived.add(token);
  });
  return {
    takeOver: (head) => takeOver(request, known, head),
    async know(tokens, head) {
      const { chain, registry } = request;
      const unlisted = tokens.filter((token) => registry.port.get(chain.id, token) === undefined);
      if (unlisted.length === 0) return;
      if (!known.loaded) recall(request, known);
      const { changed } = await learn(request, known, { tokens: unlisted, head });
      if (changed) rank(request, known);
    },
  };
}

function rank(request: FollowTokensRequest, { metadata }: Known): void {
  const { chain, registry, market } = request;
  const facts = { ...request, lists: registry.lists, onChain: metadata, depthNative: market.depthNative };
  registry.put(chain.id, rankTokens(facts));
}

async function takeOver(request: FollowTokensRequest, known: Known, head: Head): Promise<boolean> {
  if (!known.loaded) recall(request, known);
  for (const token of known.arrived) if (!isFresh(known, token)) known.arrived.delete(token);
  const { complete, changed } = await learn(request, known, { tokens: known.arrived, head });
  const due = performance.now() - known.rankedAt >= request.rankMs;
  if (changed || due) {
    known.rankedAt = performance.now();
    rank(request, known);
  }
  return complete;
}

/** What an earlier run read. */
function recall({ chain, registry, genesis }: FollowTokensRequest, known: Known): void {
  const hash = genesis();
  if (hash !== undefined) {
    for (const token of registry.store.load({ chainId: chain.id, genesis: hash }, MOST_TOKENS)) {
      known.metadata.set(token.address, token);
    }
  }
  known.loaded = true;
}

async function learn(
  request: FollowTokensRequest,
  known: Known,
  { tokens, head }: { tokens: Iterable<Address>; head: Head },
): Promise<{ complete: boolean; changed: boolean }> {
  const { log } = request;
  const fresh = [...tokens].filter((token) => isFresh(known, token));
  let changed = false;
  try {
    for (const part of chunks(fresh, TOKENS_AT_ONCE)) {
      const read = await readTokens(request.reader, part, head);
      remember(request, known, read);
      changed ||= read.size > 0;
    }
    return { complete: true, changed };
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    log.warn(
      { why: error.message, tokens: fresh.length },
      "tokens not read: tried again with the next block",
    );
    return { complete: false, changed };
  }
}

function isFresh({ metadata, mute }: Known, token: Address): boolean {
  return token !== NATIVE && !metadata.has(token) && !mute.has(token);
}

async function readTokens(
  reader: ChainReader,
  tokens: readonly Address[],
  head: Head,
): Promise<Map<Address, Metadata | undefined>> {
  const answers = await reader.read(tokens.flatMap(metadataCalls), head);
  const own = (k: number) => answers.slice(k * CALLS_PER_TOKEN, (k + 1) * CALLS_PER_TOKEN);
  return new Map(tokens.map((token, k) => [token, readMetadata(token, own(k))]));
}

function remember(
  { chain, registry, genesis, market }: FollowTokensRequest,
  known: Known,
  read: ReadonlyMap<Address, Metadata | undefined>,
): void {
  const usable: Metadata[] = [];
  for (const [address, metadata] of read) {
    if (metadata === undefined) known.mute.add(address);
    else {
      known.metadata.set(address, metadata);
      usable.push(metadata);
    }
    known.arrived.delete(address);
  }
  const isUsed = (token: Address) => market.book.poolsOf(token).size > 0;
  shrink(known.mute, MOST_MUTE, isUsed);
  shrink(known.metadata, MOST_TOKENS, isUsed);
  const hash = genesis();
  if (hash !== undefined && usable.length > 0) {
    registry.store.save({ chainId: chain.id, genesis: hash }, usable);
  }
}

/** Forgets the oldest entries beyond a number, of those that are not used. */
function shrink(
  entries: Pick<ReadonlyMap<Address, unknown>, "size" | "keys"> & { delete(token: Address): boolean },
  most: number,
  isUsed: (token: Address) => boolean,
): void {
  if (entries.size <= most) return;
  // Some more than must be, so that not every call walks over those that are used.
  let excess = entries.size - Math.floor(most * KEPT);
  for (const token of entries.keys()) {
    if (excess === 0) return;
    if (isUsed(token)) continue;
    entries.delete(token);
    excess--;
  }
}

/** Share of the most that is left. */
const KEPT = 0.9;
