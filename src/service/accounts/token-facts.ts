import { isNative } from "../../core/tokens.ts";
import type { Address } from "../../core/types.ts";
import { type DollarPrice, dollarPrice, usdPerWei } from "../advice/dollars.ts";
import { freshHead, servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { ListedToken } from "../ports/ports.ts";
import { refuseZero } from "../tokens.ts";
import { notAToken } from "../wallet.ts";

/** What the service knows of a token's address. */
export type TokenFacts = {
  readonly token: ListedToken;
  /** Whether at least one of its pools is not empty. */
  readonly isTraded: boolean;
  readonly price: DollarPrice | undefined;
  /**
   * Only for a token that no public list contains: the listed tokens with its symbol, one of which it may impersonate.
   */
  readonly lookalikes: readonly Address[];
};

/** Priority of a token that is in no list: after all others. */
const LAST = 1_000_000;

/**
 * One token by its address. It is read from its contract where it is not in the list.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, UNKNOWN_TOKEN, STALE_STATE
 */
export async function tokenFacts(deps: Deps, chainId: number, address: Address): Promise<TokenFacts> {
  const served = servedChain(deps, chainId);
  refuseZero({ field: "tokenAddress", address });
  const token = deps.tokens.get(chainId, address) ?? (await readToken(deps, chainId, address));
  const source = { ...served, tokens: deps.tokens };
  return {
    token,
    isTraded: isNative(address) || served.market.isTraded(address),
    price: dollarPrice(source, address, usdPerWei(source)),
    lookalikes: token.isListed ? [] : listedAs(deps, token),
  };
}

async function readToken(deps: Deps, chainId: number, address: Address): Promise<ListedToken> {
  const served = servedChain(deps, chainId);
  const metadata = await served.archive.tokenMetadata(address, freshHead(deps, served));
  if (metadata === undefined) throw notAToken(address);
  const unknown = { isActive: false, priority: LAST, isRfq: false, isListed: false };
  return { ...metadata, ...unknown, chainId, logoUri: "" };
}

function listedAs(deps: Deps, { chainId, symbol, address }: ListedToken): Address[] {
  const wanted = symbol.toLowerCase();
  return deps.tokens
    .all(chainId)
    .filter((other) => other.isListed && other.symbol.toLowerCase() === wanted && other.address !== address)
    .map((other) => other.address);
}
