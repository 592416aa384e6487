import type { Token } from "../api.ts";

/**
 * A warning about a token; undefined where a public list names it, or where that is not known.
 *
 * @param known tokens of the same chain
 */
export function doubtOf(token: Token, known: ReadonlyMap<string, Token>): string | undefined {
  if (token.is_listed !== false) return undefined;
  return (token.lookalikes?.length ?? 0) > 0 || posesAsListed(token, known)
    ? "Bears the symbol of a listed token and is not it."
    : "No public list names this token.";
}

function posesAsListed({ symbol, address }: Token, known: ReadonlyMap<string, Token>): boolean {
  const wanted = symbol.toLowerCase();
  return [...known.values()].some(
    (other) => other.is_listed === true && other.address !== address && other.symbol.toLowerCase() === wanted,
  );
}
