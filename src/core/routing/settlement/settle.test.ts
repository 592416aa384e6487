import { expect, test } from "vitest";
import type { Protocol } from "../../protocol.ts";
import { ask, constantProduct, fixtureRegistry, market, type PairSpec, token } from "../market.fixture.ts";

const [A, B] = [token(1), token(2)];
const HELD = 10n ** 21n;
const SPECS: PairSpec[] = Array.from({ length: 400 }, (_, n) => ({
  tokens: [A, B],
  reserves: [HELD + BigInt(n), HELD + (HELD * BigInt((n * 37) % 23)) / 10_000n],
}));

/** Simulated milliseconds that one reading of the clock takes, and one quote. */
const LOOK_MS = 0.02;
const QUOTE_MS = 0.015;
/** Milliseconds by which a search may exceed its timeout: those of the round in which the time ends. */
const OVER_MS = 2;

test("a search that yields hundreds of legs leaves enough time to settle them", () => {
  let clock = 0;
  const timed: Protocol = {
    ...(constantProduct as Protocol),
    quote: (...asked) => {
      clock += QUOTE_MS;
      return (constantProduct as Protocol).quote(...asked);
    },
  };
  const { engine } = market(SPECS, new Map([...fixtureRegistry, [timed.name, timed]]));
  const now = () => {
    clock += LOOK_MS;
    return clock;
  };
  const legs: number[] = [];
  for (let timeoutMs = 1; timeoutMs <= 16; timeoutMs += 0.5) {
    clock = 0;
    const found = engine.find(ask(A, B, 300n * HELD, { timeoutMs, now }));
    expect(clock - timeoutMs).toBeLessThan(OVER_MS);
    if (found.kind === "found") legs.push(found.route.steps.length);
  }
  expect(legs).toHaveLength(31);
  expect(Math.max(...legs)).toBeGreaterThan(300);
});
