import { expect, test } from "vitest";
import { ask, market, token } from "../market.fixture.ts";

const PPM = 1_000_000n;
const KEEP = PPM - 3000n;

/** The least that a pool has to be sold for an amount out; its reserves are (x, y). */
function leastFor(out: bigint, [x, y]: readonly [bigint, bigint]): bigint {
  return (x * out * PPM + (y - out) * KEEP - 1n) / ((y - out) * KEEP);
}

/** The most units that an amount buys from two pools, whichever way it is split. */
function mostOf(amount: bigint, a: readonly [bigint, bigint], b: readonly [bigint, bigint]): bigint {
  let most = 0n;
  for (let first = 0n; leastFor(first, a) <= amount; first++) {
    const left = amount - leastFor(first, a);
    const second = (left * KEEP * b[1]) / (b[0] * PPM + left * KEEP);
    if (first + second > most) most = first + second;
  }
  return most;
}

test("a split that buys few units seldom loses one of them by rounding", () => {
  const short: bigint[] = [];
  for (let k = 0n; k < 40n; k++) {
    const a = [10n ** 18n, 2000n + 137n * k] as const;
    const b = [10n ** 18n, 2000n + 89n * k] as const;
    const { engine } = market([
      { tokens: [token(1), token(2)], reserves: a },
      { tokens: [token(1), token(2)], reserves: b },
    ]);
    const amount = 10n ** 18n + k * 10n ** 16n;
    const found = engine.find(ask(token(1), token(2), amount));
    if (found.kind === "found") short.push(mostOf(amount, a, b) - found.route.amountOut);
  }
  // Shares in steps of 2^-32 do not meet all whole units; as the shares come, 15 of the 40 are one short.
  expect(short).toHaveLength(40);
  expect(short.filter((units) => units > 0n).length).toBeLessThanOrEqual(3);
  expect(short.every((units) => units <= 1n)).toBe(true);
});
