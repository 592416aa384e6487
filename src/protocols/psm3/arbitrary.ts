import fc from "fast-check";
import { RAY } from "../../core/math/ray.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { Subject } from "../subject.ts";
import { psm3 } from "./index.ts";
import type { Coins, State } from "./state.ts";

const MODULE = "0x00000000000000000000000000000000000000c3";

/** The answers of its oracle must agree with each other. */
export const isBeyondGuesses = true;

/** A module with this state. */
export function subjectOf(state: State): Subject {
  const [pool] = psm3.seeds({
    ...{ id: "psm3", protocol: "psm3", name: "PSM3", factory: MODULE, fromBlock: 0, trusted: true },
    facts: {
      usdc: "0x0000000000000000000000000000000000000001",
      usds: "0x0000000000000000000000000000000000000002",
      susds: "0x0000000000000000000000000000000000000003",
    },
    source: "arbitrary",
  });
  const most = Number(state.units.reduce((a, b) => (a > b ? a : b)));
  const least = Number(state.units.reduce((a, b) => (a < b ? a : b)));
  return {
    pool: pool!,
    states: new Map([[MODULE, state]]),
    at: { blockNumber: 1, timestamp: 2_000 },
    // A unit of a coin of few decimals is worth many of another.
    roundings: 3 * Math.ceil(most / least),
  };
}

const stock = fc.bigInt({ min: 10n ** 12n, max: 10n ** 28n });
const units = fc.constantFrom<Coins<bigint>>(
  [10n ** 6n, 10n ** 18n, 10n ** 18n],
  [10n ** 18n, 10n ** 18n, 10n ** 18n],
  [10n ** 6n, 10n ** 6n, 10n ** 8n],
);

export const subjects: fc.Arbitrary<Subject> = fc
  .record({
    units,
    balances: fc.tuple(stock, stock, stock),
    chi: fc.bigInt({ min: RAY, max: 2n * RAY }),
    rate: fc.bigInt({ min: RAY, max: RAY + 10n ** 19n }),
    rho: fc.integer({ min: 0, max: 2_000 }),
    allowed: fc.oneof(stock, fc.constant(MAX_UINT256)),
  })
  .map((state) => subjectOf({ ...state, readAt: 2_000 }));
