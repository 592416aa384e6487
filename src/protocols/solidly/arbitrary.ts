import fc from "fast-check";
import type { Subject } from "../subject.ts";
import type { State } from "./state.ts";

export const PAIR = "0x00000000000000000000000000000000000000ab";
const NOW = 1_700_000_000;

/** A pair with this state. */
export function subjectOf(state: State): Subject {
  const { stable, solver } = state;
  return {
    pool: {
      id: PAIR,
      address: PAIR,
      protocol: "solidly",
      deployment: "arbitrary",
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [PAIR],
      facts: {
        stable,
        solver,
        feeCall: "curve",
        feeDenominator: Number(state.feeDenominator),
        factory: PAIR,
      },
    },
    states: new Map([[PAIR, state]]),
    at: { blockNumber: 1, timestamp: NOW },
    roundings: 8 + 4 * unitWorth(state),
    // The iteration of stable pairs may end a unit early or late, so a larger input may pay a unit less.
    ...(stable ? { outputFee: 0 } : {}),
  };
}

/** Worth of the fee's rounding: a unit of the token sold may be worth many of the other. */
function unitWorth({ reserves: [a, b], stable, units }: State): number {
  if (a === 0n || b === 0n) return 1;
  const price = stable ? priceOf(Number(a), Number(b), units) : Number(a) / Number(b);
  return Math.ceil(Math.max(price, 1 / price));
}

/** Price in units at x³y + y³x = k, in either direction. */
function priceOf(a: number, b: number, units: State["units"]): number {
  const [x, y] = [a / Number(units[0]), b / Number(units[1])];
  const price = (y * (3 * x * x + y * y)) / (x * (x * x + 3 * y * y));
  return (price * Number(units[1])) / Number(units[0]);
}

const volatile = fc
  .tuple(fc.integer({ min: 10, max: 110 }), fc.integer({ min: -8, max: 8 }))
  .chain(([bits, lean]) => {
    const reserve = (size: number) => fc.bigInt({ min: 1n, max: 2n ** BigInt(Math.max(size, 1)) });
    return fc.tuple(reserve(bits), reserve(bits + lean));
  });

const decimals = fc.constantFrom(6n, 8n, 18n);

const stable = fc
  .record({
    whole: fc.integer({ min: 3, max: 8 }).map((digits) => 10n ** BigInt(digits)),
    leans: fc.tuple(fc.integer({ min: 20, max: 500 }), fc.integer({ min: 20, max: 500 })),
    digits: fc.tuple(decimals, decimals),
  })
  .map(({ whole, leans, digits }) => ({
    reserves: [
      (whole * BigInt(leans[0]) * 10n ** digits[0]) / 100n,
      (whole * BigInt(leans[1]) * 10n ** digits[1]) / 100n,
    ] as const,
    units: [10n ** digits[0], 10n ** digits[1]] as const,
  }));

const rest = fc.record({
  solver: fc.constantFrom("unit" as const, "nearest" as const, "nearestPlain" as const),
  fee: fc.constantFrom(0n, 2n, 5n, 30n, 100n, 300n),
  feeDenominator: fc.constant(10_000n),
  readAt: fc.constant(NOW),
});

export const states: fc.Arbitrary<State> = fc.oneof(
  fc.tuple(volatile, rest).map(([reserves, more]) => ({
    ...more,
    stable: false,
    reserves,
    units: [10n ** 18n, 10n ** 18n] as const,
  })),
  fc.tuple(stable, rest).map(([pair, more]) => ({ ...more, ...pair, stable: true })),
);

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);
