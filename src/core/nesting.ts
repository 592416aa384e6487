/** Most lists and objects within each other in the JSON of callers, makers and nodes. The API has at most five, makers have six. */
export const MOST_NESTED = 64;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** By character code: how much deeper the next character is. */
const STEP = new Int8Array(128);
for (const [opening, closing] of ["[]", "{}"] as const) {
  STEP[opening!.charCodeAt(0)] = 1;
  STEP[closing!.charCodeAt(0)] = -1;
}

/**
 * Whether lists and objects of a JSON text are nested deeper than `most`. Nested lists take the parser up to a hundred times
 * as long as another text of that size, so they are refused before they are parsed.
 *
 * @returns the answer for valid JSON; any answer for a text that is none
 */
export function isNestedBeyond(text: string, most: number): boolean {
  let depth = 0;
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    if (code === QUOTE) k = endOfString(text, k);
    else depth += STEP[code] ?? 0;
    if (depth > most) return true;
  }
  return false;
}

/** Position of the quote that ends the string which begins at `start`; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
