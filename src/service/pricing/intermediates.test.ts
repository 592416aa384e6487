import { expect, test } from "vitest";
import { ALLOW_ALL, allowedBy } from "../../core/allowance.ts";
import type { RouteFound, RouteResult } from "../../core/routing/types.ts";
import { type Address, ALL_Q32, type Pool } from "../../core/types.ts";
import type { FindRequest } from "../ports/ports.ts";
import { findVetted } from "./intermediates.ts";

const address = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
const [IN, OUT, GOOD, EVIL, SHARE] = [1, 2, 3, 4, 5].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const pool = (n: number, tokens: readonly Address[]): Pool => ({
  id: address(n),
  address: address(n),
  protocol: "test",
  deployment: "test",
  tokens,
  stateIds: [address(n)],
  facts: {},
});

const VIA_EVIL = [pool(10, [IN, EVIL]), pool(11, [EVIL, OUT])];
const VIA_GOOD = [pool(12, [IN, GOOD]), pool(13, [GOOD, OUT])];
/** Pools of two known coins and an unlisted pool share. */
const VIA_SHARED = [pool(14, [IN, SHARE, GOOD]), pool(13, [GOOD, OUT])];
const THROUGH_SHARE = [pool(14, [IN, SHARE, GOOD]), pool(15, [SHARE, GOOD, OUT])];

type Way = {
  readonly pools: readonly Pool[];
  readonly between: Address;
  readonly amount: bigint;
  readonly gas?: number;
};

function routeOf({ pools, between, amount, gas = 0 }: Way, side: "in" | "out"): RouteFound {
  const tokens = [IN, between, OUT];
  const steps = pools.map((one, k) => ({
    pool: one,
    i: one.tokens.indexOf(tokens[k]!),
    j: one.tokens.indexOf(tokens[k + 1]!),
    shareQ32: ALL_Q32,
    amountIn: 1n,
    amountOut: 1n,
    gas,
  }));
  const amounts = side === "in" ? { amountIn: 1n, amountOut: amount } : { amountIn: amount, amountOut: 1n };
  const route = { tokenIn: IN, tokenOut: OUT, ...amounts, steps };
  const optimality = { upperBound: null, reason: "test" };
  const search = { complete: true, settleMs: 0, ms: 1 };
  return {
    kind: "found",
    route,
    spotPrice: 1,
    optimality,
    prices: new Map(),
    netPrices: new Map(),
    search,
    nativePerOut: 1,
    gas,
  };
}

/** Runs `findVetted` over an engine that returns the best of `ways` whose pools are all allowed. */
async function chosen(
  ways: readonly Way[],
  { side = "in" as "in" | "out", gasPriceWei = 0n, slippagePpm = 0 } = {},
) {
  const times: number[] = [];
  const isVetted = (token: Address) => token === GOOD;
  const find = async (query: FindRequest): Promise<RouteResult> => {
    times.push(query.timeoutMs);
    const open = ways.filter(({ pools }) => pools.every(allowedBy(query.allowed, query, isVetted)));
    const [best] = open.sort((a, b) => Number(b.amount - a.amount) * (side === "in" ? 1 : -1));
    return best === undefined
      ? { kind: "missing", reason: "no-path", largestAmount: undefined, isCutShort: false }
      : routeOf(best, side);
  };
  const limits = { maxHops: 4, maxLegs: 4, timeoutMs: 100, allowed: ALLOW_ALL };
  const query = { tokenIn: IN, tokenOut: OUT, amount: 1n, side, gasPriceWei, ...limits };
  let clock = 0;
  const vetting = {
    isVetted,
    slippagePpm,
    monotonicMs: () => {
      clock += 40;
      return clock;
    },
  };
  const found = await findVetted(find, query, vetting);
  return { pools: found.kind === "found" ? found.route.steps.map((step) => step.pool) : found.reason, times };
}

const evil = (amount: bigint, more = {}): Way => ({ pools: VIA_EVIL, between: EVIL, amount, ...more });
const good = (amount: bigint, more = {}): Way => ({ pools: VIA_GOOD, between: GOOD, amount, ...more });

test("a route crosses an unvetted token only for a gain of more than five basis points", async () => {
  expect((await chosen([evil(1_000_500n), good(1_000_000n)])).pools).toEqual(VIA_GOOD);
  expect((await chosen([evil(1_000_501n), good(1_000_000n)])).pools).toEqual(VIA_EVIL);
});

test("with an exact amount bought, an unvetted token must save more than five basis points of the amount sold", async () => {
  const side = "out" as const;
  expect((await chosen([evil(999_501n), good(1_000_000n)], { side })).pools).toEqual(VIA_GOOD);
  expect((await chosen([evil(999_499n), good(1_000_000n)], { side })).pools).toEqual(VIA_EVIL);
});

test("a route crosses an unvetted token only where it is better even if the swap loses all the slippage allowed", async () => {
  const slippagePpm = 10_000;
  expect((await chosen([evil(1_003_000n), good(1_000_000n)], { slippagePpm })).pools).toEqual(VIA_GOOD);
  expect((await chosen([evil(1_010_101n), good(1_000_000n)], { slippagePpm })).pools).toEqual(VIA_GOOD);
  expect((await chosen([evil(1_010_102n), good(1_000_000n)], { slippagePpm })).pools).toEqual(VIA_EVIL);
  expect((await chosen([evil(10_000_000n)], { slippagePpm: 500_000 })).pools).toEqual(VIA_EVIL);
});

test("with an exact amount bought, the amount sold for what is left after the slippage must still be smaller", async () => {
  const options = { side: "out", slippagePpm: 10_000 } as const;
  expect((await chosen([evil(997_000n), good(1_000_000n)], options)).pools).toEqual(VIA_GOOD);
  expect((await chosen([evil(990_001n), good(1_000_000n)], options)).pools).toEqual(VIA_GOOD);
  expect((await chosen([evil(989_999n), good(1_000_000n)], options)).pools).toEqual(VIA_EVIL);
});

test("the gain is net of gas where the request counts gas", async () => {
  const ways = [evil(1_010_000n, { gas: 9_800 }), good(1_000_000n)];
  expect((await chosen(ways, { gasPriceWei: 1n })).pools).toEqual(VIA_GOOD);
  expect((await chosen(ways)).pools).toEqual(VIA_EVIL);
});

test("an unvetted token is crossed where no other route exists; a best route without one needs a single search", async () => {
  expect((await chosen([evil(5n)])).pools).toEqual(VIA_EVIL);
  const vetted = await chosen([evil(999_999n), good(1_000_000n)]);
  expect(vetted).toEqual({ pools: VIA_GOOD, times: [100] });
});

test("the second search gets the rest of the time limit", async () => {
  expect((await chosen([evil(1_000_001n), good(1_000_000n)])).times).toEqual([100, 60]);
});

test("a pool of known coins and an unvetted share is used between the coins, but not through the share", async () => {
  const shared: Way = { pools: VIA_SHARED, between: GOOD, amount: 1_000_000n };
  expect((await chosen([evil(1_000_100n), shared, good(900_000n)])).pools).toEqual(VIA_SHARED);
  const through: Way = { pools: THROUGH_SHARE, between: SHARE, amount: 1_000_050n };
  expect((await chosen([evil(1_000_100n), through, good(1_000_000n)])).pools).toEqual(VIA_GOOD);
});
