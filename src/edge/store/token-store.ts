import type { Hex } from "../../core/types.ts";
import type { Metadata } from "../token-lists/metadata.ts";
import type { Store } from "./store.ts";
import { inTransaction } from "./transaction.ts";

/** A chain, by its id and the hash of its genesis block, since a devnet may have the id of a real chain. */
export type ChainKey = { readonly chainId: number; readonly genesis: Hex };

/** Metadata that token contracts reported, kept between runs. */
export type TokenStore = {
  /** Loads the tokens. Deletes those beyond the first `most` by address; they can be read from the chain again. */
  load(key: ChainKey, most?: number): Metadata[];
  /** @throws Error where the disk is full or fails */
  save(key: ChainKey, tokens: readonly Metadata[]): void;
};

export function createTokenStore({ database }: Store): TokenStore {
  const select = database.prepare(
    "SELECT address, name, symbol, decimals FROM tokens WHERE chain_id = ? AND genesis = ?",
  );
  const removeBeyond = database.prepare(
    `DELETE FROM tokens WHERE chain_id = ?1 AND genesis = ?2 AND address >= (
       SELECT address FROM tokens WHERE chain_id = ?1 AND genesis = ?2 ORDER BY address LIMIT 1 OFFSET ?3)`,
  );
  const insert = database.prepare("INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?, ?, ?)");
  return {
    load({ chainId, genesis }, most = Number.MAX_SAFE_INTEGER) {
      removeBeyond.run(chainId, genesis, most);
      return select.all(chainId, genesis).map((row) => ({ ...(row as unknown as Metadata) }));
    },
    save({ chainId, genesis }, tokens) {
      inTransaction(database, () => {
        for (const { address, name, symbol, decimals } of tokens)
          insert.run(chainId, genesis, address, name, symbol, decimals);
      });
    },
  };
}
