import { BraidError } from "../core/errors.ts";
import { ZERO_ADDRESS } from "../core/tokens.ts";
import { type Address, NATIVE } from "../core/types.ts";
import { servedChain } from "./chain.ts";
import type { Deps } from "./deps.ts";
import type { ListedToken } from "./ports/ports.ts";

/** A token filter. Fields are combined by AND, the elements of a list by OR; text is compared case-insensitively. */
export type TokenFilter = {
  readonly addresses?: readonly string[] | undefined;
  readonly chainIds?: readonly number[] | undefined;
  /** undefined selects active tokens, like true. */
  readonly isActive?: boolean | undefined;
  readonly names?: readonly string[] | undefined;
  readonly symbols?: readonly string[] | undefined;
};

export type Paging = {
  /** From 1. */
  readonly page: number;
  /** 0 = all on one page. */
  readonly pageSize: number;
};

type TokenPage = {
  readonly tokens: readonly ListedToken[];
  readonly total: number;
  readonly pages: number;
};

/** All tokens of one chain; the same array object until the list changes. @throws BraidError UNSUPPORTED_CHAIN */
export function chainList(deps: Deps, chainId: number): readonly ListedToken[] {
  return deps.tokens.all(servedChain(deps, chainId).chain.id);
}

/** A page of the tokens that a filter selects, in the list's stable order; a chain that is not served has no tokens. */
export function listTokens(deps: Deps, filter: TokenFilter, paging: Paging): TokenPage {
  const selected = select(deps, filter);
  const total = selected.length;
  const size = paging.pageSize === 0 ? Math.max(total, 1) : paging.pageSize;
  const start = (paging.page - 1) * size;
  return { tokens: selected.slice(start, start + size), total, pages: Math.ceil(total / size) };
}

/**
 * The chain whose active tokens are exactly what the filter selects, on one page; undefined for all other selections.
 */
export function wholeChain(deps: Deps, filter: TokenFilter, { page, pageSize }: Paging): number | undefined {
  const { addresses, chainIds, names, symbols, isActive = true } = filter;
  const wanted = chainIds?.length
    ? [...new Set(chainIds)].filter((id) => deps.chains.has(id))
    : [...deps.chains.keys()];
  const isAll =
    page === 1 && pageSize === 0 && isActive && !addresses?.length && !names?.length && !symbols?.length;
  return isAll && wanted.length === 1 ? wanted[0] : undefined;
}

type Matches = (token: ListedToken) => boolean;

function select(deps: Deps, filter: TokenFilter): ListedToken[] {
  const wanted = filter.chainIds?.length ? new Set(filter.chainIds) : deps.chains.keys();
  const chainIds = [...wanted].filter((id) => deps.chains.has(id));
  const matches = matcher(filter);
  const selected = chainIds.flatMap((id) => deps.tokens.all(id).filter(matches));
  // The list of a single chain is already sorted.
  return chainIds.length > 1 ? selected.sort(listOrder) : selected;
}

function matcher(filter: TokenFilter): Matches {
  const active = filter.isActive ?? true;
  const addresses = lowered(filter.addresses);
  const names = lowered(filter.names);
  const symbols = lowered(filter.symbols);
  return (token) =>
    token.isActive === active &&
    (addresses === undefined || addresses.has(token.address)) &&
    (symbols === undefined || symbols.has(token.symbol.toLowerCase())) &&
    (names === undefined || names.has(token.name.toLowerCase()));
}

function lowered(texts: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return texts?.length ? new Set(texts.map((text) => text.toLowerCase())) : undefined;
}

/** Comparator of token lists: by priority, symbol, address, then chain id. */
export function listOrder(a: ListedToken, b: ListedToken): number {
  return (
    a.priority - b.priority ||
    compare(a.symbol.toLowerCase(), b.symbol.toLowerCase()) ||
    compare(a.address, b.address) ||
    a.chainId - b.chainId
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A field of a request that names a token. */
type TokenField = { readonly field: string; readonly address: Address };

const ZERO_REASON = `the zero address is no token; the native coin is ${NATIVE}`;

/** Why an address is not a known token of this chain; undefined where it is one. */
function missing(deps: Deps, chainId: number, address: Address): string | undefined {
  if (address === ZERO_ADDRESS) return ZERO_REASON;
  return deps.tokens.get(chainId, address) === undefined ? "no known token of this chain" : undefined;
}

/**
 * The listed tokens that a request names, in its order.
 *
 * @throws BraidError UNKNOWN_TOKEN naming every field that holds no token
 */
export function knownTokens(deps: Deps, chainId: number, fields: readonly TokenField[]): ListedToken[] {
  const details = fields.flatMap(({ field, address }) => {
    const reason = missing(deps, chainId, address);
    return reason === undefined ? [] : [{ field, reason, value: address }];
  });
  if (details.length > 0) throw unknownToken(details);
  return fields.map(({ address }) => deps.tokens.get(chainId, address)!);
}

/** @throws BraidError UNKNOWN_TOKEN for the zero address */
export function refuseZero({ field, address }: TokenField): void {
  if (address !== ZERO_ADDRESS) return;
  throw unknownToken([{ field, reason: ZERO_REASON, value: address }]);
}

/** The failure that names every field without a known token. */
export function unknownToken(
  details: readonly { field: string; reason: string; value: string }[],
): BraidError {
  const text = details.map(({ field, reason, value }) => `${field} ${value}: ${reason}`).join("; ");
  return new BraidError("UNKNOWN_TOKEN", `Unknown token: ${text}.`, { details });
}
