import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { type Address, type Chain, type Head, type Hex, NATIVE } from "../../core/types.ts";
import type { Market } from "../market/market.ts";
import { chunks } from "../node/pace/pace.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { ChainReader } from "../node/types.ts";
import { CALLS_PER_TOKEN, type Metadata, metadataCalls, readMetadata } from "./metadata.ts";
import { noneRanked, type Ranked, type RankRequest, rankTokens, withTokens } from "./rank.ts";
import type { TokenRegistry } from "./registry.ts";

type FollowTokensRequest = {
  readonly chain: Chain;
  readonly market: Market;
  readonly reader: ChainReader;
  readonly registry: TokenRegistry;
  readonly genesis: () => Hex | undefined;
  /** Whether the lists' tokens of this chain id live on this chain: false on a devnet. */
  readonly listed: boolean;
  /** Depth from which on a token is active, in wei of the native coin. */
  readonly activeDepth: number;
  /** Milliseconds between two rankings by the depth of the market. */
  readonly rankMs: number;
  readonly log: Logger;
};

const TOKENS_AT_ONCE = 2000;

/** Most contracts that are remembered as no tokens. The number is bounded, since a request may name any address. */
const MOST_MUTE = 20_000;
/** Time for which a contract without usable metadata is not read again, whoever names it. */
const MUTE_MS = 5 * 60_000;
/** Interval at which pools' tokens without usable metadata are read again although nobody names them. */
const REREAD_MS = 15 * 60_000;
/** Most tokens whose metadata is remembered. Beyond it, tokens of no pool in the market are forgotten, oldest first. */
const MOST_TOKENS = 60_000;

type Known = {
  readonly metadata: Map<Address, Metadata>;
  /**
   * Contracts without usable metadata, with the time at which they were read, the oldest first. A token may be deployed
   * there later, and a node may fail a call of a token.
   */
  readonly mute: Map<Address, number>;
  /** Tokens of pools that entered the market, whose metadata is not read yet. */
  readonly arrived: Set<Address>;
  loaded: boolean;
  ranked: Ranked;
  /** Tokens that were added since the last ranking began. */
  unranked: Set<Address>;
  rankedAt: number;
  /** Duration of the last ranking. */
  rankingMs: number;
};

/**
 * Least time between two rankings for new tokens, in durations of the last ranking: at most about 1/50 of the time goes
 * into rankings. New tokens come with every block; until they are ranked they stand among those without a rank.
 */
const REST = 50;

type FollowedTokens = {
  /**
   * Reads the tokens that came with a block, and ranks the list where that is due. Calls must not overlap.
   *
   * @returns true once every token of the block is known; false where a node failed, in which case the next block
   *   retries
   */
  takeOver(head: Head): Promise<boolean>;
  /** Reads the metadata of tokens that are not in the list, and adds those whose contracts are tokens. */
  know(tokens: readonly Address[], head: Head): Promise<void>;
};

/**
 * Maintains the token list of one chain: the shipped lists from the start, then tokens read from contracts, ranked by
 * depth.
 */
export function followTokens(request: FollowTokensRequest): FollowedTokens {
  const known: Known = {
    metadata: new Map(),
    mute: new Map(),
    arrived: new Set(),
    loaded: false,
    ranked: noneRanked(request.chain, request.registry.lists),
    unranked: new Set(),
    rankedAt: Number.NEGATIVE_INFINITY,
    rankingMs: 0,
  };
  const { registry, chain } = request;
  registry.put(chain.id, known.ranked.list);
  if (request.listed) add(request, known, addressesOf(registry.lists.all(chain.id)));
  request.market.onChange(({ added }) => {
    for (const token of added.flatMap(({ tokens }) => tokens)) {
      // A pool may come with the token that was not deployed when it was read.
      known.mute.delete(token);
      if (isFresh(known, token)) known.arrived.add(token);
    }
  });
  return {
    takeOver: (head) => takeOver(request, known, head),
    async know(tokens, head) {
      const unlisted = tokens.filter((token) => registry.port.get(chain.id, token) === undefined);
      if (unlisted.length === 0) return;
      if (!known.loaded) recall(request, known);
      const isRead = (token: Address) => known.metadata.has(token);
      // The store of an earlier run may have some of them.
      add(request, known, unlisted.filter(isRead));
      await learn(request, known, { tokens: unlisted, head });
    },
  };
}

const addressesOf = (tokens: readonly { readonly address: Address }[]): Address[] =>
  tokens.map(({ address }) => address);

const factsOf = (request: FollowTokensRequest, { metadata }: Known): RankRequest => ({
  ...request,
  lists: request.registry.lists,
  onChain: metadata,
  depthNative: request.market.depthNative,
});

/** Adds tokens to the list at once. Those that are new to it are ranked by the next ranking. */
function add(request: FollowTokensRequest, known: Known, tokens: Iterable<Address>): void {
  const { chain, registry } = request;
  const wanted = new Set(tokens);
  for (const token of wanted) known.unranked.add(token);
  const fresh = [...wanted].filter((token) => registry.port.get(chain.id, token) === undefined);
  const { added, ...ranked } = withTokens(factsOf(request, known), known.ranked, fresh);
  known.ranked = ranked;
  registry.add(chain.id, ranked.list, added);
}

/** Ranks all tokens. Tokens that are read during the ranking are added to its result. */
async function rank(request: FollowTokensRequest, known: Known): Promise<void> {
  const { chain, registry } = request;
  const start = performance.now();
  known.unranked = new Set();
  const facts = factsOf(request, known);
  const ranked = await rankTokens(facts, known.ranked.list, setImmediate);
  registry.put(chain.id, ranked.list);
  known.ranked = ranked;
  add(
    request,
    known,
    [...known.unranked].filter((address) => known.metadata.has(address)),
  );
  known.rankedAt = performance.now();
  known.rankingMs = known.rankedAt - start;
}

async function takeOver(request: FollowTokensRequest, known: Known, head: Head): Promise<boolean> {
  if (!known.loaded) recall(request, known);
  for (const token of known.arrived) if (!isFresh(known, token)) known.arrived.delete(token);
  rereadMute(request, known);
  const complete = await learn(request, known, { tokens: known.arrived, head });
  const restedMs = performance.now() - known.rankedAt;
  const isDue = known.unranked.size > 0 ? restedMs >= REST * known.rankingMs : restedMs >= request.rankMs;
  if (isDue) await rank(request, known);
  return complete;
}

/** Forgets which contracts gave no metadata some time ago. Those that are tokens of pools are read again. */
function rereadMute({ market }: FollowTokensRequest, known: Known): void {
  const before = performance.now() - REREAD_MS;
  for (const [token, readAt] of known.mute) {
    if (readAt > before) return;
    known.mute.delete(token);
    if (market.book.poolsOf(token).size > 0) known.arrived.add(token);
  }
}

/** Loads the tokens that an earlier run read, once. A damaged file costs this run some reads, and no token. */
function recall({ chain, registry, genesis, log }: FollowTokensRequest, known: Known): void {
  const hash = genesis();
  known.loaded = true;
  if (hash === undefined) return;
  try {
    for (const token of registry.store.load({ chainId: chain.id, genesis: hash }, MOST_TOKENS)) {
      known.metadata.set(token.address, token);
    }
  } catch (error) {
    log.warn(
      { why: (error as Error).message },
      "tokens of earlier runs cannot be read from braid.sqlite: the chain is asked for them",
    );
  }
}

/** Reads and adds those of the tokens that are not known yet. @returns false where a node failed */
async function learn(
  request: FollowTokensRequest,
  known: Known,
  { tokens, head }: { tokens: Iterable<Address>; head: Head },
): Promise<boolean> {
  const { log } = request;
  const fresh = [...tokens].filter((token) => isFresh(known, token));
  try {
    for (const part of chunks(fresh, TOKENS_AT_ONCE)) {
      const read = await readTokens(request.reader, part, head);
      add(request, known, addressesOf(remember(request, known, read)));
    }
    return true;
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    log.warn(
      { why: error.message, tokens: fresh.length },
      "tokens not read: tried again with the next block",
    );
    return false;
  }
}

function isFresh({ metadata, mute }: Known, token: Address): boolean {
  const isMute = performance.now() - (mute.get(token) ?? Number.NEGATIVE_INFINITY) < MUTE_MS;
  return token !== NATIVE && !metadata.has(token) && !isMute;
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

/** Remembers and stores what was read. @returns metadata of the contracts that are tokens */
function remember(
  request: FollowTokensRequest,
  known: Known,
  read: ReadonlyMap<Address, Metadata | undefined>,
): readonly Metadata[] {
  const usable: Metadata[] = [];
  for (const [address, metadata] of read) {
    known.mute.delete(address);
    if (metadata === undefined) known.mute.set(address, performance.now());
    else {
      known.metadata.set(address, metadata);
      usable.push(metadata);
    }
    known.arrived.delete(address);
  }
  const isUsed = (token: Address) => request.market.book.poolsOf(token).size > 0;
  shrink(known.mute, MOST_MUTE, isUsed);
  shrink(known.metadata, MOST_TOKENS, isUsed);
  keep(request, usable);
  return usable.filter(({ address }) => known.metadata.has(address));
}

/** Stores tokens for the next start. A full disk costs that start some reads, and no token. */
function keep({ chain, registry, genesis, log }: FollowTokensRequest, tokens: readonly Metadata[]): void {
  const hash = genesis();
  if (hash === undefined || tokens.length === 0) return;
  try {
    registry.store.save({ chainId: chain.id, genesis: hash }, tokens);
  } catch (error) {
    log.warn(
      { why: (error as Error).message },
      "tokens were not written: they are read again after a restart",
    );
  }
}

/** Removes the oldest unused entries once there are more than `most`. */
function shrink(
  entries: Pick<ReadonlyMap<Address, unknown>, "size" | "keys"> & { delete(token: Address): boolean },
  most: number,
  isUsed: (token: Address) => boolean,
): void {
  if (entries.size <= most) return;
  // More entries than necessary are removed, so that not every call walks over those that are used.
  let excess = entries.size - Math.floor(most * KEPT);
  for (const token of entries.keys()) {
    if (excess === 0) return;
    if (isUsed(token)) continue;
    entries.delete(token);
    excess--;
  }
}

/** Share of `most` that is left. A lower share walks over the entries less often and forgets more. */
const KEPT = 0.9;
