import { describe, expect, test } from "vitest";
import type { NoRouteReason } from "../core/routing/types.ts";
import { noRoute } from "./no-route.ts";
import type { ListedToken } from "./ports.ts";

const token = (symbol: string) => ({ symbol, address: `0x${symbol}` }) as unknown as ListedToken;
const say = (reason: NoRouteReason, largestAmount: bigint | undefined) =>
  noRoute({ kind: "missing", reason, largestAmount }, token("A"), token("B"), 100n);

describe("no route", () => {
  const reasons: NoRouteReason[] = ["unknown-token", "no-path", "too-deep", "too-small", "excluded"];

  test.each(reasons)("%s begins with No liquidity and has words of its own", (reason) => {
    const { message, details } = say(reason, undefined);
    expect(message).toMatch(/^No liquidity from A \(0xA\) to B \(0xB\): .+\.$/);
    expect(details).toEqual([{ field: "amount", reason, value: "100" }]);
    expect(reasons.filter((other) => say(other, undefined).message === message)).toEqual([reason]);
  });

  test("the largest amount that routes is told to whoever asked for more", () => {
    const { message, details } = say("too-deep", 60n);
    expect(message).toContain("The largest amount that routes is 60.");
    expect(details[0]).toMatchObject({ largest_amount: "60" });
    expect(say("too-small", 1_000n).message).not.toContain("largest");
  });
});
