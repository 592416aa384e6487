import { expect, test } from "vitest";
import { ask, graphOf, NINE, token } from "./market.fixture.ts";
import { diagnose } from "./no-route.ts";
import { openQuery, type Query } from "./request.ts";
import { sell } from "./sell.ts";
import type { RouteRequest } from "./types.ts";
import { emptyWorkspace } from "./workspace.ts";

const graph = graphOf(NINE);

/** A sale from token 1 to token 2 whose search ended, early or not, without a route. */
function ended(amount: bigint, isCut: boolean, more: Partial<RouteRequest> = {}): Query {
  const query = openQuery(graph, emptyWorkspace(), ask(token(1), token(2), amount, more), 0)!;
  query.progress.isCut = isCut;
  return query;
}

const UNIT = 10n ** 18n;

/** Finds routes for amounts in a range only. */
const within = (least: bigint, most: bigint) => (query: Query, amount: bigint) =>
  amount >= least && amount <= most ? sell(query, amount) : undefined;

test("if only larger amounts route, the amount is too small, unless its search was cut short", () => {
  const larger = within(2n * UNIT, 1_000n * UNIT);
  expect(diagnose(ended(UNIT, false), larger)).toMatchObject({ reason: "too-small", isCutShort: false });
  expect(diagnose(ended(UNIT, true), larger)).toMatchObject({ reason: "out-of-time", isCutShort: true });
});

test("of dust, an amount of ordinary worth shows that it is too small, not too deep", () => {
  const ordinary = within(10n ** 15n, 1_000n * UNIT);
  expect(diagnose(ended(4n, false), ordinary)).toMatchObject({ reason: "too-small" });
  expect(diagnose(ended(4n, false), within(1n, 0n))).toMatchObject({ reason: "too-deep" });
});

test("if smaller amounts route, the amount is too deep, and the largest of them is told", () => {
  for (const isCut of [false, true]) {
    const found = diagnose(ended(1_000n * UNIT, isCut), within(1n, 10n * UNIT));
    expect(found).toMatchObject({ reason: "too-deep", isCutShort: isCut });
    expect(Number(found.largestAmount) / Number(10n * UNIT)).toBeCloseTo(1, 1);
  }
});

test("a purchase of more than all pools hold is too deep, even if its search was cut short", () => {
  const most = ended(10n ** 30n, true, { side: "out", now: () => 2, timeoutMs: 1 });
  expect(diagnose(most, within(1n, 0n))).toMatchObject({ reason: "too-deep", isCutShort: true });
});

test("a purchase that only larger sales pay for is not called too small", () => {
  const found = diagnose(ended(UNIT, false, { side: "out" }), within(10n * UNIT, 2n ** 120n));
  expect(found).toMatchObject({ reason: "too-deep", isCutShort: false });
  expect(found.largestAmount).toBeGreaterThan(UNIT);
});
