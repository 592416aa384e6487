import { describe, expect, test } from "vitest";
import type { NoRouteReason, RouteResult } from "../../core/routing/types.ts";
import { decimalText } from "../amount-text.ts";
import type { FindRequest, ListedToken } from "../ports/ports.ts";
import { largestThatRoutes, noRoute, type Unrouted } from "./no-route.ts";

const token = (symbol: string, decimals: number) =>
  ({ symbol, decimals, address: `0x${symbol}` }) as unknown as ListedToken;
const asked: Unrouted = {
  tokenIn: token("A", 2),
  tokenOut: token("B", 0),
  amount: 100n,
  side: "in",
  fees: { recipient: undefined, buyPermille: 0, sellPermille: 0 },
  sources: { list: "exclude", names: [], rfqOnly: false },
};
const isTraded = (address: string) => address !== "0xB";
const say = (reason: NoRouteReason, largest?: bigint, more: Partial<Unrouted> = {}) =>
  noRoute(reason, { ...asked, ...more }, { largest, isTraded });

test("a search that ran out of time is OVERLOADED, and NO_ROUTE where a smaller amount routes", () => {
  expect(say("out-of-time")).toMatchObject({ reason: "OVERLOADED", retryAfterSeconds: 1 });
  expect(say("out-of-time", 50n)).toMatchObject({
    reason: "NO_ROUTE",
    message: say("too-deep", 50n).message,
  });
});

describe("no route", () => {
  const reasons: NoRouteReason[] = ["unknown-token", "no-path", "too-deep", "too-small", "excluded"];

  test.each(reasons)("%s has its own message, which begins with No liquidity", (reason) => {
    const { message, details } = say(reason);
    expect(message).toMatch(/^No liquidity from A \(0xA\) to B \(0xB\): .+\.$/);
    expect(details[0]).toEqual({ field: "amount", reason, value: "100" });
    expect(reasons.filter((other) => say(other).message === message)).toEqual([reason]);
  });

  test("the largest amount is given in smallest units and in tokens", () => {
    const { message, details } = say("too-deep", 60n);
    expect(message).toContain("The largest amount found that routes is 0.6 A (60 in smallest units).");
    expect(details[0]).toMatchObject({ largest_amount: "60", largest_amount_units: "0.6" });
    expect(say("too-deep", 60n, { side: "out" }).message).toContain("is 60 B (60 in");
  });

  test("the largest amount is before the sell fee or after the buy fee, like the request's amount", () => {
    const fees = { recipient: "0xF", buyPermille: 100, sellPermille: 400 } as const;
    expect(say("too-deep", 60n, { fees }).details[0]!.largest_amount).toBe("100");
    expect(say("too-deep", 60n, { fees, side: "out" }).details[0]!.largest_amount).toBe("54");
  });

  test("the details name a token that no pool holds, and the source lists that exclude every route", () => {
    expect(say("unknown-token").details.slice(1)).toEqual([
      { field: "toTokenAddress", reason: "no pool holds this token", value: "0xB" },
    ]);
    const sources = { list: "include", names: ["x", "y"], rfqOnly: true } as const;
    const fields = say("excluded", undefined, { sources }).details.map(({ field, value }) => [field, value]);
    expect(fields).toEqual([
      ["amount", "100"],
      ["includeAggregator", "x,y"],
      ["rfqOnly", "true"],
    ]);
    expect(say("no-path", undefined, { sources }).details).toHaveLength(1);
  });
});

describe("the largest amount", () => {
  const query = { amount: 10n ** 20n, side: "in", timeoutMs: 100 } as FindRequest;
  const monotonicMs = () => 0;
  const about = (reason: NoRouteReason, largestAmount: bigint | undefined) =>
    ({ missing: { kind: "missing", reason, largestAmount, isCutShort: false }, monotonicMs }) as const;
  const routesUpTo = (most: bigint) => async (request: { amount: bigint }) =>
    ({ kind: request.amount <= most ? "found" : "missing" }) as RouteResult;
  const largest = (found: bigint | undefined, most: bigint) =>
    largestThatRoutes(routesUpTo(most), query, about("too-deep", found));

  test("has six significant digits and was found to route", async () => {
    expect(await largest(123_456_789n, 2n ** 200n)).toBe(123_456_000n);
    expect(await largest(123_456_789n, 122_300_000n)).toBe(122_222_000n);
    expect(await largest(123_456_789n, 50_000_000n)).toBe(12_345_600n);
    expect(await largest(999n, 999n)).toBe(999n);
  });

  test("with side out and no estimate by the engine, follows from what the pools pay for a huge amount", async () => {
    const find = async ({ side, amount }: { side: string; amount: bigint }) =>
      (side === "in"
        ? { kind: "found", route: { amountOut: 5_000_000n } }
        : { kind: amount <= 4_960_000n ? "found" : "missing" }) as RouteResult;
    const of = (side: "in" | "out", reason: NoRouteReason) =>
      largestThatRoutes(find, { ...query, side }, about(reason, undefined));
    expect(await of("out", "too-deep")).toBe(4_950_000n);
    expect(await of("out", "no-path")).toBeUndefined();
    expect(await of("in", "too-deep")).toBeUndefined();
  });

  test("is a fraction of the requested amount where the estimate is higher", async () => {
    expect(await largest(10n ** 20n, 10n ** 30n)).toBe(99n * 10n ** 18n);
    expect(await largest(10n ** 25n, 9n * 10n ** 19n)).toBe(9n * 10n ** 19n);
  });

  test("is undefined where no fraction routes, nothing is known, or the amount is too small", async () => {
    expect(await largest(123_456_789n, 5_000_000n)).toBeUndefined();
    expect(await largest(undefined, 10n)).toBeUndefined();
    const small = about("too-small", 10n ** 25n);
    expect(await largestThatRoutes(routesUpTo(10n ** 30n), query, small)).toBeUndefined();
  });

  test("takes no more time than one search, and then is a part of what the engine has filled", async () => {
    let now = 0;
    const budgets: number[] = [];
    const find = async ({ timeoutMs }: FindRequest) => {
      budgets.push(timeoutMs);
      now += 40;
      return { kind: "missing" } as RouteResult;
    };
    const hinting = { ...about("too-deep", 10n ** 9n), monotonicMs: () => now };
    expect(await largestThatRoutes(find, query, hinting)).toBe(9n * 10n ** 8n);
    expect(budgets).toEqual([100, 60, 20]);
  });
});

test.each([
  [1_500_000n, 6, "1.5"],
  [1n, 18, "0.000000000000000001"],
  [10n, 0, "10"],
  [100n, 2, "1"],
])("%s at %s decimals is %s", (amount, decimals, units) => {
  expect(decimalText(amount, decimals)).toBe(units);
});
