import { type Address, type Chain, NATIVE, type Token } from "../../core/types.ts";
import type { ListedToken } from "../../service/ports/ports.ts";
import type { TokenLists } from "./lists.ts";
import type { Metadata } from "./metadata.ts";

/** Symbols of dollar tokens. They count only for tokens of a list: on the chain anybody may call a token USDC. */
const STABLE = new Set(
  [
    ["USDC", "USDT", "DAI", "USDS", "FRAX", "LUSD", "TUSD", "BUSD", "PYUSD", "GHO", "FDUSD"],
    ["USDE", "CRVUSD", "USD1", "USDC.E", "USDBC", "USDT0", "USD₮0", "SUSD"],
  ].flat(),
);

/** The chain whose addresses a devnet uses, and with them the logos. */
const MAINNET = 1;

export type RankRequest = {
  readonly chain: Chain;
  readonly lists: TokenLists;
  /** Whether the lists' tokens of this chain id live on this chain: not so on a devnet. */
  readonly listed: boolean;
  /** What the contracts say, by address. */
  readonly onChain: ReadonlyMap<Address, Metadata>;
  /** Native value in wei of the largest amount that one pool holds; 0 where unknown. */
  readonly depthNative: (token: Address) => number;
  /** A token is active from this depth on, in wei. */
  readonly activeDepth: number;
};

/** A token list in its order, and where those begin that have no place of their own. */
export type Ranked = { readonly list: readonly ListedToken[]; readonly restAt: number };

/** A list of the native coin alone. */
export function noneRanked(chain: Chain, lists: TokenLists): Ranked {
  return { list: [nativeToken({ chain, lists })], restAt: 1 };
}

/** Tokens that are looked at before others get their turn. */
const TOKENS_IN_A_ROW = 500;

/**
 * The token list of one chain: native, then wrapped and stable tokens by depth, then the other active ones by depth, then
 * the rest; in the stable order priority, symbol, address.
 *
 * Decimals are the contract's where it was read. Names are the list's where one has the token: they were looked at by people.
 *
 * @param before the list as it is: what stands in order already is sorted in little time
 * @param pause lets others have their turn: 60,000 tokens take a tenth of a second
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
 * A list with tokens of which none is in it, at places among those that have none of their own: these come with the next
 * ranking. It takes a fraction of one.
 *
 * @returns the list, and what became of the tokens
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

/** Where a token stands among those from an index on. */
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

/** A token with what its place is decided by, each worked out once: a list of 60,000 is compared a million times. */
type Entry = {
  readonly token: Token;
  /** Native value in wei. */
  readonly depth: number;
  /** In lower case. */
  readonly symbol: string;
  /** What a list says of it. */
  readonly listed: Token | undefined;
};

/** All tokens but the native coin, each once: those of the list before in its order, then the others. */
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
  // On a devnet, of the token that has its address on Ethereum.
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
