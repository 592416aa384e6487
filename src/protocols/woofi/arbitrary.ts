import fc from "fast-check";
import type { Address, Hex } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import { type Listing, ONE, type State } from "./state.ts";

const POOL = "0x00000000000000000000000000000000000000f0";
const at = { blockNumber: 1, timestamp: 1_700_000_000 };

const token = (k: number): Address => `0x${(k + 1).toString(16).padStart(40, "0")}`;

/** A pool with this state. */
export function subjectOf(
  state: State,
  tokens: readonly Address[] = state.listings.map((_, k) => token(k)),
): Subject {
  return {
    pool: {
      id: POOL,
      address: POOL,
      protocol: "woofi",
      deployment: "arbitrary",
      tokens,
      stateIds: [POOL],
      facts: { version: "v2.1" },
    },
    states: new Map([[POOL, state]]),
    at,
    roundings: 4 + 4 * grainOf(state),
  };
}

/**
 * The largest price in units between the quote token and another token, in either direction: the worth of one
 * rounding.
 */
function grainOf({ listings }: State): number {
  const [quote, ...bases] = listings;
  const prices = bases.map(
    ({ price, priceUnit, unit }) =>
      (Number(price) / Number(priceUnit)) * (Number(quote!.unit) / Number(unit)),
  );
  return Math.ceil(Math.max(1, ...prices, ...prices.map((price) => (price > 0 ? 1 / price : 1))));
}

const unit = fc.constantFrom(6n, 8n, 18n).map((decimals) => 10n ** decimals);

/** All orders of magnitude, equally likely. */
const tenTo = (least: number, most: number): fc.Arbitrary<bigint> =>
  fc
    .integer({ min: least, max: most - 1 })
    .chain((power) => fc.bigInt({ min: 10n ** BigInt(power), max: 10n ** BigInt(power + 1) }));

/** Tokens worth between a cent and a hundred thousand, with spreads between a basis point and a tenth. */
const listing: fc.Arbitrary<Listing> = fc
  .record({
    whole: tenTo(0, 15),
    feeRate: fc.bigInt({ min: 0n, max: 1000n }),
    unit,
    price: fc.bigInt({ min: 10n ** 6n, max: 10n ** 13n }),
    spread: fc.bigInt({ min: 10n ** 14n, max: 10n ** 17n }),
    coeff: fc.oneof(fc.constant(0n), tenTo(5, 13)),
    maxGamma: fc.constantFrom(3n * 10n ** 15n, ONE),
    room: fc.constantFrom(3n, 1_000n, 2n ** 200n),
    maxNotional: fc.constantFrom(10n ** 12n, 10n ** 24n, 2n ** 128n, 2n ** 256n - 1n),
  })
  .map(({ whole, room, ...rest }) => {
    const reserve = whole * rest.unit;
    return { ...rest, reserve, cap: reserve * room, priceUnit: 10n ** 8n };
  });

const quote: fc.Arbitrary<Listing> = listing.map((one) => ({
  ...one,
  feeRate: 0n,
  price: one.priceUnit,
  spread: 0n,
  coeff: 0n,
}));

export const subjects: fc.Arbitrary<Subject> = fc
  .tuple(quote, fc.array(listing, { minLength: 1, maxLength: 3 }))
  .map(([first, others]) =>
    subjectOf({ listings: [first, ...others], expires: at.timestamp, readFor: at.blockNumber }),
  );

/** The oracle's state of a token. It reverts without a good price, and the token is then not traded. */
export const mayLack: readonly Hex[] = ["0x31e658a5"];
