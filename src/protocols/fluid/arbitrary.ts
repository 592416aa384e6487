import fc from "fast-check";
import type { Address } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import { type Half, idOf, type Limit, NO_HALF, type Scale, type State, scaleOf } from "./state.ts";

const POOL = "0x00000000000000000000000000000000000000f1";
const ID = idOf(POOL);
const TOKENS: readonly Address[] = [
  "0x0000000000000000000000000000000000000001",
  "0x0000000000000000000000000000000000000002",
];
const PRICE_UNIT = 10n ** 27n;
const at = { blockNumber: 1, timestamp: 1_700_000_000 };

/** A pool with this state. */
export function subjectOf(state: State, tokens: readonly Address[] = TOKENS): Subject {
  return {
    pool: {
      id: ID,
      address: POOL,
      protocol: "fluid",
      deployment: "fluid",
      tokens,
      stateIds: [ID],
      facts: { resolver: POOL },
    },
    states: new Map([[ID, state]]),
    at,
    roundings: roundingsOf(state),
  };
}

/**
 * Units of either token that a swap may round: a few units of 1e-12 of a token of each half, which are up to a million
 * smallest units, and what such a unit of the token sold is worth in the other.
 */
function roundingsOf({ oracle, scales }: State): number {
  const grain = ({ numerator, denominator }: Scale) => Number(denominator) / Number(numerator);
  const price = Number(oracle.price) / 1e27;
  const [x, y] = [Math.max(1, grain(scales[0])), Math.max(1, grain(scales[1]))];
  const across = (from: number, rate: number, to: Scale) =>
    Math.max(1, (from / grain(scales[0] === to ? scales[1] : scales[0])) * rate * grain(to));
  const worths = [x, y, across(x, price, scales[1]), across(y, 1 / price, scales[0])];
  return Math.ceil(4 * Math.max(...worths));
}

/** All orders of magnitude, equally likely. */
const tenTo = (least: number, most: number): fc.Arbitrary<bigint> =>
  fc
    .integer({ min: least, max: most - 1 })
    .chain((power) => fc.bigInt({ min: 10n ** BigInt(power), max: 10n ** BigInt(power + 1) }));

const share = fc.bigInt({ min: 1n, max: 999n });

/** A half whose price is `price` and `tilt` millionths more. */
const halfAt = (price: bigint): fc.Arbitrary<Half> =>
  fc
    .record({ depth: tenTo(15, 22), tilt: fc.bigInt({ min: -300n, max: 300n }), first: share, second: share })
    .map(({ depth, tilt, first, second }) => {
      const other = (depth * price * (1_000_000n + tilt)) / PRICE_UNIT / 1_000_000n;
      return {
        imaginary: [depth, other],
        real: [(depth * first) / 1000n, (other * second) / 1000n],
      };
    });

const limit: fc.Arbitrary<Limit> = fc
  .record({
    available: fc.oneof(tenTo(3, 24), fc.constant(10n ** 40n)),
    more: fc.oneof(fc.constant(0n), tenTo(3, 24)),
    seconds: fc.bigInt({ min: 0n, max: 10_000n }),
  })
  .map(({ available, more, seconds }) => ({ available, expandsTo: available + more, seconds }));

const debt = fc.oneof(tenTo(14, 22), fc.constant(10n ** 24n));

const scale = fc.constantFrom(6n, 8n, 12n, 18n).map(scaleOf);

/** Pools of one half or both, at prices between a ten-thousandth and ten thousand. */
export const states: fc.Arbitrary<State> = tenTo(23, 31).chain((price) =>
  fc
    .record({
      halves: fc.tuple(halfAt(price), halfAt(price)),
      kind: fc.constantFrom("both", "collateral", "debt"),
      debts: fc.tuple(debt, debt),
      withdrawable: fc.tuple(limit, limit),
      borrowable: fc.tuple(limit, limit),
      scales: fc.tuple(scale, scale),
      fee: fc.bigInt({ min: 0n, max: 10_000n }),
      revenueCut: fc.bigInt({ min: 0n, max: 30n }),
      moved: fc.bigInt({ min: -40n, max: 40n }),
      age: fc.integer({ min: 0, max: 100 }),
    })
    .map(({ halves, kind, moved, age, ...rest }) => ({
      ...rest,
      collateral: kind === "debt" ? NO_HALF : halves[0],
      debt: kind === "collateral" ? NO_HALF : halves[1],
      centerPrice: price,
      oracle: {
        time: at.timestamp - age,
        price: (price * (1000n + moved)) / 1000n,
        before: price,
        center: price,
      },
      readAt: at.timestamp - age,
      readFor: at.blockNumber,
      isOpen: true,
    })),
);

export const subjects: fc.Arbitrary<Subject> = states.map((state) => subjectOf(state));

/** Answers that give a valid state are too long to be guessed, and pools are announced without their tokens. */
export const isBeyondGuesses = true;

/** Curves are sampled from a quote that rounds nothing, within 1e-4. */
export const roundsMirror = true;
export const curveError = 1e-4;
