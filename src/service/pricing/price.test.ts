import { describe, expect, test } from "vitest";
import type { RouteResult } from "../../core/routing/types.ts";
import type { Deps } from "../deps.ts";
import type { SearchSession } from "../ports/ports.ts";
import { type Prepared, searchIn } from "./price.ts";

const [A, B] = ["0xa", "0xb"] as const;
const route = { tokenIn: A, tokenOut: B, amountIn: 5n, amountOut: 7n, steps: [] };

/** Runs `searchIn` on a simulated clock. Each search takes `takesMs`; one with a shorter time limit finds nothing. */
async function searched({
  takesMs,
  waitsMs = 0,
  fills = true,
}: {
  takesMs: number;
  waitsMs?: number;
  fills?: boolean;
}) {
  let now = waitsMs;
  const budgets: number[] = [];
  const find: SearchSession["find"] = async ({ timeoutMs }) => {
    budgets.push(timeoutMs);
    now += Math.min(takesMs, timeoutMs);
    const isFound = fills && takesMs <= timeoutMs;
    return (isFound
      ? { kind: "found", route, search: { complete: true, ms: takesMs } }
      : {
          kind: "missing",
          reason: "too-deep",
          largestAmount: undefined,
          isCutShort: takesMs > timeoutMs,
        }) as unknown as RouteResult;
  };
  const session = { find, head: {}, at: {}, view: {} } as unknown as SearchSession;
  const deps = { monotonicMs: () => now, settings: {} } as unknown as Deps;
  const request = {
    tokenIn: A,
    tokenOut: B,
    amount: 5n,
    side: "in",
    fees: { sellPermille: 0, buyPermille: 0 },
  };
  const allowed = { deployments: "all", avoided: [], vetted: "none" };
  const served = { isVetted: () => true };
  const prepared = { request, allowed, served, askedMs: 0 } as unknown as Prepared;
  const { found, waitMs } = await searchIn(session, deps, prepared, 100);
  return { kind: found.kind, waitMs, budgets };
}

describe("a search", () => {
  test("reports the time before it began, without its own duration", async () => {
    expect(await searched({ takesMs: 30, waitsMs: 250 })).toMatchObject({ kind: "found", waitMs: 250 });
  });

  test("that found nothing before its deadline is repeated once with four times as much", async () => {
    expect(await searched({ takesMs: 300 })).toMatchObject({ kind: "found", budgets: [100, 400] });
    expect(await searched({ takesMs: 500 })).toMatchObject({ kind: "missing", budgets: [100, 400] });
  });

  test("that found nothing within its time is not repeated", async () => {
    expect(await searched({ takesMs: 20, fills: false })).toMatchObject({ kind: "missing", budgets: [100] });
  });
});
