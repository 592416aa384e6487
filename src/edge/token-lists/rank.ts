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
  const entries = merge(request).map((token) => ({ token, depth: depthNative(token.address) }));
  const active = entries.filter(({ depth }) => depth >= activeDepth);
  const first = active.filter(
    ({ token }) => token.address === chain.wrappedNative || isStable(token, request),
  );
  const firstOnes = new Set(first);
  const deepest = (list: typeof active) =>
    list.sort((a, b) => b.depth - a.depth || compare(a.token, b.token));
  const ordered = [...deepest(first), ...deepest(active.filter((entry) => !firstOnes.has(entry)))];
  const rest = entries.filter(({ depth }) => !(depth >= activeDepth)).map(({ token }) => token);
  return [
    { ...nativeOf(request), isActive: true, priority: 1, isRfq: false, isListed: true },
    ...ordered.map(({ token }, k) => ranked(token, request, k + 2)),
    ...rest
      .sort(compare)
      .map((token) => ({ ...ranked(token, request, ordered.length + 2), isActive: false })),
  ];
}

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

function isStable(token: Token, request: RankRequest): boolean {
  const entry = entryOf(token, request);
  return entry !== undefined && STABLE.has(entry.symbol.toUpperCase());
}

function ranked(token: Token, request: RankRequest, priority: number): ListedToken {
  const isListed = entryOf(token, request) !== undefined;
  return { ...token, isActive: true, priority, isRfq: false, isListed };
}

function compare(a: Token, b: Token): number {
  const symbols = order(a.symbol.toLowerCase(), b.symbol.toLowerCase());
  return symbols || order(a.address, b.address);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
