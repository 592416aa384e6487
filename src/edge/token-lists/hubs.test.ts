import { describe, expect, test } from "vitest";
import { chains } from "../../chains/index.ts";
import shipped from "./data/tokens.json" with { type: "json" };
import { readTokenLists } from "./lists.ts";

const lists = readTokenLists();

/** Chains of few tokens that public lists name. */
const FEW_TOKENS: readonly number[] = [480, 1868, 747474, 7777777];

describe.each(chains)("$name", ({ id, hubs = [], wrappedNative }) => {
  test("its hubs are tokens of the shipped list, each once, the wrapped coin first", () => {
    expect(hubs.length).toBeGreaterThanOrEqual(FEW_TOKENS.includes(id) ? 2 : 20);
    expect(hubs.length).toBeLessThanOrEqual(40);
    expect(hubs[0]).toBe(wrappedNative);
    expect(new Set(hubs).size).toBe(hubs.length);
    for (const hub of hubs) expect(lists.get(id, hub), hub).toBeDefined();
  });
});

/** Scripts with letters that look alike. */
const ALIKE = ["Latin", "Greek", "Cyrillic", "Armenian"].map(
  (name) => new RegExp(`\\p{Script=${name}}`, "u"),
);
/** Texts that mix such scripts and imitate nothing. */
const HARMLESS: readonly string[] = ["ƎԀƎԀ"];

function faultOf(
  [address, symbol, name, decimals]: readonly unknown[],
  seen: Set<unknown>,
): string | undefined {
  if (!/^0x[0-9a-f]{40}$/.test(String(address))) return "the address is not one in lower case";
  if (seen.has(address)) return "the address is there twice";
  if (!Number.isInteger(decimals) || Number(decimals) < 0 || Number(decimals) > 77)
    return "the decimals are no whole number of 0 to 77";
  const words = `${symbol} ${name}`.split(/\s+/).filter((word) => !HARMLESS.includes(word));
  const isMixed = (word: string) => ALIKE.filter((script) => script.test(word)).length > 1;
  return words.some(isMixed) ? "a word mixes letters of scripts that look alike" : undefined;
}

test("each row of the shipped list is one token, by an address in lower case and a name that imitates no other", () => {
  for (const [chainId, rows] of Object.entries(shipped.tokens)) {
    const seen = new Set<unknown>();
    for (const row of rows) {
      expect(faultOf(row, seen), `chain ${chainId}: ${row.join(", ")}`).toBeUndefined();
      seen.add(row[0]);
    }
  }
});
