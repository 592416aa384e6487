import type { Logger } from "pino";
import type { Address } from "../../core/types.ts";
import type { ListedToken, TokenPort } from "../../service/ports/ports.ts";
import { createPoolStore, type PoolStore } from "../store/pool-store.ts";
import { openStore } from "../store/store.ts";
import { createTokenStore, type TokenStore } from "../store/token-store.ts";
import { readTokenLists, type TokenLists } from "./lists.ts";

/** Token lists of all served chains. Each chain writes its list; the services read them. */
export type TokenRegistry = {
  readonly port: TokenPort;
  readonly lists: TokenLists;
  readonly store: TokenStore;
  /** Opens the store of pools for a checkpoint; undefined where nothing is kept across restarts. */
  readonly openPools: (() => PoolStore) | undefined;
  /** Replaces the list of one chain. `tokens` must be in the list's order. */
  put(chainId: number, tokens: readonly ListedToken[]): void;
  /** Replaces the list of one chain by one that has all tokens of the former, unchanged, and those of `added`. */
  add(chainId: number, tokens: readonly ListedToken[], added: readonly ListedToken[]): void;
  close(): void;
};

type Index = { readonly list: readonly ListedToken[]; readonly byAddress: Map<Address, ListedToken> };

const EMPTY: readonly ListedToken[] = [];

/**
 * @param folder where tokens and pools that were read from the chain are kept; undefined = nowhere
 * @throws Error when another process uses the folder
 */
export function openTokenRegistry(folder: string | undefined, log: Logger): TokenRegistry {
  const store = openStore(folder);
  const indices = new Map<number, Index>();
  log.debug({ folder: folder ?? "none" }, "token store open");
  return {
    port: {
      get: (chainId, address) => indices.get(chainId)?.byAddress.get(address),
      all: (chainId) => indices.get(chainId)?.list ?? EMPTY,
    },
    lists: readTokenLists(),
    store: createTokenStore(store),
    openPools: folder === undefined ? undefined : () => createPoolStore(folder),
    put(chainId, tokens) {
      indices.set(chainId, {
        list: tokens,
        byAddress: new Map(tokens.map((token) => [token.address, token])),
      });
    },
    add(chainId, tokens, added) {
      const byAddress = indices.get(chainId)?.byAddress ?? new Map<Address, ListedToken>();
      for (const token of added) byAddress.set(token.address, token);
      indices.set(chainId, { list: tokens, byAddress });
    },
    close: () => store.close(),
  };
}
