import fc from "fast-check";
import type { Address } from "../../core/types.ts";
import { bigNumber, packed } from "../shared/packed-word.ts";
import type { Subject } from "../subject.ts";
import type { Facts } from "./reads.ts";
import { FIELDS, idOf, SHIFT, type State } from "./state.ts";
import { scalesOf } from "./swap.ts";

const CONTRACT: Address = "0x00000000000000000000000000000000000000f1";
const ID = idOf(0x1234n);
const TOKENS: readonly Address[] = [
  "0x0000000000000000000000000000000000000001",
  "0x0000000000000000000000000000000000000002",
];
const NOW = 1_700_000_000;
const at = { blockNumber: 1, timestamp: NOW };

/** A pool with this state. */
export function subjectOf(state: State, tokens: readonly Address[] = TOKENS): Subject {
  const facts: Facts = { salt: `0x${"0".repeat(64)}`, deployer: CONTRACT };
  return {
    pool: {
      id: ID,
      address: CONTRACT,
      protocol: "fluid-lite",
      deployment: "fluid-lite",
      tokens,
      stateIds: [ID],
      facts,
    },
    states: new Map([[ID, state]]),
    at,
    roundings: roundingsOf(state),
  };
}

/** The highest price of these pools, and the reciprocal of the lowest, in equal units of both tokens. */
const MOST_PRICE = 1e3;

/** Units of either token that a swap may round: a few units of 1e-9 of a token, and what they are worth in the other. */
function roundingsOf(state: State): number {
  const grains = scalesOf(state).map(({ factor, divisor }) => Number(divisor) / Number(factor));
  return Math.ceil(4 * Math.max(1, ...grains) * MOST_PRICE);
}

/** All orders of magnitude, equally likely. */
const tenTo = (least: number, most: number): fc.Arbitrary<bigint> =>
  fc
    .integer({ min: least, max: most - 1 })
    .chain((power) => fc.bigInt({ min: 10n ** BigInt(power), max: 10n ** BigInt(power + 1) }));

const ranges = fc.record({
  upper: fc.bigInt({ min: 1n, max: 5_000n }),
  lower: fc.bigInt({ min: 1n, max: 5_000n }),
  threshold: fc.bigInt({ min: 0n, max: 100n }),
});

/** Pools at prices between a thousandth and a thousand, whose centre price stays or follows. */
export const states: fc.Arbitrary<State> = tenTo(24, 30).chain((price) =>
  fc
    .record({
      ranges,
      fee: fc.bigInt({ min: 0n, max: 8_191n }),
      revenueCut: fc.bigInt({ min: 0n, max: 100n }),
      status: fc.bigInt({ min: 0n, max: 3n }),
      decimals: fc.tuple(fc.constantFrom(6n, 8n, 9n, 18n), fc.constantFrom(6n, 8n, 9n, 18n)),
      supply: tenTo(9, 14),
      tilt: fc.bigInt({ min: 1n, max: 1_000n }),
      seconds: fc.bigInt({ min: 1n, max: 100_000n }),
      age: fc.bigInt({ min: 0n, max: 100_000n }),
    })
    .map(({ ranges: { upper, lower, threshold }, ...rest }) => ({
      contract: CONTRACT,
      variables: packed([
        [FIELDS.fee, rest.fee],
        [FIELDS.revenueCut, rest.revenueCut],
        [FIELDS.status, rest.status],
        [FIELDS.center, bigNumber(price, FIELDS.center)],
        [FIELDS.upper, upper],
        [FIELDS.lower, lower],
        [FIELDS.upperThreshold, threshold],
        [FIELDS.lowerThreshold, threshold],
        [FIELDS.decimals0, rest.decimals[0]],
        [FIELDS.decimals1, rest.decimals[1]],
        [FIELDS.supply0, rest.supply],
        [FIELDS.supply1, (rest.supply * price * rest.tilt) / 10n ** 29n],
      ]),
      centerShift: packed([
        [SHIFT.last, BigInt(NOW) - rest.age],
        [SHIFT.seconds, rest.seconds],
        [SHIFT.most, bigNumber(2n * price, SHIFT.most)],
        [SHIFT.least, bigNumber(price / 2n, SHIFT.least)],
      ]),
      rangeShift: 0n,
      thresholdShift: 0n,
      named: 0n,
      readAt: at.blockNumber,
      isClosed: false,
    })),
);

export const subjects: fc.Arbitrary<Subject> = states.map((state) => subjectOf(state));

/** Curves are sampled from a quote that rounds nothing, within 1e-4. */
export const roundsMirror = true;
export const curveError = 1e-4;
