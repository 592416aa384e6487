import fc from "fast-check";
import type { Subject } from "../subject.ts";
import type { Mover, State, Tick } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000000e2";
const NOW = 10_000;

/** A pool with this state. */
export function subjectOf(state: State): Subject {
  const reach = Math.max(...state.ticks.map(({ tick }) => Math.abs(tick) + 1), 1) * state.tickSpacing;
  const dearest = 1.0001 ** reach;
  const width = 1.0001 ** state.tickSpacing - 1;
  const most = Math.max(...state.ticks.map(({ a, b }) => Number(a > b ? a : b)), 0);
  const coarsest = Number(state.scales[0] > state.scales[1] ? state.scales[0] : state.scales[1]);
  return {
    pool: {
      id: POOL,
      address: POOL,
      protocol: "maverick-v2",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL],
      facts: {
        tickSpacing: state.tickSpacing,
        lookback: Number(state.lookback),
        accessor: "0x0000000000000000000000000000000000000000",
      },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: NOW },
    // Prices have 18 digits, so the input of a tick has an error of its liquidity over 10^18, and a unit may be worth
    // many. A tick's liquidity has only the digits of a root.
    roundings: Math.ceil((16 + 8 * coarsest + (most / width) * 8e-18 * (state.ticks.length + 1)) * dearest),
  };
}

const reserve = fc
  .integer({ min: 60, max: 80 })
  .chain((bits) => fc.bigInt({ min: 2n ** 60n, max: 2n ** BigInt(bits) }));

/** Shares of a tick, and of it the parts of bins that follow the price. */
const held = fc.record({ a: reserve, b: reserve, kinds: fc.subarray([1, 2, 3]), supply: reserve });

const layout = fc
  .uniqueArray(fc.integer({ min: -7, max: 7 }), { minLength: 1, maxLength: 10 })
  .chain((ticks) =>
    fc.record({
      active: fc.constantFrom(...ticks),
      ticks: fc.tuple(...ticks.map((tick) => held.map((one) => ({ tick, ...one })))),
      follows: fc.boolean(),
    }),
  );

type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

function ticksOf({ active, ticks, follows }: Layout): Tick[] {
  let id = 0;
  return ticks
    .map(({ tick, a, b, kinds, supply }) => ({
      ...{ tick, a: tick > active ? 0n : a, b: tick < active ? 0n : b, supply },
      movers: (follows ? kinds : []).map((kind): Mover => {
        id++;
        return { id, kind, balance: supply / 4n, supply: supply / 3n };
      }),
    }))
    .sort((one, other) => one.tick - other.tick);
}

/** Ticks below the active one hold A, ticks above it B, the active one both; bins of some of them follow the price. */
export const states: fc.Arbitrary<State> = fc
  .record({
    layout,
    fees: fc.constantFrom([10n ** 14n, 10n ** 14n] as const, [5n * 10n ** 14n, 10n ** 16n] as const),
    protocolFeeRatio: fc.constantFrom(0n, 100n),
    tickSpacing: fc.constantFrom(10, 50, 198),
    scales: fc.constantFrom([1n, 1n] as const, [10n ** 12n, 1n] as const, [1n, 10n ** 10n] as const),
    lookback: fc.constantFrom(1n, 60n, 3_600n),
    behind: fc.bigInt({ min: -(3n * 10n ** 8n), max: 3n * 10n ** 8n }),
    age: fc.integer({ min: 1, max: 5_000 }),
  })
  .map(({ layout: laid, behind, age, ...rest }) => {
    const position = BigInt(laid.active) * 10n ** 8n + 5n * 10n ** 7n;
    return {
      ...rest,
      ...{ activeTick: laid.active, first: laid.active - 64, last: laid.active + 64, ticks: ticksOf(laid) },
      ...{ weighted: position + behind, position, time: NOW - age, isSettled: true },
    };
  });

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
