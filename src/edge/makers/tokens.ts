import type { ListedToken, TokenPort } from "../../service/ports/ports.ts";
import type { MakersPort } from "../../service/ports/ports-makers.ts";

/** Tokens of which is told whether a maker prices them now. */
export function withMakers(
  tokens: TokenPort,
  makers: ReadonlyMap<number, MakersPort | undefined>,
): TokenPort {
  if ([...makers.values()].every((desk) => desk === undefined)) return tokens;
  const marked = (token: ListedToken): ListedToken =>
    makers.get(token.chainId)?.prices(token.address) === true ? { ...token, isRfq: true } : token;
  return {
    get(chainId, address) {
      const token = tokens.get(chainId, address);
      return token && marked(token);
    },
    all: (chainId) =>
      makers.get(chainId) === undefined ? tokens.all(chainId) : tokens.all(chainId).map(marked),
  };
}
