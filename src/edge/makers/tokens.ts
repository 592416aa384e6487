import { type Chain, NATIVE } from "../../core/types.ts";
import type { ListedToken, TokenPort } from "../../service/ports/ports.ts";
import type { MakersPort } from "../../service/ports/ports-makers.ts";

/** A chain with its makers; undefined where it has none. */
type Served = {
  readonly chain: Pick<Chain, "id" | "wrappedNative">;
  readonly makers?: MakersPort | undefined;
};

/**
 * Tokens with `isRfq` set on those that a maker prices now; the native coin is priced as its wrapped token. A chain's
 * list stays the same array until one of its tokens changes, so that callers can cache by identity.
 */
export function withMakers(tokens: TokenPort, served: readonly Served[]): TokenPort {
  if (served.every(({ makers }) => makers === undefined)) return tokens;
  const byChain = new Map(served.map((one) => [one.chain.id, one]));
  const isPriced = ({ chainId, address }: ListedToken) => {
    const one = byChain.get(chainId);
    const priced = address === NATIVE ? one?.chain.wrappedNative : address;
    return priced !== undefined && one?.makers?.prices(priced) === true;
  };
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
      if (byChain.get(chainId)?.makers === undefined) return of;
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
