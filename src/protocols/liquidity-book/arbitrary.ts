import fc from "fast-check";
import type { Hex } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import type { State } from "./state.ts";

export const PAIR = "0x00000000000000000000000000000000000000b1";
export const NOW = 1_700_000_000;
const ONE = 2 ** 23;

/** A pair with this state, in the block of `NOW`. */
export function subjectOf(state: State): Subject {
  const reach = Math.max(state.first + state.xs.length - ONE, ONE - state.first);
  const dearest = (1 + state.parameters.binStep / 10_000) ** reach;
  return {
    pool: {
      id: PAIR,
      address: PAIR,
      protocol: "liquidity-book",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [PAIR],
      facts: { version: state.feesInBin ? "2.1" : "2.0", binStep: state.parameters.binStep },
    },
    states: new Map([[PAIR, state]]),
    at: { blockNumber: 1, timestamp: NOW },
    // Each bin rounds its fee and its input by a unit, which may be worth many units of the other token.
    roundings: Math.ceil((4 + 3 * state.xs.length) * dearest),
  };
}

const parameters = fc.record({
  binStep: fc.constantFrom(1, 5, 10, 20, 100),
  baseFactor: fc.integer({ min: 0, max: 8000 }),
  filterPeriod: fc.integer({ min: 1, max: 300 }),
  decayPeriod: fc.integer({ min: 300, max: 1200 }),
  reductionFactor: fc.integer({ min: 0, max: 10_000 }),
  variableFeeControl: fc.constantFrom(0, 7500, 20_000),
  protocolShare: fc.integer({ min: 0, max: 2500 }),
  maxVolatility: fc.integer({ min: 0, max: 150_000 }),
});

const reserve = fc
  .integer({ min: 0, max: 90 })
  .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) }));

const bins = fc
  .array(fc.oneof({ arbitrary: reserve, weight: 3 }, { arbitrary: fc.constant(0n), weight: 1 }), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((reserves) =>
    fc.record({
      reserves: fc.constant(reserves),
      other: reserve,
      active: fc.nat({ max: reserves.length - 1 }),
      first: fc.integer({ min: -60, max: 60 }),
    }),
  );

/** Bins below the active one hold Y, bins above it X, the active one both. */
export const states: fc.Arbitrary<State> = fc
  .record({
    parameters,
    bins,
    feesInBin: fc.boolean(),
    accumulator: fc.integer({ min: 0, max: 150_000 }),
    reference: fc.integer({ min: 0, max: 50_000 }),
    away: fc.integer({ min: -10, max: 10 }),
    age: fc.integer({ min: 0, max: 2000 }),
  })
  .map(({ parameters: p, bins: { reserves, other, active, first }, feesInBin, ...rest }) => ({
    feesInBin,
    parameters: { ...p },
    volatility: {
      accumulator: Math.min(rest.accumulator, p.maxVolatility),
      reference: Math.min(rest.reference, p.maxVolatility),
      idReference: ONE + first + active + rest.away,
      time: NOW - rest.age,
    },
    activeId: ONE + first + active,
    first: ONE + first,
    xs: reserves.map((amount, k) => (k > active ? amount : k === active ? other : 0n)),
    ys: reserves.map((amount, k) => (k <= active ? amount : 0n)),
  }));

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);

/** getLBHooksParameters, which only 2.2 has */
export const mayLack: readonly Hex[] = ["0x781a8915"];
