import fc from "fast-check";
import type { Subject } from "../subject.ts";
import type { State } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000000e1";

/** A pool with this state. */
export function subjectOf(state: State): Subject {
  const reach = Math.max(...state.bins.map(({ tick }) => Math.abs(tick) + 1), 1) * state.tickSpacing;
  const dearest = 1.0001 ** reach;
  const width = 1.0001 ** state.tickSpacing - 1;
  const most = Math.max(...state.bins.map(({ a, b }) => Number(a > b ? a : b)), 0);
  const coarsest = Number(state.scales[0] > state.scales[1] ? state.scales[0] : state.scales[1]);
  return {
    pool: {
      id: POOL,
      address: POOL,
      protocol: "maverick",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL],
      facts: { tickSpacing: state.tickSpacing },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: 1 },
    // Prices have 18 digits, so the input of a tick has an error of its liquidity over 10^18, and a unit may be worth
    // many.
    roundings: Math.ceil((16 + 8 * coarsest + (most / width) * 4e-18 * (state.bins.length + 1)) * dearest),
  };
}

/** No dust: the contract rounds to the nearest, so a tick of a few units can pay more than it takes. */
const reserve = fc
  .integer({ min: 60, max: 80 })
  .chain((bits) => fc.bigInt({ min: 2n ** 60n, max: 2n ** BigInt(bits) }));

const bins = fc
  .uniqueArray(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 8 })
  .chain((ticks) =>
    fc.record({
      active: fc.constantFrom(...ticks),
      held: fc.tuple(
        ...ticks.map((tick) =>
          fc.record({ tick: fc.constant(tick), a: reserve, b: reserve, twice: fc.boolean() }),
        ),
      ),
    }),
  );

/** Ticks below the active one hold A, ticks above it B, the active one both; some ticks have two bins. */
export const states: fc.Arbitrary<State> = fc
  .record({
    bins,
    fee: fc.constantFrom(10n ** 14n, 5n * 10n ** 14n, 10n ** 16n),
    protocolFeeRatio: fc.constantFrom(0n, 100n),
    tickSpacing: fc.constantFrom(10, 50, 198),
    scales: fc.constantFrom([1n, 1n] as const, [10n ** 12n, 1n] as const, [1n, 10n ** 10n] as const),
    follows: fc.constantFrom(false, false, true),
  })
  .map(({ bins: { active, held }, ...rest }) => ({
    fee: rest.fee,
    protocolFeeRatio: rest.protocolFeeRatio,
    tickSpacing: rest.tickSpacing,
    activeTick: active,
    bins: held
      .flatMap(({ tick, a, b, twice }) => {
        const bin = { tick, a: tick > active ? 0n : a, b: tick < active ? 0n : b };
        return twice ? [bin, bin] : [bin];
      })
      .sort((one, other) => one.tick - other.tick),
    scales: [rest.scales[0], rest.scales[1]],
    follows: rest.follows,
    isSettled: true,
  }));

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
