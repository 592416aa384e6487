import { isNestedBeyond, MOST_NESTED } from "../../../core/nesting.ts";

/** Characters from which on a text is looked through before it is parsed: the parser takes 0.1 s for a smaller one at most. */
const LARGE = 128 * 1024;

/**
 * Parses what an endpoint sent. Nested lists of 64 MB, which 64 KB unpack to, would take the parser 40 seconds, in which
 * this thread answers nobody.
 *
 * @throws SyntaxError where the text is no JSON, or is large and nested deeper than any answer
 */
export function parseJson(text: string): unknown {
  if (text.length > LARGE && isNestedBeyond(text, MOST_NESTED)) throw new SyntaxError("nested too deeply");
  return JSON.parse(text);
}
