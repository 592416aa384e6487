import fc from "fast-check";
import { longestWalk, tickedPools } from "../shared/concentrated/concentrated-arbitrary.ts";
import type { Subject } from "../subject.ts";
import type { FeeConfig } from "./adaptive-fee.ts";
import { type History, last, type Timepoint, written } from "./history.ts";
import type { Past } from "./past.ts";
import type { State } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000000a1";
const START = 1_700_000_000;

function versionOf({ linked, past }: State): string {
  if (past !== undefined) return past.history.generation;
  return linked === true ? "integral" : "v1";
}

/** A pool with this state, `seconds` after its newest timepoint. */
export function subjectOf(state: State, seconds = 1): Subject {
  const newest = state.past === undefined ? (state.readAt ?? 0) : last(state.past.history).timestamp;
  return {
    pool: {
      id: POOL,
      address: POOL,
      protocol: "algebra",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL],
      facts: { version: versionOf(state) },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: newest + seconds },
    roundings: 2 * longestWalk(state),
  };
}

const facts = fc.integer({ min: 0, max: 15_000 }).map((feePpm) => ({ feePpm, tickSpacing: 60 }));

const plain: fc.Arbitrary<State> = fc
  .tuple(tickedPools(facts), fc.constantFrom(undefined, 100, 3000), fc.boolean())
  .map(([pool, other, linked]) => ({
    ...pool,
    feeOneToZeroPpm: other ?? pool.feePpm,
    ...(linked ? { linked } : {}),
  }));

/** The factory's default configuration of both generations. */
export const CONFIG: FeeConfig = {
  ...{ alpha1: 2900, alpha2: 12_000, beta1: 360, beta2: 60_000, gamma1: 59, gamma2: 8500 },
  ...{ volumeBeta: 0, volumeGamma: 10, baseFee: 100 },
};

/** Seconds to the next timepoint, from a block to several days. */
const gap = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 400_000 }));

export type Move = { readonly seconds: number; readonly by: number; readonly volume: bigint };

export const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({ seconds: gap, by: fc.integer({ min: -2000, max: 2000 }), volume: fc.bigInt(0n, 2n ** 62n) }),
  { maxLength: 12 },
);

export function historyOf(generation: History["generation"], tick: number, list: readonly Move[]): History {
  const first: Timepoint = {
    ...{ timestamp: START, tick, averageTick: tick },
    ...{ tickCumulative: 0n, volatilityCumulative: 0n, volumeCumulative: 0n },
  };
  const start: History = { generation, lastIndex: 0, newest: [first], windowIndex: 0, window: [first] };
  return list.reduce((history, { seconds, by, volume }) => {
    const time = last(history).timestamp + seconds;
    return written(history, { time, tick: tick + by, volume })!;
  }, start);
}

export function pastOf(history: History, configs: Past["configs"] = [CONFIG, CONFIG]): Past {
  const { timestamp } = last(history);
  return {
    configs,
    history,
    pending: 0n,
    slack: 0n,
    volumeKnownUntil: timestamp,
    readAt: timestamp,
  };
}

/** Other parameters for sales of token 1 than for those of token 0. */
const OTHER_CONFIG: FeeConfig = { ...CONFIG, alpha2: 4000, volumeGamma: 25, baseFee: 420 };

/** Pools whose fees depend on their history. */
const remembering: fc.Arbitrary<State> = fc
  .tuple(tickedPools(facts), fc.constantFrom("v1", "v1.9-directional", "v2", "integral"), moves)
  .map(([pool, version, list]) => {
    const history = historyOf(version === "v1.9-directional" ? "v1" : version, pool.tick, list);
    const isDirectional = version === "v1.9-directional";
    return {
      ...pool,
      feeOneToZeroPpm: isDirectional ? pool.feePpm + 300 : pool.feePpm,
      past: pastOf(history, [CONFIG, isDirectional ? OTHER_CONFIG : CONFIG]),
      ...(history.generation === "v1" ? {} : { linked: true }),
    };
  });

/** Pools whose fees depend on the last move of the price, which is up to 100 ticks. */
const sliding: fc.Arbitrary<State> = fc
  .tuple(tickedPools(facts), fc.integer({ min: -100, max: 100 }), fc.integer({ min: 0, max: 2000 }))
  .map(([pool, by, lean]) => ({
    ...{ ...pool, feeOneToZeroPpm: pool.feePpm, linked: true, readAt: START },
    sliding: {
      ...{ baseFee: pool.feePpm, priceChangeFactor: 1000 },
      factors: [(BigInt(lean) << 96n) / 1000n, (2n << 96n) - (BigInt(lean) << 96n) / 1000n],
      newest: { timestamp: START, tick: pool.tick + by },
    },
  }));

export const states: fc.Arbitrary<State> = plain;

export const subjects: fc.Arbitrary<Subject> = fc
  .tuple(fc.oneof(plain, remembering, sliding), gap)
  .map(([state, seconds]) => subjectOf(state, seconds));
