import type { Token } from "../api.ts";
import { skeletonOf } from "./skeleton.ts";

/**
 * A warning about a token; undefined where a public list names it, or where that is not known.
 *
 * @param known tokens of the same chain
 */
export function doubtOf(token: Token, known: ReadonlyMap<string, Token>): string | undefined {
  if (token.is_listed !== false) return undefined;
  const { bySymbol, bySkeleton } = listedIn(known);
  if ((token.lookalikes?.length ?? 0) > 0 || bySymbol.has(token.symbol.toLowerCase()))
    return `Bears the symbol of the listed token ${bySymbol.get(token.symbol.toLowerCase()) ?? token.symbol} and is not it.`;
  const other = bySkeleton.get(skeletonOf(token.symbol));
  if (other !== undefined) return `Looks like the listed token ${other} and is not it.`;
  return "No public list names this token.";
}

/** Symbols of listed tokens, by themselves in lower case, and by what they look like. */
type Listed = {
  readonly bySymbol: ReadonlyMap<string, string>;
  readonly bySkeleton: ReadonlyMap<string, string>;
};

const INDEXES = new WeakMap<ReadonlyMap<string, Token>, Listed>();

function listedIn(known: ReadonlyMap<string, Token>): Listed {
  const before = INDEXES.get(known);
  if (before !== undefined) return before;
  const symbols = [...known.values()].filter((token) => token.is_listed === true).map(({ symbol }) => symbol);
  const bySkeleton = new Map(symbols.map((symbol) => [skeletonOf(symbol), symbol]));
  bySkeleton.delete("");
  const index = { bySymbol: new Map(symbols.map((symbol) => [symbol.toLowerCase(), symbol])), bySkeleton };
  INDEXES.set(known, index);
  return index;
}
