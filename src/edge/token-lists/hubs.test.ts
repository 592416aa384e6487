import { describe, expect, test } from "vitest";
import { chains } from "../../chains/index.ts";
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
