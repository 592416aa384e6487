import { readFileSync } from "node:fs";
import type { Address, Token } from "../../core/types.ts";
import { cleanText, MAX_NAME, MAX_SYMBOL } from "./metadata.ts";

/** Public token lists, merged, by chain. Their sources and licences are in the data file. */
export type TokenLists = {
  get(chainId: number, address: Address): Token | undefined;
  all(chainId: number): readonly Token[];
};

type Row = readonly [address: Address, symbol: string, name: string, decimals: number, logoUri: string];
type File = { readonly tokens: Readonly<Record<string, readonly Row[]>> };

const NO_TOKENS: ReadonlyMap<Address, Token> = new Map();

/** Reads the lists that are shipped with the project. */
export function readTokenLists(): TokenLists {
  const { tokens } = JSON.parse(readFileSync(new URL("./data/tokens.json", import.meta.url), "utf8")) as File;
  const byChain = new Map(
    Object.entries(tokens).map(([id, rows]) => [Number(id), byAddress(Number(id), rows)] as const),
  );
  return {
    get: (chainId, address) => byChain.get(chainId)?.get(address),
    all: (chainId) => [...(byChain.get(chainId) ?? NO_TOKENS).values()],
  };
}

function byAddress(chainId: number, rows: readonly Row[]): ReadonlyMap<Address, Token> {
  return new Map(
    rows.map(([address, symbol, name, decimals, logo]) => [
      address,
      {
        chainId,
        address,
        name: cleanText(name, MAX_NAME),
        symbol: cleanText(symbol, MAX_SYMBOL),
        decimals,
        logoUri: /^(https|ipfs):\/\//.test(logo) ? logo : "",
      },
    ]),
  );
}
