import { type Address, type Chain, NATIVE, type Token } from "../../core/types.ts";
import type { ListedToken } from "../../service/ports/ports.ts";
import type { TokenLists } from "./lists.ts";
import type { Metadata } from "./metadata.ts";

/** Symbols of dollar tokens. They count only for tokens of a list: on chain anybody may name a token USDC. */
const STABLE = new Set(
  [
    ["USDC", "USDT", "DAI", "USDS", "FRAX", "LUSD", "TUSD", "BUSD", "PYUSD", "GHO", "FDUSD"],
    ["USDE", "CRVUSD", "USD1", "USDC.E", "USDBC", "USDT0", "USD₮0", "SUSD"],
  ].flat(),
);

/** The chain whose token addresses, and therefore logos, a devnet uses. */
const MAINNET = 1;

export type RankRequest = {
  readonly chain: Chain;
  readonly lists: TokenLists;
  /** Whether the lists' tokens of this chain id live on this chain: false on a devnet. */
  readonly listed: boolean;
  /** Metadata from the contracts, by address. */
  readonly onChain: ReadonlyMap<Address, Metadata>;
  /** Value in wei of the largest amount of the token that one pool holds; 0 where unknown. */
  readonly depthNative: (token: Address) => number;
  /** Depth from which on a token is active, in wei. */
  readonly activeDepth: number;
};

/**
 * A token list in its order. Tokens from index `restAt` on are inactive or not ranked yet, and share one priority.
 */
export type Ranked = { readonly list: readonly ListedToken[]; readonly restAt: number };

/** The list before the first ranking: only the native coin. */
export function noneRanked(chain: Chain, lists: TokenLists): Ranked {
  return { list: [nativeToken({ chain, lists })], restAt: 1 };
}

/** Tokens that are processed between two pauses. */
const TOKENS_IN_A_ROW = 500;

/**
 * Ranks the token list of one chain: the native coin, then the active wrapped and dollar tokens by depth, then the
 * other active tokens by depth, then the rest. The order is priority, symbol, address.
 *
 * Decimals are the contract's where it was read. Names are the list's where one has the token, since people reviewed
 * them.
 *
 * @param before the present list: input that is sorted already is sorted quickly
 * @param pause yields to the event loop: 60,000 tokens take a tenth of a second
 */
export async function rankTokens(
  request: RankRequest,
  before: readonly ListedToken[],
  pause: () => Promise<unknown>,
): Promise<Ranked> {
  const { chain, activeDepth } = request;
  const [first, active, rest]: [Entry[], Entry[], Entry[]] = [[], [], []];
  let count = 0;
  for (const address of addressesOf(request, before)) {
    if (++count % TOKENS_IN_A_ROW === 0) await pause();
    const entry = entryOf(request, address);
    if (!(entry.depth >= activeDepth)) rest.push(entry);
    else if (address === chain.wrappedNative || isStable(entry)) first.push(entry);
    else active.push(entry);
  }
  const deepest = (list: Entry[]) => list.sort((a, b) => b.depth - a.depth || compare(a, b));
  const ordered = [...deepest(first), ...deepest(active)];
  await pause();
  rest.sort(compare);
  const list = [nativeToken(request), ...ordered.map((entry, k) => ranked(entry, true, k + 2))];
  for (const entry of rest) {
    if (++count % TOKENS_IN_A_ROW === 0) await pause();
    list.push(ranked(entry, false, ordered.length + 2));
  }
  return { list, restAt: ordered.length + 1 };
}

/**
 * Inserts tokens that are not in the list yet into its unranked rest, in that part's order; the next ranking ranks
 * them. This takes a fraction of the time of a ranking.
 *
 * @returns the new list, and the inserted tokens as they are in it
 */
export function withTokens(
  request: RankRequest,
  { list, restAt }: Ranked,
  addresses: readonly Address[],
): Ranked & { readonly added: readonly ListedToken[] } {
  const entries = addresses.map((address) => entryOf(request, address)).sort(compare);
  const added = entries.map((entry) => ranked(entry, entry.depth >= request.activeDepth, restAt + 1));
  const parts: (readonly ListedToken[])[] = [];
  let next = 0;
  for (const [k, entry] of entries.entries()) {
    const at = placeOf(list, Math.max(next, restAt), entry);
    parts.push(list.slice(next, at), [added[k]!]);
    next = at;
  }
  return { list: parts.concat([list.slice(next)]).flat(), restAt, added };
}

/** The index at which a token belongs, at or after `from`, by binary search. */
function placeOf(list: readonly ListedToken[], from: number, entry: Entry): number {
  let [low, high] = [from, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(list[middle]!, entry)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore({ symbol, address }: ListedToken, { symbol: other, token }: Entry): boolean {
  return (order(symbol.toLowerCase(), other) || order(address, token.address)) < 0;
}

/** A token with its sort keys, each computed once: sorting 60,000 tokens takes a million comparisons. */
type Entry = {
  readonly token: Token;
  /** Value in wei, from `depthNative`. */
  readonly depth: number;
  /** In lower case. */
  readonly symbol: string;
  /** The token of a shipped list; on a devnet, that of mainnet's list with the same address. */
  readonly listed: Token | undefined;
};

/** All tokens but the native coin, each once: first those of the list `before` in its order, then the others. */
function* addressesOf(
  { chain, lists, listed: holds, onChain }: RankRequest,
  before: readonly ListedToken[],
): Generator<Address> {
  const listed = holds ? lists.all(chain.id) : [];
  const left = new Set([...listed.map(({ address }) => address), ...onChain.keys()]);
  left.delete(NATIVE);
  for (const { address } of before) if (left.delete(address)) yield address;
  yield* left;
}

function entryOf(request: RankRequest, address: Address): Entry {
  const { chain, lists, listed: holds, onChain, depthNative } = request;
  // On a devnet, the token of mainnet's list with the same address.
  const listed = lists.get(holds ? chain.id : MAINNET, address);
  const metadata = onChain.get(address);
  const named = holds ? listed : undefined;
  const token: Token =
    named === undefined
      ? { chainId: chain.id, ...metadata!, logoUri: logoOf(address, chain.id, lists) }
      : { ...named, decimals: metadata?.decimals ?? named.decimals };
  return { token, depth: depthNative(address), symbol: token.symbol.toLowerCase(), listed };
}

function logoOf(address: Address, chainId: number, lists: TokenLists): string {
  const token = lists.get(chainId, address) ?? lists.get(MAINNET, address);
  return token?.logoUri ?? "";
}

function nativeToken({ chain, lists }: Pick<RankRequest, "chain" | "lists">): ListedToken {
  const { name, symbol, decimals } = chain.native;
  const logoUri = logoOf(chain.wrappedNative, chain.id, lists);
  const token = { chainId: chain.id, address: NATIVE, name, symbol, decimals, logoUri };
  return { ...token, isActive: true, priority: 1, isRfq: false, isListed: true };
}

function isStable({ listed }: Entry): boolean {
  return listed !== undefined && STABLE.has(listed.symbol.toUpperCase());
}

function ranked({ token, listed }: Entry, isActive: boolean, priority: number): ListedToken {
  const { chainId, address, name, symbol, decimals, logoUri } = token;
  const known = { chainId, address, name, symbol, decimals, logoUri };
  return { ...known, isActive, priority, isRfq: false, isListed: listed !== undefined };
}

function compare(a: Entry, b: Entry): number {
  return order(a.symbol, b.symbol) || order(a.token.address, b.token.address);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
