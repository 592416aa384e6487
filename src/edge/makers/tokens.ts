import type { ListedToken, TokenPort } from "../../service/ports/ports.ts";
import type { MakersPort } from "../../service/ports/ports-makers.ts";

/**
 * Tokens with `isRfq` set on those that a maker prices now. A chain's list stays the same array until one of its tokens
 * changes, so that callers can cache by identity.
 */
export function withMakers(
  tokens: TokenPort,
  makers: ReadonlyMap<number, MakersPort | undefined>,
): TokenPort {
  if ([...makers.values()].every((desk) => desk === undefined)) return tokens;
  const isPriced = ({ chainId, address }: ListedToken) => makers.get(chainId)?.prices(address) === true;
  const marked = (token: ListedToken): ListedToken => (isPriced(token) ? { ...token, isRfq: true } : token);
  const last = new Map<
    number,
    { readonly of: readonly ListedToken[]; readonly list: readonly ListedToken[] }
  >();
  return {
    get(chainId, address) {
      const token = tokens.get(chainId, address);
      return token && marked(token);
    },
    all(chainId) {
      const of = tokens.all(chainId);
      if (makers.get(chainId) === undefined) return of;
      const before = last.get(chainId);
      if (
        before?.of === of &&
        before.list.every((token, k) => token.isRfq === (of[k]!.isRfq || isPriced(token)))
      )
        return before.list;
      const list = of.map(marked);
      last.set(chainId, { of, list });
      return list;
    },
  };
}
