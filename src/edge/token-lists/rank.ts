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

/**
 * The token list of one chain: native, then wrapped and stable tokens by depth, then the other active ones by depth, then
 * the rest; in the stable order priority, symbol, address.
 *
 * Decimals are the contract's where it was read. Names are the list's where one has the token: they were looked at by people.
 */
export function rankTokens(request: RankRequest): ListedToken[] {
  const { chain, depthNative, activeDepth } = request;
  const first: Entry[] = [];
  const active: Entry[] = [];
  const rest: Entry[] = [];
  for (const token of merge(request)) {
    const depth = depthNative(token.address);
    const entry = { token, depth, symbol: token.symbol.toLowerCase(), listed: entryOf(token, request) };
    if (!(depth >= activeDepth)) rest.push(entry);
    else if (token.address === chain.wrappedNative || isStable(entry)) first.push(entry);
    else active.push(entry);
  }
  const deepest = (list: Entry[]) => list.sort((a, b) => b.depth - a.depth || compare(a, b));
  const ordered = [...deepest(first), ...deepest(active)];
  return [
    { ...nativeOf(request), isActive: true, priority: 1, isRfq: false, isListed: true },
    ...ordered.map((entry, k) => ranked(entry, true, k + 2)),
    ...rest.sort(compare).map((entry) => ranked(entry, false, ordered.length + 2)),
  ];
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

function merge({ chain, lists, listed: holds, onChain }: RankRequest): Token[] {
  const tokens = new Map<Address, Token>(
    holds ? lists.all(chain.id).map((token) => [token.address, token]) : [],
  );
  for (const [address, metadata] of onChain) {
    const known = tokens.get(address);
    const logoUri = logoOf(address, chain.id, lists);
    tokens.set(
      address,
      known === undefined
        ? { chainId: chain.id, ...metadata, logoUri }
        : { ...known, decimals: metadata.decimals },
    );
  }
  tokens.delete(NATIVE);
  return [...tokens.values()];
}

function logoOf(address: Address, chainId: number, lists: TokenLists): string {
  const token = lists.get(chainId, address) ?? lists.get(MAINNET, address);
  return token?.logoUri ?? "";
}

function nativeOf({ chain, lists }: RankRequest): Token {
  const { name, symbol, decimals } = chain.native;
  const logoUri = logoOf(chain.wrappedNative, chain.id, lists);
  return { chainId: chain.id, address: NATIVE, name, symbol, decimals, logoUri };
}

/** What a list says of a token; on a devnet, of the token that has its address on Ethereum. */
function entryOf({ address }: Token, { chain, lists, listed: holds }: RankRequest): Token | undefined {
  return lists.get(holds ? chain.id : MAINNET, address);
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
