import fc from "fast-check";
import { MAX_TICK, MIN_TICK, priceAtTick } from "../../core/math/ekubo/ekubo-price.ts";
import { NATIVE } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import type { Facts } from "./events.ts";
import type { State } from "./state.ts";

export const CORE = "0x00000000000000000000000000000000000000ec";
export const LENS = "0x00000000000000000000000000000000000000ed";
export const POOL_ID = `0x${"ec".repeat(32)}` as const;

/** The last word of a pool key. */
export function configOf(extension: string, fee: bigint, type: number): Facts["config"] {
  const digits = (value: bigint, bytes: number) => value.toString(16).padStart(2 * bytes, "0");
  return `0x${extension.slice(2)}${digits(fee, 8)}${digits(BigInt(type), 4)}`;
}

/** The type word of a pool with ticks. */
export const tickedType = (spacing: number): number => 2 ** 31 + spacing;

/** A pool with this state; its first token is the native coin. */
export function subjectOf(state: State): Subject {
  const facts: Facts = {
    config: configOf(`0x${"00".repeat(20)}`, state.fee, tickedType(1000)),
    isRouted: true,
    lens: LENS,
  };
  return {
    pool: {
      id: POOL_ID,
      address: CORE,
      protocol: "ekubo",
      deployment: "arbitrary",
      tokens: [NATIVE, "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL_ID],
      facts,
    },
    states: new Map([[POOL_ID, state]]),
    at: { blockNumber: 2, timestamp: 1 },
    roundings: roundingsOf(state),
  };
}

/**
 * Amounts round once per step. A price keeps 62 bits or more, so the amounts of a step also miss that part of the
 * liquidity, which prices of up to e^3 either way make worth more.
 */
function roundingsOf({ ticks, nets, liquidity }: State): number {
  const most = nets.reduce((sum, net) => sum + (net < 0n ? -net : net), liquidity);
  return Math.ceil((ticks.length + 2) * (25 + 25 * Number(most) * 2 ** -62));
}

type Position = { readonly lower: number; readonly upper: number; readonly liquidity: bigint };

/** The pool with one more position. */
export function minted<S extends State>(state: S, { lower, upper, liquidity }: Position): S {
  const nets = new Map(state.ticks.map((tick, k) => [tick, state.nets[k]!]));
  nets.set(lower, (nets.get(lower) ?? 0n) + liquidity);
  nets.set(upper, (nets.get(upper) ?? 0n) - liquidity);
  const ticks = [...nets.keys()].sort((a, b) => a - b);
  const inRange = lower <= state.tick && state.tick < upper;
  return {
    ...state,
    ticks,
    nets: ticks.map((tick) => nets.get(tick)!),
    liquidity: state.liquidity + (inRange ? liquidity : 0n),
  };
}

/** A pool without positions, `part`/2^32 of the way from a tick to the next. */
export function emptyPool(tick: number, part: number, fee: bigint): State {
  const lower = priceAtTick(tick);
  const price = lower + (((priceAtTick(tick + 1) - lower) * BigInt(part)) >> 32n);
  const known = { lowest: MIN_TICK, highest: MAX_TICK, ticks: [], nets: [] };
  // The lowest 66 bits of no price in use here are kept.
  return {
    ...known,
    price: (price >> 66n) << 66n,
    tick,
    liquidity: 0n,
    fee,
    extension: { kind: "none" },
    readAt: 1,
  };
}

const SPACINGS = [100, 1000, 5982, 19_802] as const;

const fees = fc.constantFrom(0n, 1_844_674_407_370_955n, 9_223_372_036_854_775n, 184_467_440_737_095_516n);

function positionsAround(tick: number, spacing: number): fc.Arbitrary<Position> {
  const centre = Math.floor(tick / spacing);
  return fc
    .tuple(
      fc.integer({ min: -60, max: 60 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 30, max: 90 }).chain((bits) => fc.bigInt({ min: 1n, max: 2n ** BigInt(bits) })),
    )
    .map(([offset, width, liquidity]) => ({
      lower: (centre + offset) * spacing,
      upper: (centre + offset + width) * spacing,
      liquidity,
    }));
}

export const states: fc.Arbitrary<State> = fc
  .record({
    tick: fc.integer({ min: -3_000_000, max: 3_000_000 }),
    part: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    fee: fees,
    spacing: fc.constantFrom(...SPACINGS),
  })
  .chain(({ tick, part, fee, spacing }) =>
    fc
      .array(positionsAround(tick, spacing), { maxLength: 8 })
      .map((positions) => positions.reduce(minted<State>, emptyPool(tick, part, fee))),
  );

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
