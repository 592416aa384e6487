import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address } from "../core/types.ts";
import { type Deps, defaultServiceSettings } from "./deps.ts";
import type { ListedToken, ServedChain } from "./ports/ports.ts";
import { listOrder, listTokens, wholeChain } from "./tokens.ts";

const listed: fc.Arbitrary<ListedToken> = fc.record({
  chainId: fc.constantFrom(1, 10, 56),
  address: fc.nat({ max: 500 }).map((n): Address => `0x${n.toString(16).padStart(40, "0")}`),
  name: fc.constantFrom("Alpha", "beta", "GAMMA"),
  symbol: fc.constantFrom("A", "a", "B", "C"),
  decimals: fc.constant(18),
  logoUri: fc.constant(""),
  isActive: fc.boolean(),
  priority: fc.integer({ min: 1, max: 3 }),
  isRfq: fc.constant(false),
  isListed: fc.constant(true),
});

function depsOf(tokens: readonly ListedToken[]): Deps {
  const sorted = [...tokens].sort(listOrder);
  return {
    chains: new Map([1, 10].map((id) => [id, {} as ServedChain])),
    tokens: {
      get: (chainId, address) => tokens.find((one) => one.chainId === chainId && one.address === address),
      all: (chainId) => sorted.filter((one) => one.chainId === chainId),
    },
    registry: new Map(),
    unixSeconds: () => 0,
    monotonicMs: () => 0,
    pause: async () => {},
    settings: defaultServiceSettings,
  };
}

const ALL = { page: 1, pageSize: 0 };

describe("the token list", () => {
  test("pages put together are the list, whatever the page size", () => {
    fc.assert(
      fc.property(
        fc.array(listed, { maxLength: 40 }),
        fc.integer({ min: 1, max: 100 }),
        (tokens, pageSize) => {
          const deps = depsOf(tokens);
          const whole = listTokens(deps, {}, ALL);
          const { pages, total } = listTokens(deps, {}, { page: 1, pageSize });
          const parts = Array.from(
            { length: pages },
            (_, n) => listTokens(deps, {}, { page: n + 1, pageSize }).tokens,
          );
          expect(parts.flat()).toEqual(whole.tokens);
          expect([total, parts.every((part) => part.length <= pageSize)]).toEqual([
            whole.tokens.length,
            true,
          ]);
          expect(listTokens(deps, {}, { page: pages + 1, pageSize }).tokens).toEqual([]);
        },
      ),
    );
  });

  test("tokens of several chains are merged in one order: priority, symbol, address", () => {
    fc.assert(
      fc.property(fc.array(listed, { maxLength: 40 }), (tokens) => {
        const answer = listTokens(depsOf(tokens), { chainIds: [10, 1, 56] }, ALL).tokens;
        expect(answer).toEqual([...answer].sort(listOrder));
        expect(answer.every((one) => one.chainId !== 56 && one.isActive)).toBe(true);
      }),
    );
  });

  test("a filter selects exactly the tokens that match all of its fields", () => {
    const filters = fc.record({
      names: fc.option(fc.array(fc.constantFrom("ALPHA", "Beta", "none")), { nil: undefined }),
      symbols: fc.option(fc.array(fc.constantFrom("a", "b")), { nil: undefined }),
      isActive: fc.option(fc.boolean(), { nil: undefined }),
    });
    const among = (list: readonly string[] | undefined, text: string) =>
      !list?.length || list.some((each) => each.toLowerCase() === text.toLowerCase());
    fc.assert(
      fc.property(fc.array(listed, { maxLength: 30 }), filters, (tokens, filter) => {
        const deps = depsOf(tokens);
        const expected = tokens.filter(
          (one) =>
            deps.chains.has(one.chainId) &&
            one.isActive === (filter.isActive ?? true) &&
            among(filter.names, one.name) &&
            among(filter.symbols, one.symbol),
        );
        expect(listTokens(deps, filter, ALL).total).toBe(expected.length);
      }),
    );
  });

  test("where a filter selects a whole chain, it selects exactly the active tokens of the chain's list", () => {
    const texts = fc.constantFrom(undefined, [], ["ALPHA", "a"]);
    const filters = fc.record({
      ...{ names: texts, symbols: texts, addresses: fc.constantFrom(undefined, [], ["0x00"]) },
      chainIds: fc.subarray([1, 10, 56]),
      isActive: fc.constantFrom(undefined, true, false),
    });
    const pagings = fc.record({ page: fc.integer({ min: 1, max: 2 }), pageSize: fc.constantFrom(0, 3) });
    let whole = 0;
    fc.assert(
      fc.property(fc.array(listed, { maxLength: 30 }), filters, pagings, (tokens, filter, paging) => {
        const deps = depsOf(tokens);
        const chainId = wholeChain(deps, filter, paging);
        if (chainId === undefined) return;
        whole++;
        const { tokens: selected } = listTokens(deps, filter, paging);
        expect(selected).toEqual(deps.tokens.all(chainId).filter(({ isActive }) => isActive));
      }),
      { numRuns: 1_000 },
    );
    expect(whole).toBeGreaterThan(3);
  });
});
