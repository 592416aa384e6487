import fc from "fast-check";
import type { Hex } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import { type Generation, generations, type State } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000000a3";
const ONE = 10n ** 18n;

/** A market with this state. */
export function subjectOf(state: State): Subject {
  return {
    pool: {
      ...{ id: POOL, address: POOL, protocol: "curve-llamma", deployment: "arbitrary" },
      tokens: ["0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002"],
      stateIds: [POOL],
      facts: {},
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: 1_700_000_000 },
    roundings: roundingsOf(state),
    outputFee: Number(state.fee) / 1e18,
  };
}

/**
 * One unit of either coin per band, up to 21 bands; a rounded unit of one coin is worth some of the other; and bands
 * have 18 digits, so the last digits of a large band are inexact.
 */
function roundingsOf({ price, precisions, x, y }: State): number {
  const most = Math.max(
    ...x.map((held) => Number(held / precisions[0])),
    ...y.map((held) => Number(held / precisions[1])),
  );
  const worth = ((Number(price) / 1e18) * Number(precisions[1])) / Number(precisions[0]);
  return 42 + Math.ceil(Math.max(worth, 1 / worth) + most * 1e-16);
}

/**
 * Least fee. Factories require at least 1e-12, so every market has a fee. This value always exceeds the discrepancy
 * between the two prices of a band (README, Rounding): four times 6e-12 in a round trip.
 */
const LEAST_FEE = 10n ** 9n;

const years = Object.keys(generations).map(Number) as Generation[];
const amount = fc.integer({ min: 1, max: 10_000 }).map((units) => BigInt(units) * 10n ** 17n);

/** Up to ten bands of stablecoin below the active band and of collateral above it, some of them empty. */
export const states: fc.Arbitrary<State> = fc
  .record({
    generation: fc.constantFrom(...years),
    a: fc.integer({ min: 20, max: 200 }).map(BigInt),
    price: fc.integer({ min: 1, max: 100_000 }),
    drift: fc.integer({ min: -30, max: 30 }),
    activeBand: fc.integer({ min: -60, max: 60 }),
    below: fc.array(fc.option(amount, { nil: 0n }), { maxLength: 10 }),
    above: fc.array(fc.option(amount, { nil: 0n }), { maxLength: 10 }),
    inside: fc.tuple(fc.option(amount, { nil: 0n }), fc.option(amount, { nil: 0n })),
    feeMille: fc.integer({ min: 0, max: 20 }),
    decimals: fc.tuple(fc.constantFrom(6n, 18n), fc.constantFrom(8n, 18n)),
    isWhole: fc.boolean(),
  })
  .map(({ generation, a, price, drift, activeBand, below, above, inside, feeMille, decimals, isWhole }) => {
    const empty = (list: readonly bigint[]) => list.map(() => 0n);
    const first = activeBand - below.length;
    const last = activeBand + above.length;
    const shape = (Number(a) - 1) / Number(a);
    const basePrice = BigInt(price) * ONE;
    const here = price * shape ** (activeBand + 0.5) * (1 + drift / 1000);
    return {
      ...{ a, generation, basePrice, activeBand, minBand: first, maxBand: last, first, isWhole },
      price: BigInt(Math.floor(here * 1e9)) * 10n ** 9n + 1n,
      fee: feeMille === 0 ? LEAST_FEE : BigInt(feeMille) * 10n ** 15n,
      adminFee: 1n,
      x: [...below.map((x) => x * BigInt(price)), inside[0] * BigInt(price), ...empty(above)],
      y: [...empty(below), inside[1], ...above],
      precisions: [10n ** (18n - decimals[0]), 10n ** (18n - decimals[1])] as const,
      readAt: 0,
    };
  });

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);

/** admin_fee(), which contracts since 2026 lack, and fee(), which the older ones need not be asked for. */
export const mayLack: readonly Hex[] = ["0xfee3f7f9", "0xddca3f43"];
