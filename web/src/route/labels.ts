import { type GraphStep, type GraphToken, NATIVE, type Token } from "../api.ts";

/** The facts of a token that are needed to name it and format its amounts. */
export type NamedToken = { readonly address: string; readonly symbol: string; readonly decimals: number };

/** Looks tokens up: in the token list, then in the route; unknown ones get their address and 0 decimals. */
export function tokenNamer(
  listed: ReadonlyMap<string, Token>,
  graph: readonly GraphToken[] = [],
): (address: string) => NamedToken {
  const drawn = new Map(graph.map((token) => [token.address.toLowerCase(), token]));
  return (address) => {
    const key = address.toLowerCase();
    const known = listed.get(key) ?? drawn.get(key);
    const symbol = isolated(known?.symbol || shortAddress(key));
    return { address: key, symbol, decimals: known?.decimals ?? 0 };
  };
}

/** Letters that are written from right to left: of Hebrew, Arabic and their relatives. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A symbol for use within a line: one that is written from right to left is isolated (U+2068, U+2069), or it would exchange
 * the amounts on both of its sides.
 */
function isolated(symbol: string): string {
  return RIGHT_TO_LEFT.test(symbol) ? `\u2068${symbol}\u2069` : symbol;
}

/** "0x1234…abcd". */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}

const WRAPPING = "wrapped-native";

/** Whether a step only wraps or unwraps the native coin. */
export function isWrapping({ protocol, deployment }: GraphStep): boolean {
  return protocol === WRAPPING || deployment === WRAPPING;
}

/** Display name of the exchange of a step. */
export function stepName(step: GraphStep): string {
  if (isWrapping(step)) return step.token_in.toLowerCase() === NATIVE ? "Wrap" : "Unwrap";
  return sourceName(step.protocol);
}

/** Display name of a source: "Uniswap_V3" and "uniswap-v3" become "Uniswap V3". */
export function sourceName(name: string): string {
  return name
    .split(/[_\-\s]+/)
    .filter((word) => word !== "")
    .map((word) => (/^v\d+$/.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");
}

/** One to four letters for a token without a logo. */
export function monogram(symbol: string): string {
  const letters = [...symbol.replace(/[^\p{L}\p{N}]/gu, "")];
  return (
    letters
      .slice(0, letters.length > 4 ? 1 : 4)
      .join("")
      .toUpperCase() || "?"
  );
}

/** Hash of a text, 0 … count - 1 (FNV-1a). */
export function hueOf(text: string, count: number): number {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0;
  return hash % count;
}
