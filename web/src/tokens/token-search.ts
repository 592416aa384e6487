import type { Token } from "../api.ts";

export const ADDRESS = /^0x[0-9a-f]{40}$/i;

/**
 * Searches tokens. Listed ones come first, in the order of `listedFirst`, and among them the best matches: address
 * prefixes, equal symbols, symbol prefixes, names with a word that begins with the text, symbols and then names that
 * contain it. Equal matches keep the order of the list.
 *
 * @param typed part of a symbol or name, or the beginning of an address; empty = all
 */
export function searchTokens(tokens: readonly Token[], typed: string): readonly Token[] {
  const words = typed.trim().toLowerCase();
  if (words === "") return tokens;
  const ranked = tokens.map((token) => ({ token, rank: rankOf(token, words) }));
  const found = ranked
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ token }) => token);
  return listedFirst(found, typed);
}

/**
 * Moves tokens that no public list names behind all others: anyone may deploy a token with the symbol or the name that
 * people search for. Only the token whose whole address is typed precedes them. Otherwise the order is kept.
 */
export function listedFirst(tokens: readonly Token[], typed: string): readonly Token[] {
  const address = typed.trim().toLowerCase();
  const group = (token: Token) => (token.address === address ? 0 : token.is_listed === false ? 2 : 1);
  return [...tokens].sort((a, b) => group(a) - group(b));
}

const NO_MATCH = 6;

function rankOf(token: Token, words: string): number {
  if (words.startsWith("0x") && token.address.startsWith(words)) return 0;
  const symbol = token.symbol.toLowerCase();
  const name = token.name.toLowerCase();
  if (symbol === words) return 1;
  if (symbol.startsWith(words)) return 2;
  if (name.startsWith(words) || name.includes(` ${words}`)) return 3;
  if (symbol.includes(words)) return 4;
  return name.includes(words) ? 5 : NO_MATCH;
}

/** The new selection after a key press in a list box; undefined for other keys, or an empty list. */
export function moveSelection(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  const targets: Record<string, number> = {
    ArrowDown: from >= last ? 0 : from + 1,
    ArrowUp: from <= 0 ? last : from - 1,
    PageDown: Math.min(last, from + 6),
    PageUp: Math.max(0, from - 6),
  };
  return targets[key];
}
