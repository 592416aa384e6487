import fc from "fast-check";
import { expect, test } from "vitest";
import { ask, market, type PairSpec, token } from "./market.fixture.ts";
import type { SearchAccount } from "./types.ts";

const E20 = 10n ** 20n;
const [A, B, C] = [token(1), token(2), token(3)];
const pair = (one: typeof A, other: typeof A, x: bigint, y: bigint): PairSpec => ({
  tokens: [one, other],
  reserves: [x * E20, y * E20],
});

function accountOf(specs: readonly PairSpec[], amount: bigint, more = {}) {
  const { engine, pools } = market(specs);
  const found = engine.find(ask(A, B, amount, { ...more, wantsAccount: true }));
  if (found.kind !== "found" || found.account === undefined) throw new Error("no account of this search");
  // The first pool is the wrapper of the native coin.
  return { found, account: found.account, ids: pools.slice(1).map(({ id }) => id) };
}

const verdictOf = ({ pools }: SearchAccount, id: string) => pools.find(({ pool }) => pool === id)?.verdict;

test("names the pools that are used, that gain nothing at the prices, and that are refused", () => {
  const specs = [pair(A, B, 1000n, 1000n), pair(A, B, 500n, 500n), pair(A, B, 1000n, 500n)];
  const refused = { allows: (pool: { id: string }) => pool.id !== ids[1] };
  const { ids } = accountOf(specs, E20);
  const { account } = accountOf(specs, E20, refused);
  expect(ids.map((id) => verdictOf(account, id))).toEqual(["used", "refused", "priced-out"]);
  expect(verdictOf(accountOf(specs, E20).account, ids[1]!)).toBe("used");
});

test("a pool whose gain is less than its gas is below gas", () => {
  const specs = [pair(A, B, 1000n, 1000n), pair(A, B, 1n, 1n), pair(A, token(0), 1000n, 1000n)];
  const { account, ids } = accountOf(specs, E20, { gasPriceWei: 10n ** 13n });
  const small = account.pools.find(({ pool }) => pool === ids[1])!;
  expect(small.verdict).toBe("below-gas");
  expect(small.earned).toBeGreaterThan(0);
  expect(small.earned).toBeLessThanOrEqual(small.gasCost);
});

test("the answer is among the candidates, and none of them nets more", () => {
  const specs = Array.from({ length: 8 }, (_, k) => pair(A, B, 300n + BigInt(k), 300n));
  const { found, account } = accountOf(specs, 4n * E20, { maxLegs: 3 });
  expect(account.candidates.length).toBeGreaterThan(1);
  const nets = account.candidates.flatMap(({ settled }) => (settled === undefined ? [] : [settled.net]));
  expect(nets.toSorted((a, b) => Number(b - a))[0]).toBe(found.route.amountOut);
  for (const { estimate = 0 } of account.candidates)
    expect(estimate).toBeLessThan(Number(found.route.amountOut) * (1 + 1e-6));
});

test("the value sold and the pools' gains at the prices bound what the route pays", () => {
  const reserve = fc.bigInt({ min: 10n, max: 100_000n });
  const specs = fc
    .tuple(reserve, reserve, reserve, reserve, reserve, reserve)
    .map(([a, b, c, d, e, f]) => [pair(A, B, a, b), pair(A, C, c, d), pair(C, B, e, f)]);
  fc.assert(
    fc.property(specs, fc.bigInt({ min: E20 / 10n, max: 1000n * E20 }), (three, amount) => {
      const { found, account } = accountOf(three, amount);
      const held = Number(amount) * account.prices.get(A)!;
      const gains = account.pools.reduce((sum, { earned }) => sum + earned, 0);
      expect((held + gains) * (1 + 1e-9)).toBeGreaterThanOrEqual(Number(found.route.amountOut));
      expect(account.prices.get(B)).toBeCloseTo(1, 9);
    }),
  );
});

test("a request without `wantsAccount` gets no account", () => {
  const found = market([pair(A, C, 1n, 1n), pair(C, B, 1n, 1n)]).engine.find(ask(A, B, 100n));
  expect(found.kind === "found" && found.account).toBeUndefined();
});
